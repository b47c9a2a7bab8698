package summary

import (
	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/depend"
)

// A Chain is a dependence between two functions that a function gets: whether,
// or with what, it runs the one hangs on what the other gave it. A caller, who
// knows both, knows which look and which act these are.
type Chain struct {
	// Look and Act are the parameters.
	Look, Act accesspath.Path
	// Drop is the dependence if the act is a deletion, and Puts if it is an
	// insertion: of none of its arguments, then of each of them. A result tells
	// presence as Assumed says.
	Drop depend.Dependence
	Puts []Put
}

// A Put is the dependence of an insertion, with what it stores.
type Put struct {
	depend.Dependence
	Stored access.Stored
}

// Assumed is how a result of a function that looks something up most likely
// tells that it is there.
func Assumed(isError bool) depend.Sense {
	if isError {
		return depend.TrueIfAbsent
	}
	return depend.TrueIfPresent
}

// Put returns the dependence of an act that stores the i-th argument, -1 for
// none of them.
func (c *Chain) Put(i int) Put {
	if i+1 < len(c.Puts) {
		return c.Puts[i+1]
	}
	return c.Puts[0]
}

// A ChainFact is a chain without pointers: the parameters by their numbers.
type ChainFact struct {
	Look, Act int
	Drop      depend.Dependence
	Puts      []Put
}

func (c *Codec) chains(f *Func) []ChainFact {
	var out []ChainFact
	for _, ch := range f.Chains {
		l, a := ch.Look.Root(), ch.Act.Root()
		if l.Fn == f.Key && a.Fn == f.Key {
			out = append(out, ChainFact{Look: l.Index, Act: a.Index, Drop: ch.Drop, Puts: ch.Puts})
		}
	}
	return out
}

func (d *decoder) chains(cs []ChainFact) []Chain {
	var out []Chain
	for _, c := range cs {
		if len(c.Puts) > 0 {
			out = append(out, Chain{Look: d.param(c.Look), Act: d.param(c.Act), Drop: c.Drop, Puts: c.Puts})
		}
	}
	return out
}

func (d *decoder) param(i int) accesspath.Path {
	return d.path(PathFact{Root: accesspath.Param, Index: i})
}
