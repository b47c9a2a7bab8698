package refused

import "sync"

// The other condition calls something.

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
