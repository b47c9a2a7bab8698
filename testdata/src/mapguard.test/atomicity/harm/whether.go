package harm

import "sync"

// A look that asks whether there is anything in the map has nothing to do with an entry that
// is put in either way.
type places struct {
	mu    sync.Mutex
	known map[string]*place
}

type place struct {
	sync.Mutex
	visits int
}

func (p *places) keep(name string, at *place) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.known[name] = at
}

// Where nothing is known, it saves the look-ups.
func (p *places) anyBad(name string) *place {
	useful := false
	p.mu.Lock()
	if len(p.known) > 0 {
		useful = name != ""
	}
	p.mu.Unlock()
	if useful && name == "home" {
		return nil
	}
	at := new(place)
	p.keep(name, at) // want `split-lock: .*, low`
	return at
}

// Nothing is put in unless there is nothing.
func (p *places) onlyBad(name string) *place {
	p.mu.Lock()
	n := len(p.known)
	p.mu.Unlock()
	if n > 0 {
		return nil
	}
	at := new(place)
	p.keep(name, at) // want `split-lock: .*high`
	return at
}

// Two find nothing, and both put theirs in: who finds something is turned away, but for friends.
func (p *places) loneBad(name string, friend bool) *place {
	p.mu.Lock()
	n := len(p.known)
	p.mu.Unlock()
	if n > 0 && !friend {
		return nil
	}
	at := new(place)
	p.keep(name, at) // want `split-lock: .*high`
	return at
}
