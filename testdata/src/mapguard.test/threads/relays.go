package threads

import (
	"context"
	"sync"
)

// A pipeline: each stage ends only after the one before it has, so who waits for the last stage has
// waited for all.
type pipeline struct {
	in, mid, out chan string
	done         chan struct{}
	seen         map[string]int
}

func NewPipeline() *pipeline {
	p := &pipeline{in: make(chan string), mid: make(chan string), out: make(chan string), done: make(chan struct{}), seen: map[string]int{}}
	go p.firstOk()
	go p.second()
	go p.third()
	return p
}

func (p *pipeline) Feed(k string) { p.in <- k }

func (p *pipeline) firstOk() {
	defer close(p.mid)
	for s := range p.in {
		p.seen[s]++
		p.mid <- s
	}
}

func (p *pipeline) second() {
	for s := range p.mid {
		p.out <- s
	}
	close(p.out)
}

func (p *pipeline) third() {
	defer p.finish()
	for {
		s, ok := <-p.out
		if !ok {
			break
		}
		println(s)
	}
}

func (p *pipeline) finish() { close(p.done) }

func (p *pipeline) CloseOk() int {
	close(p.in)
	<-p.done
	clear(p.seen)
	return len(p.seen)
}

// The second stage says that it is done before it waits.
type hurried struct {
	in, mid chan string
	done    chan struct{}
	seen    map[string]int
}

func NewHurried() *hurried {
	p := &hurried{in: make(chan string), mid: make(chan string), done: make(chan struct{}), seen: map[string]int{}}
	go p.firstBad()
	go p.second()
	return p
}

func (p *hurried) Feed(k string) { p.in <- k }

func (p *hurried) firstBad() {
	defer close(p.mid)
	for s := range p.in {
		p.seen[s]++ // want `check-then-act: p\.seen`
		p.mid <- s
	}
}

func (p *hurried) second() {
	close(p.done)
	for s := range p.mid {
		println(s)
	}
}

func (p *hurried) CloseBad() {
	close(p.in)
	<-p.done
	clear(p.seen) // want `unguarded-access: p\.seen`
}

// The first stage goes on when it has closed its channel.
type lingering struct {
	in, mid chan string
	done    chan struct{}
	seen    map[string]int
}

func NewLingering() *lingering {
	p := &lingering{in: make(chan string), mid: make(chan string), done: make(chan struct{}), seen: map[string]int{}}
	go p.firstBad()
	go p.second()
	return p
}

func (p *lingering) Feed(k string) { p.in <- k }

func (p *lingering) firstBad() {
	for s := range p.in {
		p.mid <- s
	}
	close(p.mid)
	p.seen["end"] = 1 // want `unguarded-access: p\.seen`
}

func (p *lingering) second() {
	defer close(p.done)
	for s := range p.mid {
		println(s)
	}
}

func (p *lingering) Close() {
	close(p.in)
	<-p.done
	clear(p.seen)
}

// A goroutine that ends since its channel was closed has waited for nothing else.
type flusher struct {
	in   chan string
	seen map[string]int
}

func NewFlusher() *flusher {
	f := &flusher{in: make(chan string), seen: map[string]int{}}
	go f.loopBad()
	return f
}

func (f *flusher) Feed(k string) { f.in <- k }

func (f *flusher) loopBad() {
	for s := range f.in {
		println(s)
	}
	f.seen["end"] = 1 // want `unguarded-access: f\.seen`
}

func (f *flusher) Close() {
	close(f.in)
	clear(f.seen)
}

// The second stage may leave before the first one has ended.
type impatient struct {
	in, mid chan string
	done    chan struct{}
	seen    map[string]int
}

func NewImpatient(ctx context.Context) *impatient {
	p := &impatient{in: make(chan string), mid: make(chan string), done: make(chan struct{}), seen: map[string]int{}}
	go p.firstBad()
	go p.second(ctx)
	return p
}

func (p *impatient) Feed(k string) { p.in <- k }

func (p *impatient) firstBad() {
	defer close(p.mid)
	for s := range p.in {
		p.seen[s]++ // want `check-then-act: p\.seen`
		p.mid <- s
	}
}

func (p *impatient) second(ctx context.Context) {
	defer close(p.done)
	for s := range p.mid {
		if ctx.Err() != nil {
			return
		}
		println(s)
	}
}

func (p *impatient) CloseBad() {
	close(p.in)
	<-p.done
	clear(p.seen) // want `unguarded-access: p\.seen`
}

// Another function closes the last channel, too, and has waited for nothing.
type forced struct {
	in, mid chan string
	done    chan struct{}
	seen    map[string]int
}

func NewForced() *forced {
	p := &forced{in: make(chan string), mid: make(chan string), done: make(chan struct{}), seen: map[string]int{}}
	go p.firstBad()
	go p.second()
	return p
}

func (p *forced) Feed(k string) { p.in <- k }

func (p *forced) Abort() { close(p.done) }

func (p *forced) firstBad() {
	defer close(p.mid)
	for s := range p.in {
		p.seen[s]++ // want `check-then-act: p\.seen`
		p.mid <- s
	}
}

