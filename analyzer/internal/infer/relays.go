package infer

import (
	"iter"
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
	"github.com/mapguard/mapguard/analyzer/internal/transfer"
)

// maxRelayed bounds what one wait is known to have waited for through others.
const maxRelayed = 16

// relay lets each wait in the package wait for what the signal had waited for that ends it, whichever
// function gives that: a stage of a pipeline ends only after the one before it has, so who waits for
// the last one has waited for all.
func (p *Package) relay() {
	p.vouch()
	r := p.relays()
	if len(r) == 0 {
		return
	}
	for _, f := range p.Funcs {
		f.Waits = r.expand(p.Paths, f.Waits)
		for i := range f.Accesses {
			f.Accesses[i].Waits = r.expand(p.Paths, f.Accesses[i].Waits)
		}
		for i := range f.Calls {
			f.Calls[i].Waits = r.expand(p.Paths, f.Calls[i].Waits)
		}
	}
}

// vouch takes the signal that one goroutine gives for another from this one where something else closes the channel
// as well, or sends to it, and may not have waited.
func (p *Package) vouch() {
	given := make(map[any]map[any]bool) // who signals on a place
	note := func(on accesspath.Path, by any) {
		key := relayKey(on)
		if given[key] == nil {
			given[key] = make(map[any]bool)
		}
		given[key][by] = true
	}
	for _, f := range p.Funcs {
		for _, on := range f.Signals {
			if !p.signalsForCallers(f) {
				note(on, f.Key)
			}
		}
		for c, on := range startSignals(f) {
			if !slices.Contains(c.Vouched, on) {
				note(on, c.Callee)
			}
		}
	}
	for _, f := range p.Funcs {
		for i := range f.Calls {
			c := &f.Calls[i]
			if c.Start == nil || len(c.Vouched) == 0 {
				continue
			}
			c.Signals.On = slices.DeleteFunc(slices.Clone(c.Signals.On), func(on accesspath.Path) bool {
				return slices.Contains(c.Vouched, on) && transfer.IsChan(on) && len(given[relayKey(on)]) > 1
			})
		}
	}
}

// startSignals goes through the goroutines that a function starts, with what each signals on.
func startSignals(f *Func) iter.Seq2[*summary.Call, accesspath.Path] {
	return func(yield func(*summary.Call, accesspath.Path) bool) {
		for i := range f.Calls {
			c := &f.Calls[i]
			if c.Start == nil || c.Kind != summary.Goroutine {
				continue
			}
			for _, on := range c.Signals.On {
				if !yield(c, on) {
					return
				}
			}
		}
	}
}

// relays are what is waited for before all signals on a place, or on what a function has made, in
// the terms of one of those who signal.
type relays map[any]*summary.Relay

// relayKey names a field or variable, of whatever object, or else what a path denotes.
func relayKey(on accesspath.Path) any {
	if loc := on.Location(); loc.Valid() {
		return loc
	}
	return on
}

// relays finds them: each goroutine of the package that signals on a place, and each function that
// does so otherwise, has waited for the same things before.
func (p *Package) relays() relays {
	found := make(relays)
	for _, f := range p.Funcs {
		if !p.signalsForCallers(f) {
			for _, on := range f.Signals {
				found.meet(p.Paths, summary.Relayed(f.Relays, on))
			}
		}
		for c, on := range startSignals(f) {
			found.meet(p.Paths, summary.Relayed(c.Relays, on))
		}
	}
	for key, r := range found {
		if len(r.After) == 0 {
			delete(found, key)
		}
	}
	return found
}

// signalsForCallers reports whether all that a function signals is known of those who call it, or
// start goroutines with it.
func (p *Package) signalsForCallers(f *Func) bool {
	if f.Obj != nil && f.Obj.Exported() {
		return false
	}
	calls := p.CallersOf(f)
	return len(calls) > 0 && !slices.ContainsFunc(calls, func(s CallSite) bool {
		if s.Call.Kind == summary.Goroutine {
			return s.Call.Start == nil
		}
		return !s.Call.Kind.SameThread() || !slices.ContainsFunc(f.Signals, func(on accesspath.Path) bool { return signalsLike(s.Caller, on) })
	})
}

func signalsLike(f *Func, on accesspath.Path) bool {
	return slices.ContainsFunc(f.Signals, func(p accesspath.Path) bool { return relayKey(p) == relayKey(on) })
}

// meet keeps of what is known of a signal what another function waits for, too.
func (r relays) meet(paths *accesspath.Builder, other summary.Relay) {
	if other.Adds {
		return
	}
	key := relayKey(other.On)
	had := r[key]
	if had == nil {
		r[key] = &summary.Relay{On: other.On, After: slices.Clone(other.After)}
		return
	}
	var common []accesspath.Path
	for _, p := range other.After {
		if q := beside(paths, p, other.On, had.On); q.Known() && slices.Contains(had.After, q) {
			common = append(common, q)
		}
	}
	had.After = common
}

// beside returns what is to the object of another signal as p is to that of a signal: the field of the
// same object, or what needs none.
func beside(paths *accesspath.Builder, p, signal, other accesspath.Path) accesspath.Path {
	switch base := signal.Base(); {
	case p.Root().Kind == accesspath.Global && p.Depth() == 0 || signal == other:
		return p
	case base.Known() && p.HasPrefix(base):
		return paths.Rebase(p, base, other.Base())
	}
	return accesspath.Path{}
}

// expand adds to waits what those had waited for who have ended them.
func (r relays) expand(paths *accesspath.Builder, on []accesspath.Path) []accesspath.Path {
	for i := 0; i < len(on); i++ {
		relay := r[relayKey(on[i])]
		if relay == nil {
			continue
		}
		for _, p := range relay.After {
			if q := beside(paths, p, relay.On, on[i]); q.Known() && !slices.Contains(on, q) && len(on) < maxRelayed {
				on = append(slices.Clip(on), q)
			}
		}
	}
	return on
}
