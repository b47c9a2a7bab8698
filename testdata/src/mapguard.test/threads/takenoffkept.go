package threads

import "sync"

// A worker has what it takes off the list alone only if no one finds it elsewhere.

// It is in a field as well.

type latestCask struct {
	id   string
	rows map[string]int
}

type LatestCellar struct {
	mu     sync.Mutex
	queue  []*latestCask
	inWork map[string]*latestCask
	latest *latestCask
}

func (q *LatestCellar) Add(id string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.queue = append(q.queue, &latestCask{id: id, rows: map[string]int{}})
}

func (q *LatestCellar) next() *latestCask {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.queue) == 0 {
		return nil
	}
	c := q.queue[0]
	q.queue = q.queue[1:]
	q.inWork[c.id] = c
	q.latest = c
	return c
}

func (q *LatestCellar) Run(n int) {
	for i := 0; i < n; i++ {
		go func() {
			for c := q.next(); c != nil; c = q.next() {
				q.openBad(c)
			}
		}()
	}
}

func (q *LatestCellar) openBad(c *latestCask) {
	if _, ok := c.rows["done"]; !ok { // want `check-then-act`
		c.rows["done"] = len(c.rows)
	}
}

func (q *LatestCellar) Stir() {
	q.mu.Lock()
	c := q.latest
	q.mu.Unlock()
	if c != nil {
		c.rows["stirred"] = 1
		delete(c.rows, "done")
	}
}

// Others find it in the map.

type rangedCask struct {
	id   string
	rows map[string]int
}

type RangedCellar struct {
	mu     sync.Mutex
	queue  []*rangedCask
	inWork map[string]*rangedCask
}

func (q *RangedCellar) Add(id string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.queue = append(q.queue, &rangedCask{id: id, rows: map[string]int{}})
}

func (q *RangedCellar) next() *rangedCask {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.queue) == 0 {
		return nil
	}
	c := q.queue[0]
	q.queue = q.queue[1:]
	q.inWork[c.id] = c
	return c
}

func (q *RangedCellar) Run(n int) {
	for i := 0; i < n; i++ {
		go func() {
			for c := q.next(); c != nil; c = q.next() {
				q.openBad(c)
			}
		}()
	}
}

func (q *RangedCellar) openBad(c *rangedCask) {
	if _, ok := c.rows["done"]; !ok { // want `check-then-act`
		c.rows["done"] = len(c.rows)
	}
}

func (q *RangedCellar) Stir() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, c := range q.inWork {
		c.rows["stirred"] = 1
		delete(c.rows, "done")
	}
}

// They look it up.

type askedCask struct {
	id   string
	rows map[string]int
}

type AskedCellar struct {
	mu     sync.Mutex
	queue  []*askedCask
	inWork map[string]*askedCask
}

func (q *AskedCellar) Add(id string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.queue = append(q.queue, &askedCask{id: id, rows: map[string]int{}})
}

func (q *AskedCellar) next() *askedCask {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.queue) == 0 {
		return nil
	}
	c := q.queue[0]
	q.queue = q.queue[1:]
	q.inWork[c.id] = c
	return c
}

func (q *AskedCellar) Run(n int) {
	for i := 0; i < n; i++ {
		go func() {
			for c := q.next(); c != nil; c = q.next() {
				q.openBad(c)
			}
		}()
	}
}

func (q *AskedCellar) openBad(c *askedCask) {
	if _, ok := c.rows["done"]; !ok { // want `check-then-act`
		c.rows["done"] = len(c.rows)
	}
}

func (q *AskedCellar) Stir(id string) {
	q.mu.Lock()
	c, ok := q.inWork[id]
	q.mu.Unlock()
	if ok {
		c.rows["stirred"] = 1
		delete(c.rows, "done")
	}
}

// They get the map.

type lentCask struct {
	id   string
	rows map[string]int
}

type LentCellar struct {
	mu     sync.Mutex
	queue  []*lentCask
	inWork map[string]*lentCask
}

func (q *LentCellar) Add(id string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.queue = append(q.queue, &lentCask{id: id, rows: map[string]int{}})
}

func (q *LentCellar) next() *lentCask {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.queue) == 0 {
		return nil
	}
	c := q.queue[0]
	q.queue = q.queue[1:]
	q.inWork[c.id] = c
	return c
}

func (q *LentCellar) Run(n int) {
	for i := 0; i < n; i++ {
		go func() {
			for c := q.next(); c != nil; c = q.next() {
				q.openBad(c)
			}
		}()
	}
}

