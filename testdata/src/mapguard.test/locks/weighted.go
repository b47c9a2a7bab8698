package locks

import (
	"context"
	"sync"

	"golang.org/x/sync/semaphore"
)

// A loom is threaded by one at a time: the semaphore has room for one.
type loom struct {
	turn    *semaphore.Weighted
	mu      sync.Mutex
	threads map[string]*int // guarded by mu
}

func newLoom() *loom {
	return &loom{turn: semaphore.NewWeighted(1), threads: make(map[string]*int)}
}

func (l *loom) thread(k string) *int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.threads[k]
}

func (l *loom) add(k string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.threads[k] = new(int)
}

func (l *loom) EnsureOk(ctx context.Context, k string) error {
	if err := l.turn.Acquire(ctx, 1); err != nil {
		return err
	}
	defer l.turn.Release(1)
	if l.thread(k) == nil {
		l.add(k)
	}
	return nil
}

// Nothing cancels the context, so the error is nil.
func (l *loom) EnsureAnywayOk(k string) {
	_ = l.turn.Acquire(context.Background(), 1)
	if l.thread(k) == nil {
		l.add(k)
	}
	l.turn.Release(1)
}

func (l *loom) TryOk(k string) bool {
	if !l.turn.TryAcquire(1) {
		return false
	}
	defer l.turn.Release(1)
	if l.thread(k) == nil {
		l.add(k)
	}
	return true
}

func (l *loom) enter(ctx context.Context) error { return l.turn.Acquire(ctx, 1) }

func (l *loom) leave() { l.turn.Release(1) }

func (l *loom) EnsureByHelpersOk(ctx context.Context, k string) error {
	if err := l.enter(ctx); err != nil {
		return err
	}
	defer l.leave()
	if l.thread(k) == nil {
		l.add(k)
	}
	return nil
}

// TryAnywayBad goes on without its turn.
func (l *loom) TryAnywayBad(k string) {
	if l.turn.TryAcquire(1) {
		defer l.turn.Release(1)
	} else {
		println("busy")
	}
	if l.thread(k) == nil {
		l.add(k) // want `split-lock`
	}
}

// EnsureReleasedBad gives its turn back before the act.
func (l *loom) EnsureReleasedBad(ctx context.Context, k string) {
	if l.turn.Acquire(ctx, 1) != nil {
		return
	}
	t := l.thread(k)
	l.turn.Release(1)
	if t == nil {
		l.add(k) // want `split-lock`
	}
}

// Two can be at the press.
type press struct {
	turn  *semaphore.Weighted
	mu    sync.Mutex
	pages map[string]*int // guarded by mu
}

func newPress() *press {
	return &press{turn: semaphore.NewWeighted(2), pages: make(map[string]*int)}
}

func (p *press) page(k string) *int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.pages[k]
}

func (p *press) add(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pages[k] = new(int)
}

func (p *press) EnsureBad(ctx context.Context, k string) {
	if p.turn.Acquire(ctx, 1) != nil {
		return
	}
	defer p.turn.Release(1)
	if p.page(k) == nil {
		p.add(k) // want `split-lock`
	}
}

// Eight read in an archive, and who files takes all eight seats.
type archive struct {
	seats *semaphore.Weighted
	mu    sync.Mutex
	files map[string]*int // guarded by mu
}

const seats = 8

func newArchive() *archive {
	return &archive{seats: semaphore.NewWeighted(seats), files: make(map[string]*int)}
}

func (a *archive) file(k string) *int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.files[k]
}

func (a *archive) add(k string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.files[k] = new(int)
}

func (a *archive) FileOk(ctx context.Context, k string) {
	if a.seats.Acquire(ctx, seats) != nil {
		return
	}
	defer a.seats.Release(seats)
	if a.file(k) == nil {
		a.add(k)
	}
}

