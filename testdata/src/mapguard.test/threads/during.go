package threads

import (
	"context"
	"sync"
	"time"
)

// A goroutine that ends before the call returns which starts it lives within that call: the one goroutine of the object that
// makes the call does nothing else meanwhile.

type Poller struct {
	mu    sync.Mutex
	known map[string]int
}

func NewPoller() *Poller { return &Poller{known: map[string]int{}} }

func (p *Poller) Start(ctx context.Context) {
	go p.poll(ctx)
}

func (p *Poller) poll(ctx context.Context) {
	tick := time.NewTicker(time.Second)
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			p.roundOk([]string{ctx.Value("job").(string)})
		}
	}
}

func (p *Poller) roundOk(jobs []string) {
	for _, job := range jobs {
		println(p.known[job])
	}
	p.tryAll(jobs)
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, job := range jobs {
		p.known[job]++
	}
}

func (p *Poller) tryAll(jobs []string) {
	var wg sync.WaitGroup
	for _, job := range jobs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			p.try(job)
		}()
	}
	wg.Wait()
}

func (p *Poller) try(job string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.known, job)
}

// Nothing waits for the workers: they go on in the next rounds.
type LeavingPoller struct {
	mu    sync.Mutex
	known map[string]int
}

func NewLeavingPoller() *LeavingPoller { return &LeavingPoller{known: map[string]int{}} }

func (p *LeavingPoller) Start(ctx context.Context) {
	go p.poll(ctx)
}

func (p *LeavingPoller) poll(ctx context.Context) {
	for ctx.Err() == nil {
		jobs := []string{ctx.Value("job").(string)}
		p.lookBad(jobs)
		p.tryAll(jobs)
	}
}

func (p *LeavingPoller) lookBad(jobs []string) {
	for _, job := range jobs {
		println(p.known[job]) // want `unguarded-access: p.known`
	}
}

func (p *LeavingPoller) tryAll(jobs []string) {
	for _, job := range jobs {
		go func() {
			p.mu.Lock()
			defer p.mu.Unlock()
			delete(p.known, job)
		}()
	}
}

// It looks before it waits.
type HastyPoller struct {
	mu    sync.Mutex
	known map[string]int
}

func NewHastyPoller() *HastyPoller { return &HastyPoller{known: map[string]int{}} }

func (p *HastyPoller) Start(ctx context.Context) {
	go p.poll(ctx)
}

func (p *HastyPoller) poll(ctx context.Context) {
	for ctx.Err() == nil {
		p.roundBad([]string{ctx.Value("job").(string)})
	}
}

func (p *HastyPoller) roundBad(jobs []string) {
	var wg sync.WaitGroup
	for _, job := range jobs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			p.mu.Lock()
			defer p.mu.Unlock()
			p.known[job]++
		}()
	}
	for _, job := range jobs {
		println(p.known[job]) // want `unguarded-access: p.known`
	}
	wg.Wait()
}

// The workers change what another one of the kind has, which its own goroutine looks at.
type RingPoller struct {
	mu    sync.Mutex
	known map[string]int
	next  *RingPoller
}

func NewRingPoller(next *RingPoller) *RingPoller {
	return &RingPoller{known: map[string]int{}, next: next}
}

func (p *RingPoller) Start(ctx context.Context) {
	go p.poll(ctx)
}

func (p *RingPoller) poll(ctx context.Context) {
	for ctx.Err() == nil {
		p.roundBad([]string{ctx.Value("job").(string)})
	}
}

func (p *RingPoller) roundBad(jobs []string) {
	for _, job := range jobs {
		println(p.known[job]) // want `unguarded-access: p.known`
	}
	p.next.tryAll(jobs)
}

func (p *RingPoller) tryAll(jobs []string) {
	var wg sync.WaitGroup
	for _, job := range jobs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			p.mu.Lock()
			defer p.mu.Unlock()
			p.known[job]++
		}()
	}
	wg.Wait()
}

// Others have workers started, too.
type OpenPoller struct {
	mu    sync.Mutex
	known map[string]int
}

func NewOpenPoller() *OpenPoller { return &OpenPoller{known: map[string]int{}} }

func (p *OpenPoller) Start(ctx context.Context) {
	go p.poll(ctx)
}

func (p *OpenPoller) poll(ctx context.Context) {
	for ctx.Err() == nil {
		p.roundBad([]string{ctx.Value("job").(string)})
	}
}

func (p *OpenPoller) roundBad(jobs []string) {
	for _, job := range jobs {
		println(p.known[job]) // want `unguarded-access: p.known`
	}
	p.TryAll(jobs)
}

func (p *OpenPoller) TryAll(jobs []string) {
	var wg sync.WaitGroup
	for _, job := range jobs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			p.mu.Lock()
			defer p.mu.Unlock()
			p.known[job]++
		}()
	}
	wg.Wait()
}

// What all of them look at is no part of one of them.
var (
	famousMu sync.Mutex
	famous   = map[string]int{}
)

type FamePoller struct{ name string }

func NewFamePoller(ctx context.Context, name string) *FamePoller {
	p := &FamePoller{name: name}
	go p.poll(ctx)
	return p
}

func (p *FamePoller) poll(ctx context.Context) {
	for ctx.Err() == nil {
		p.roundBad()
	}
}

func (p *FamePoller) roundBad() {
	println(famous[p.name]) // want `unguarded-access: famous`
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			famousMu.Lock()
			defer famousMu.Unlock()
			famous[p.name]++
		}()
	}
	wg.Wait()
}

// There is one for each name that the object is told to follow.
type NamePoller struct {
	mu    sync.Mutex
	known map[string]int
}

func NewNamePoller() *NamePoller { return &NamePoller{known: map[string]int{}} }

func (p *NamePoller) Follow(name string) { go p.follow(name) }

func (p *NamePoller) follow(name string) {
	for range time.Tick(time.Second) {
		p.roundBad(name)
	}
}

func (p *NamePoller) roundBad(name string) {
	println(p.known[name]) // want `unguarded-access: p.known`
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			p.mu.Lock()
			defer p.mu.Unlock()
			p.known[name]++
		}()
	}
	wg.Wait()
}