func (q *LentCellar) openBad(c *lentCask) {
	if _, ok := c.rows["done"]; !ok { // want `check-then-act`
		c.rows["done"] = len(c.rows)
	}
}

func (q *LentCellar) Each(f func(map[string]*lentCask)) {
	q.mu.Lock()
	defer q.mu.Unlock()
	f(q.inWork)
}

// They get a pointer to it.

type pointedCask struct {
	id   string
	rows map[string]int
}

type PointedCellar struct {
	mu     sync.Mutex
	queue  []*pointedCask
	inWork map[string]*pointedCask
}

func (q *PointedCellar) Add(id string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.queue = append(q.queue, &pointedCask{id: id, rows: map[string]int{}})
}

func (q *PointedCellar) next() *pointedCask {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.queue) == 0 {
		return nil
	}
	c := q.queue[0]
	q.queue = q.queue[1:]
	q.inWork[c.id] = c
	return c
}

func (q *PointedCellar) Run(n int) {
	for i := 0; i < n; i++ {
		go func() {
			for c := q.next(); c != nil; c = q.next() {
				q.openBad(c)
			}
		}()
	}
}

func (q *PointedCellar) openBad(c *pointedCask) {
	if _, ok := c.rows["done"]; !ok { // want `check-then-act`
		c.rows["done"] = len(c.rows)
	}
}

func (q *PointedCellar) at() *map[string]*pointedCask { return &q.inWork }

func (q *PointedCellar) Stir(id string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete((*q.at())[id].rows, "done")
}

// They have given it.

type givenCask struct {
	id   string
	rows map[string]int
}

type GivenCellar struct {
	mu     sync.Mutex
	queue  []*givenCask
	inWork map[string]*givenCask
}

func (q *GivenCellar) Add(id string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.queue = append(q.queue, &givenCask{id: id, rows: map[string]int{}})
}

func (q *GivenCellar) next() *givenCask {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.queue) == 0 {
		return nil
	}
	c := q.queue[0]
	q.queue = q.queue[1:]
	q.inWork[c.id] = c
	return c
}

func (q *GivenCellar) Run(n int) {
	for i := 0; i < n; i++ {
		go func() {
			for c := q.next(); c != nil; c = q.next() {
				q.openBad(c)
			}
		}()
	}
}

func (q *GivenCellar) openBad(c *givenCask) {
	if _, ok := c.rows["done"]; !ok { // want `check-then-act`
		c.rows["done"] = len(c.rows)
	}
}

func newGivenCellar(inWork map[string]*givenCask) *GivenCellar {
	c := &GivenCellar{}
	c.inWork = inWork
	return c
}

// Other packages find it.

type exportedCask struct {
	id   string
	rows map[string]int
}

type ExportedCellar struct {
	mu     sync.Mutex
	queue  []*exportedCask
	InWork map[string]*exportedCask
}

func (q *ExportedCellar) Add(id string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.queue = append(q.queue, &exportedCask{id: id, rows: map[string]int{}})
}

func (q *ExportedCellar) next() *exportedCask {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.queue) == 0 {
		return nil
	}
	c := q.queue[0]
	q.queue = q.queue[1:]
	q.InWork[c.id] = c
	return c
}

func (q *ExportedCellar) Run(n int) {
	for i := 0; i < n; i++ {
		go func() {
			for c := q.next(); c != nil; c = q.next() {
				q.openBad(c)
			}
		}()
	}
}

func (q *ExportedCellar) openBad(c *exportedCask) {
	if _, ok := c.rows["done"]; !ok { // want `check-then-act`
		c.rows["done"] = len(c.rows)
	}
}

// Only some are put into the map.

type notedCask struct {
	id   string
	rows map[string]int
}

type NotedCellar struct {
	mu     sync.Mutex
	queue  []*notedCask
	inWork map[string]*notedCask
}

func (q *NotedCellar) Add(id string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.queue = append(q.queue, &notedCask{id: id, rows: map[string]int{}})
}

func (q *NotedCellar) next() *notedCask {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.queue) == 0 {
		return nil
	}
	c := q.queue[0]
	q.queue = q.queue[1:]
	if c.id != "" {
		q.inWork[c.id] = c
	}
	return c
}

func (q *NotedCellar) Run(n int) {
	for i := 0; i < n; i++ {
		go func() {
			for c := q.next(); c != nil; c = q.next() {
				q.openBad(c)
			}
		}()
	}
}

func (q *NotedCellar) openBad(c *notedCask) {
	if _, ok := c.rows["done"]; !ok { // want `check-then-act`
		c.rows["done"] = len(c.rows)
	}
}