func (a *archive) FileOnOneSeatBad(ctx context.Context, k string) {
	if a.seats.Acquire(ctx, 1) != nil {
		return
	}
	defer a.seats.Release(1)
	if a.file(k) == nil {
		a.add(k) // want `split-lock`
	}
}

// What the runner takes, the goroutine that it starts gives back: who has put in
// is gone by then.
type courier struct {
	slot    *semaphore.Weighted
	mu      sync.Mutex
	parcels map[string]*int // guarded by mu
}

func newCourier() *courier {
	return &courier{slot: semaphore.NewWeighted(1), parcels: make(map[string]*int)}
}

func (c *courier) parcel(k string) *int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.parcels[k]
}

func (c *courier) add(k string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.parcels[k] = new(int)
}

func (c *courier) SendBad(ctx context.Context, k string) {
	if c.slot.Acquire(ctx, 1) != nil {
		return
	}
	go func() {
		defer c.slot.Release(1)
		println(k)
	}()
	if c.parcel(k) == nil {
		c.add(k) // want `split-lock`
	}
}

// The size is told when it is made.
type pier struct {
	berths *semaphore.Weighted
	mu     sync.Mutex
	ships  map[string]*int // guarded by mu
}

func newPier(n int64) *pier {
	return &pier{berths: semaphore.NewWeighted(n), ships: make(map[string]*int)}
}

func (p *pier) ship(k string) *int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.ships[k]
}

func (p *pier) add(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ships[k] = new(int)
}

func (p *pier) EnsureBad(ctx context.Context, k string) {
	if p.berths.Acquire(ctx, 1) != nil {
		return
	}
	defer p.berths.Release(1)
	if p.ship(k) == nil {
		p.add(k) // want `split-lock`
	}
}

// The semaphore is the only lock there is.
type tracer struct {
	sem   *semaphore.Weighted
	spans map[string]*int
	done  chan struct{}
}

func newTracer(ctx context.Context) *tracer {
	t := &tracer{sem: semaphore.NewWeighted(1), spans: make(map[string]*int)}
	go t.sweep(ctx)
	return t
}

func (t *tracer) SpanOk(ctx context.Context, k string) error {
	if err := t.sem.Acquire(ctx, 1); err != nil {
		return err
	}
	defer t.sem.Release(1)
	if t.spans[k] == nil {
		t.spans[k] = new(int)
	}
	return nil
}

func (t *tracer) sweep(ctx context.Context) {
	for range t.done {
		t.sweepOk(ctx)
	}
}

func (t *tracer) sweepOk(ctx context.Context) {
	if err := t.sem.Acquire(ctx, 1); err != nil {
		return
	}
	defer t.sem.Release(1)
	for k := range t.spans {
		delete(t.spans, k)
	}
}

// A goroutine does without its turn.
type logbook struct {
	sem     *semaphore.Weighted
	entries map[string]int
}

func newLogbook() *logbook {
	return &logbook{sem: semaphore.NewWeighted(1), entries: make(map[string]int)}
}

func (l *logbook) enter(ctx context.Context, k string) {
	if l.sem.Acquire(ctx, 1) != nil {
		return
	}
	defer l.sem.Release(1)
	l.countBad(k)
}

func (l *logbook) run(ks []string) {
	for _, k := range ks {
		go l.countBad(k)
	}
}

func (l *logbook) countBad(k string) { l.entries[k]++ } // want `entries`

var (
	minted   = make(map[string]*int)
	mintTurn = semaphore.NewWeighted(1)
	mintMu   sync.Mutex // guards minted
)

func minting(k string) *int {
	mintMu.Lock()
	defer mintMu.Unlock()
	return minted[k]
}

func mint(k string) {
	mintMu.Lock()
	defer mintMu.Unlock()
	minted[k] = new(int)
}

func MintOk(ctx context.Context, k string) {
	if mintTurn.Acquire(ctx, 1) != nil {
		return
	}
	defer mintTurn.Release(1)
	if minting(k) == nil {
		mint(k)
	}
}
