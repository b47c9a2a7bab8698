package threads

import "sync"

// As with the Press. A worker has what it takes off the list alone only if that is the element which the list is left without, in one section of a
// lock, and if no one finds it elsewhere.

// The last one is taken off.

type lastCask struct {
	id   string
	rows map[string]int
}

type LastCellar struct {
	mu     sync.Mutex
	queue  []*lastCask
	inWork map[string]*lastCask
}

func (q *LastCellar) Add(id string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.queue = append(q.queue, &lastCask{id: id, rows: map[string]int{}})
}

func (q *LastCellar) next() *lastCask {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.queue) == 0 {
		return nil
	}
	c := q.queue[len(q.queue)-1]
	q.queue = q.queue[:len(q.queue)-1]
	q.inWork[c.id] = c
	return c
}

func (q *LastCellar) Run(n int) {
	for i := 0; i < n; i++ {
		go func() {
			for c := q.next(); c != nil; c = q.next() {
				q.openOk(c)
			}
		}()
	}
}

func (q *LastCellar) openOk(c *lastCask) {
	if _, ok := c.rows["done"]; !ok {
		c.rows["done"] = len(c.rows)
	}
}

// Another one is taken off.

type otherEndCask struct {
	id   string
	rows map[string]int
}

type OtherEndCellar struct {
	mu     sync.Mutex
	queue  []*otherEndCask
	inWork map[string]*otherEndCask
}

func (q *OtherEndCellar) Add(id string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.queue = append(q.queue, &otherEndCask{id: id, rows: map[string]int{}})
}

func (q *OtherEndCellar) next() *otherEndCask {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.queue) == 0 {
		return nil
	}
	c := q.queue[0]
	q.queue = q.queue[:len(q.queue)-1]
	q.inWork[c.id] = c
	return c
}

func (q *OtherEndCellar) Run(n int) {
	for i := 0; i < n; i++ {
		go func() {
			for c := q.next(); c != nil; c = q.next() {
				q.openBad(c)
			}
		}()
	}
}

func (q *OtherEndCellar) openBad(c *otherEndCask) {
	if _, ok := c.rows["done"]; !ok { // want `check-then-act`
		c.rows["done"] = len(c.rows)
	}
}

// It is not the first.

type secondCask struct {
	id   string
	rows map[string]int
}

type SecondCellar struct {
	mu     sync.Mutex
	queue  []*secondCask
	inWork map[string]*secondCask
}

func (q *SecondCellar) Add(id string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.queue = append(q.queue, &secondCask{id: id, rows: map[string]int{}})
}

func (q *SecondCellar) next() *secondCask {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.queue) == 0 {
		return nil
	}
	c := q.queue[1]
	q.queue = q.queue[1:]
	q.inWork[c.id] = c
	return c
}

func (q *SecondCellar) Run(n int) {
	for i := 0; i < n; i++ {
		go func() {
			for c := q.next(); c != nil; c = q.next() {
				q.openBad(c)
			}
		}()
	}
}

func (q *SecondCellar) openBad(c *secondCask) {
	if _, ok := c.rows["done"]; !ok { // want `check-then-act`
		c.rows["done"] = len(c.rows)
	}
}

// All stay in the list.

type wholeCask struct {
	id   string
	rows map[string]int
}

type WholeCellar struct {
	mu     sync.Mutex
	queue  []*wholeCask
	inWork map[string]*wholeCask
}

func (q *WholeCellar) Add(id string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.queue = append(q.queue, &wholeCask{id: id, rows: map[string]int{}})
}

func (q *WholeCellar) next() *wholeCask {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.queue) == 0 {
		return nil
	}
	c := q.queue[0]
	q.queue = q.queue[0:]
	q.inWork[c.id] = c
	return c
}

func (q *WholeCellar) Run(n int) {
	for i := 0; i < n; i++ {
		go func() {
			for c := q.next(); c != nil; c = q.next() {
				q.openBad(c)
			}
		}()
	}
}

func (q *WholeCellar) openBad(c *wholeCask) {
	if _, ok := c.rows["done"]; !ok { // want `check-then-act`
		c.rows["done"] = len(c.rows)
	}
}

// The list gets it back.

type restoredCask struct {
	id   string
	rows map[string]int
}

type RestoredCellar struct {
	mu     sync.Mutex
	queue  []*restoredCask
	inWork map[string]*restoredCask
}

func (q *RestoredCellar) Add(id string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.queue = append(q.queue, &restoredCask{id: id, rows: map[string]int{}})
}

func (q *RestoredCellar) next() *restoredCask {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.queue) == 0 {
		return nil
	}
	c, all := q.queue[0], q.queue
	q.queue = q.queue[1:]
	q.inWork[c.id] = c
	q.queue = all
	return c
}

func (q *RestoredCellar) Run(n int) {
	for i := 0; i < n; i++ {
		go func() {
			for c := q.next(); c != nil; c = q.next() {
				q.openBad(c)
			}
		}()
	}
}

func (q *RestoredCellar) openBad(c *restoredCask) {
	if _, ok := c.rows["done"]; !ok { // want `check-then-act`
		c.rows["done"] = len(c.rows)
	}
}

// A helper gives the lock up in between.

type gapCask struct {
	id   string
	rows map[string]int
}

type GapCellar struct {
	mu     sync.Mutex
	queue  []*gapCask
	inWork map[string]*gapCask
}

func (q *GapCellar) Add(id string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.queue = append(q.queue, &gapCask{id: id, rows: map[string]int{}})
}

func (q *GapCellar) next() *gapCask {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.queue) == 0 {
		return nil
	}
	c := q.queue[0]
	q.gap()
	q.queue = q.queue[1:]
	q.inWork[c.id] = c
	return c
}

func (q *GapCellar) Run(n int) {
	for i := 0; i < n; i++ {
		go func() {
			for c := q.next(); c != nil; c = q.next() {
				q.openBad(c)
			}
		}()
	}
}

func (q *GapCellar) openBad(c *gapCask) {
	if _, ok := c.rows["done"]; !ok { // want `check-then-act`
		c.rows["done"] = len(c.rows)
	}
}

func (q *GapCellar) gap() {
	q.mu.Unlock()
	q.mu.Lock()
}

// It is in two maps.

type twiceCask struct {
	id   string
	rows map[string]int
}

type TwiceCellar struct {
	mu     sync.Mutex
	queue  []*twiceCask
	inWork map[string]*twiceCask
	too    map[string]*twiceCask
}

func (q *TwiceCellar) Add(id string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.queue = append(q.queue, &twiceCask{id: id, rows: map[string]int{}})
}

func (q *TwiceCellar) next() *twiceCask {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.queue) == 0 {
		return nil
	}
	c := q.queue[0]
	q.queue = q.queue[1:]
	q.inWork[c.id] = c
	q.too[c.id] = c
	return c
}

func (q *TwiceCellar) Run(n int) {
	for i := 0; i < n; i++ {
		go func() {
			for c := q.next(); c != nil; c = q.next() {
				q.openBad(c)
			}
		}()
	}
}

func (q *TwiceCellar) openBad(c *twiceCask) {
	if _, ok := c.rows["done"]; !ok { // want `check-then-act`
		c.rows["done"] = len(c.rows)
	}
}

func (q *TwiceCellar) Stir(id string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if c := q.too[id]; c != nil {
		c.rows["stirred"] = 1
		delete(c.rows, "done")
	}
}
