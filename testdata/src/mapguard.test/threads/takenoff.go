package threads

import "sync"

// A worker takes a batch off the list, under the lock, and notes it in a map of those in work: it has the batch alone.

type printBatch struct {
	id   string
	rows map[string]int
}

type Press struct {
	mu     sync.Mutex
	queue  []*printBatch
	inWork map[string]*printBatch
}

func (p *Press) Add(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.queue = append(p.queue, &printBatch{id: id, rows: map[string]int{}})
}

func (p *Press) next() *printBatch {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.queue) == 0 {
		return nil
	}
	b := p.queue[0]
	p.queue = p.queue[1:]
	p.inWork[b.id] = b
	return b
}

func (p *Press) Run(n int) {
	for i := 0; i < n; i++ {
		go func() {
			for b := p.next(); b != nil; b = p.next() {
				p.printOk(b)
			}
		}()
	}
}

func (p *Press) printOk(b *printBatch) {
	if _, ok := b.rows["done"]; !ok {
		b.rows["done"] = len(b.rows)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.inWork, b.id)
}

// Nothing takes it off.

type keptBatch struct {
	id   string
	rows map[string]int
}

type KeptPress struct {
	mu     sync.Mutex
	queue  []*keptBatch
	inWork map[string]*keptBatch
}

func (p *KeptPress) Add(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.queue = append(p.queue, &keptBatch{id: id, rows: map[string]int{}})
}

func (p *KeptPress) next() *keptBatch {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.queue) == 0 {
		return nil
	}
	b := p.queue[0]
	p.inWork[b.id] = b
	return b
}

func (p *KeptPress) Run(n int) {
	for i := 0; i < n; i++ {
		go func() {
			for b := p.next(); b != nil; b = p.next() {
				printBad(b)
			}
		}()
	}
}

func printBad(b *keptBatch) {
	if _, ok := b.rows["done"]; !ok { // want `check-then-act`
		b.rows["done"] = len(b.rows)
	}
}

// The lock is let go before it is taken off: two workers find one batch.

type lateBatch struct {
	id   string
	rows map[string]int
}

type LatePress struct {
	mu     sync.Mutex
	queue  []*lateBatch
	inWork map[string]*lateBatch
}

func (p *LatePress) Add(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.queue = append(p.queue, &lateBatch{id: id, rows: map[string]int{}})
}

func (p *LatePress) next() *lateBatch {
	p.mu.Lock()
	b := p.queue[0]
	p.mu.Unlock()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.queue = p.queue[1:]
	p.inWork[b.id] = b
	return b
}

func (p *LatePress) Run(n int) {
	for i := 0; i < n; i++ {
		go func() {
			for b := p.next(); b != nil; b = p.next() {
				printLateBad(b)
			}
		}()
	}
}

func printLateBad(b *lateBatch) {
	if _, ok := b.rows["done"]; !ok { // want `check-then-act`
		b.rows["done"] = len(b.rows)
	}
}

// One that is in work is printed by others, too.

type seenBatch struct {
	id   string
	rows map[string]int
}

type SeenPress struct {
	mu     sync.Mutex
	queue  []*seenBatch
	inWork map[string]*seenBatch
}

func (p *SeenPress) Add(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.queue = append(p.queue, &seenBatch{id: id, rows: map[string]int{}})
}

func (p *SeenPress) next() *seenBatch {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.queue) == 0 {
		return nil
	}
	b := p.queue[0]
	p.queue = p.queue[1:]
	p.inWork[b.id] = b
	return b
}

func (p *SeenPress) Run(n int) {
	for i := 0; i < n; i++ {
		go func() {
			for b := p.next(); b != nil; b = p.next() {
				printSeenBad(b)
			}
		}()
	}
}

func printSeenBad(b *seenBatch) {
	if _, ok := b.rows["done"]; !ok { // want `check-then-act`
		b.rows["done"] = len(b.rows)
	}
}

func (p *SeenPress) Cancel(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if b := p.inWork[id]; b != nil {
		b.rows["cancelled"] = 1
		b.rows["done"] = 0
		delete(b.rows, "row")
	}
}

// The lock that they hold does not keep two workers from the same batch.

type bareBatch struct {
	id   string
	rows map[string]int
}

type BarePress struct {
	mu     sync.RWMutex
	queue  []*bareBatch
	inWork map[string]*bareBatch
}

func (p *BarePress) Add(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.queue = append(p.queue, &bareBatch{id: id, rows: map[string]int{}})
}

func (p *BarePress) next() *bareBatch {
	p.mu.RLock()
	defer p.mu.RUnlock()
	if len(p.queue) == 0 {
		return nil
	}
	b := p.queue[0]
	p.queue = p.queue[1:]
	p.inWork[b.id] = b // want `rlock-write`
	return b
}

func (p *BarePress) Run(n int) {
	for i := 0; i < n; i++ {
		go func() {
			for b := p.next(); b != nil; b = p.next() {
				printBareBad(b)
			}
		}()
	}
}

func printBareBad(b *bareBatch) {
	if _, ok := b.rows["done"]; !ok { // want `check-then-act`
		b.rows["done"] = len(b.rows)
	}
}