func (p *forced) second() {
	for s := range p.mid {
		println(s)
	}
	close(p.done)
}

func (p *forced) CloseBad() {
	close(p.in)
	<-p.done
	clear(p.seen) // want `unguarded-access: p\.seen`
}

// A goroutine waits for the group, then closes what others wait for.
type grouped struct {
	wg   sync.WaitGroup
	in   chan string
	done chan struct{}
	seen map[string]int
}

func NewGrouped() *grouped {
	g := &grouped{in: make(chan string), done: make(chan struct{}), seen: map[string]int{}}
	g.wg.Add(1)
	go g.workOk()
	go func() {
		defer close(g.done)
		defer g.wg.Wait()
	}()
	return g
}

func (g *grouped) Feed(k string) { g.in <- k }

func (g *grouped) workOk() {
	defer g.wg.Done()
	for s := range g.in {
		g.seen[s]++
	}
}

func (g *grouped) CloseOk() {
	close(g.in)
	<-g.done
	clear(g.seen)
}

// What is deferred last runs first.
type swapped struct {
	wg   sync.WaitGroup
	in   chan string
	done chan struct{}
	seen map[string]int
}

func NewSwapped() *swapped {
	g := &swapped{in: make(chan string), done: make(chan struct{}), seen: map[string]int{}}
	g.wg.Add(1)
	go g.workBad()
	go func() {
		defer g.wg.Wait()
		defer close(g.done)
	}()
	return g
}

func (g *swapped) Feed(k string) { g.in <- k }

func (g *swapped) workBad() {
	defer g.wg.Done()
	for s := range g.in {
		g.seen[s]++ // want `check-then-act: g\.seen`
	}
}

func (g *swapped) CloseBad() {
	close(g.in)
	<-g.done
	clear(g.seen) // want `unguarded-access: g\.seen`
}

// Nothing has been added to the group when it is waited for.
type empty struct {
	wg   sync.WaitGroup
	in   chan string
	done chan struct{}
	seen map[string]int
}

func NewEmpty() *empty {
	g := &empty{in: make(chan string), done: make(chan struct{}), seen: map[string]int{}}
	go g.wait()
	g.wg.Add(1)
	go g.workBad()
	return g
}

func (g *empty) Feed(k string) { g.in <- k }

func (g *empty) wait() {
	g.wg.Wait()
	close(g.done)
}

func (g *empty) workBad() {
	defer g.wg.Done()
	for s := range g.in {
		g.seen[s]++ // want `check-then-act: g\.seen`
	}
}

func (g *empty) CloseBad() {
	close(g.in)
	<-g.done
	clear(g.seen) // want `unguarded-access: g\.seen`
}

// The same in one function.
func errorsOk(keys []string) int {
	m := map[string]int{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	errs := make(chan error)
	for _, k := range keys {
		wg.Add(1)
		go func() {
			defer wg.Done()
			errs <- nil
			mu.Lock()
			m[k]++
			mu.Unlock()
		}()
	}
	go func() {
		wg.Wait()
		close(errs)
	}()
	for err := range errs {
		println(err)
	}
	return len(m)
}

func errorsBad(keys []string) int {
	m := map[string]int{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	errs := make(chan error)
	for _, k := range keys {
		wg.Add(1)
		go func() {
			defer wg.Done()
			errs <- nil
			mu.Lock()
			m[k]++ // want `goroutine-race: m is written in a goroutine under mu`
			mu.Unlock()
		}()
	}
	go func() {
		close(errs)
		wg.Wait()
	}()
	for err := range errs {
		println(err)
	}
	return len(m)
}

func stagesOk(in chan string) {
	m := map[string]int{}
	mid, out := make(chan string), make(chan string)
	done := make(chan struct{})
	go func() {
		defer close(mid)
		for s := range in {
			m[s]++
			mid <- s
		}
	}()
	go func() {
		defer close(out)
		for s := range mid {
			out <- s
		}
	}()
	go func() {
		defer close(done)
		for s := range out {
			println(s)
		}
	}()
	<-done
	clear(m)
}

func stageBad(in chan string) {
	m := map[string]int{}
	mid, out := make(chan string), make(chan string)
	done := make(chan struct{})
	go func() {
		defer close(mid)
		for s := range in {
			m[s]++ // want `goroutine-race: m is written in a goroutine`
			mid <- s
		}
	}()
	go func() {
		defer close(out)
		out <- <-mid // the first one may go on
	}()
	go func() {
		defer close(done)
		for s := range out {
			println(s)
		}
	}()
	<-done
	clear(m)
}

// Others wait for the one who waits for the group.
type batch struct {
	wg   sync.WaitGroup
	mu   sync.Mutex
	seen map[string]int
}

func (b *batch) runOk(keys []string) int {
	done := make(chan struct{})
	for _, k := range keys {
		b.wg.Add(1)
		go b.one(k)
	}
	go func() {
		b.wg.Wait()
		close(done)
	}()
	told := make(chan struct{})
	go func() {
		<-done
		close(told)
	}()
	<-told
	return len(b.seen)
}

func (b *batch) one(k string) {
	defer b.wg.Done()
	b.mu.Lock()
	b.seen[k]++
	b.mu.Unlock()
}
