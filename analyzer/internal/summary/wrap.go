package summary

import (
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
)

// A Wrap says that an interface which a function gets comes to nothing but calls of its methods, whatever is made around it.
type Wrap struct {
	// Param is its index, the receiver being the first.
	Param int
	Calls []WrappedCall
}

// A WrappedCall is a call of a method, with what is held there for sure, in the terms of who has the interface.
type WrappedCall struct {
	Method string
	Held   []locks.Held
}

// A WrapFact is a [Wrap] for other packages.
type WrapFact struct {
	Param int
	Calls []WrappedCallFact
}

// A WrappedCallFact is a [WrappedCall] for other packages.
type WrappedCallFact struct {
	Method string
	Held   []LockFact
}

// wraps leaves out the locks that other packages cannot name, and what has no others.
func (c *Codec) wraps(f *Func) (out []WrapFact) {
	for _, w := range f.Wraps {
		is, some := WrapFact{Param: w.Param}, false
		for _, call := range w.Calls {
			at := WrappedCallFact{Method: call.Method}
			for _, h := range call.Held {
				if p := c.path(h.Lock); p.Root != 0 && p.Exact() {
					at.Held, some = append(at.Held, LockFact{Lock: p, Mode: h.Mode}), true
				}
			}
			is.Calls = append(is.Calls, at)
		}
		if some {
			out = append(out, is)
		}
	}
	return out
}

func (d *decoder) wraps(facts []WrapFact) (out []Wrap) {
	for _, f := range facts {
		is := Wrap{Param: f.Param}
		for _, call := range f.Calls {
			at := WrappedCall{Method: call.Method}
			for _, l := range call.Held {
				if p := d.path(l.Lock); p.Known() && p.Root().Kind != accesspath.Const {
					at.Held = append(at.Held, locks.Held{Lock: p, Mode: l.Mode, Sec: locks.Entry.Of()})
				}
			}
			is.Calls = append(is.Calls, at)
		}
		out = append(out, is)
	}
	return out
}
