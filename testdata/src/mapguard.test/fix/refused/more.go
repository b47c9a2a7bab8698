package refused

import "sync"

// The other condition calls something, or means something else where the section begins.

type poller struct {
	sync.RWMutex
	polled map[string]bool
	every  int
	done   chan string
	ready  func(string) bool
}

func (p *poller) has(name string) bool {
	p.RLock()
	defer p.RUnlock()
	return p.polled[name]
}

func (p *poller) askedBad(name string) {
	p.RLock()
	_, ok := p.polled[name]
	p.RUnlock()
	if p.ready(name) && !ok {
		p.Lock()
		p.polled[name] = true // want `split-lock: .*`
		println(name)
		p.Unlock()
	}
	println("done")
}

func (p *poller) shadowedBad(name string, n int) bool {
	if p.every > 9 {
		p.Lock()
		delete(p.polled, name)
		p.Unlock()
		p.done <- name
	}

	p.RLock()
	_, ok := p.polled[name]
	p.RUnlock()
	if n > 0 && !ok {
		n := n + p.every
		p.Lock()
		p.polled[name] = n > 2 // want `split-lock: .*`
		p.Unlock()
	}
	println(name)
	return <-p.done == name
}
