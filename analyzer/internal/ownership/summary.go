package ownership

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
)

// A Func is what a call of a function does to the ownership of what it gets,
// in terms of its inputs: the parameters, then what it captures.
type Func struct {
	// Key is the function, as accesspath.FuncKey gives it.
	Key any
	// Inputs gives each parameter's fate, then that of each captured object.
	Inputs []Fate
	// Captured names the captured objects, in their maker's terms.
	Captured []accesspath.Path
	// Results gives each result's.
	Results []Fate
	// Renews are the maps' places, rooted at parameters, that hold another map
	// at each return than they did at entry.
	Renews []accesspath.Path
	// Fills gives, for each field that the function sets, who owned what it is
	// set to; facts leave it out.
	Fills map[*types.Var]Value
	// Moved are the results that are objects which the function takes out of their places: another one at each
	// call. Facts leave them out.
	Moved Set
}

// A Fate is an object's ownership when the function returns.
type Fate struct {
	// Own is its value. An input that others get to know is Shared; one that is
	// stored in other inputs is owned if they are.
	Own Value
	// At are fields where goroutines can reach an object that is owned otherwise.
	At Fields
	// Foreign are fields through which an object leads to what is not owned.
	Foreign Fields
}

func (f Fate) String() string {
	s := f.Own.String()
	if !f.At.None() {
		s += ", shared at " + f.At.String()
	}
	if !f.Foreign.None() {
		s += ", leads to others by " + f.Foreign.String()
	}
	return s
}

func (f Fate) equal(g Fate) bool {
	return f.Own == g.Own && f.At.Equal(g.At) && f.Foreign.Equal(g.Foreign)
}

// join is the least upper bound.
func (f Fate) join(g Fate) Fate {
	return Fate{Join(f.Own, g.Own), f.At.Union(g.At), f.Foreign.Union(g.Foreign)}
}

// Params is the number of inputs that are parameters; the others are captured.
func (f *Func) Params() int { return len(f.Inputs) - len(f.Captured) }

// Bottom returns the least that a function with the inputs and results of f can
// do: it leaves all that it gets as it was, and never returns.
func (f *Func) Bottom() *Func {
	out := &Func{Key: f.Key, Captured: f.Captured, Inputs: make([]Fate, len(f.Inputs)), Results: make([]Fate, len(f.Results))}
	for i := range out.Inputs {
		out.Inputs[i].Own = OwnedIfInput(i)
	}
	return out
}

// Filled gives the results that no path gives a value: one that is always nil has
// no owner.
func (f *Func) Filled() *Func {
	for i := range f.Results {
		if f.Results[i].Own == Unreached {
			f.Results[i].Own = Shared
		}
	}
	return f
}

// Equal reports whether f and g say the same of a call.
func (f *Func) Equal(g *Func) bool {
	return slices.EqualFunc(f.Inputs, g.Inputs, Fate.equal) && slices.EqualFunc(f.Results, g.Results, Fate.equal) &&
		slices.Equal(f.Captured, g.Captured) && slices.Equal(f.Renews, g.Renews) && f.Moved == g.Moved
}

// Result returns the i-th result's fate; nothing is known beyond the last.
func (f *Func) Result(i int) Fate {
	if f == nil || i < 0 || i >= len(f.Results) {
		return Fate{Own: Shared}
	}
	return f.Results[i]
}

// keeps reports whether a call leaves its i-th input as it was.
func (f Fate) keeps(i int) bool { return f.Own == OwnedIfInput(i) && f.At.None() && f.Foreign.None() }

// Quiet reports whether a call changes the ownership of nothing that it gets.
func (f *Func) Quiet() bool {
	for i, in := range f.Inputs {
		if !in.keeps(i) {
			return false
		}
	}
	return len(f.Renews) == 0
}

// gives reports whether some result is owned, if only under a condition.
func (f *Func) gives() bool {
	for _, r := range f.Results {
		if r.Own != Shared {
			return true
		}
	}
	return false
}

func (f *Func) String() string {
	var parts []string
	for i, in := range f.Inputs {
		if !in.keeps(i) {
			parts = append(parts, fmt.Sprintf("input %d: %s", i, in))
		}
	}
	for i, r := range f.Results {
		parts = append(parts, fmt.Sprintf("result %d: %s", i, r))
	}
	for _, p := range f.Renews {
		parts = append(parts, "renews "+p.String())
	}
	return strings.Join(parts, "; ")
}

// Start returns the value, at the function's start, of what lies at p.
func (f *Func) Start(p accesspath.Path) Value {
	if f == nil {
		return Shared
	}
	r := p.Root()
	if r.Kind == accesspath.Param && r.Index < f.Params() && r.Fn == f.Key {
		return OwnedIfInput(r.Index)
	}
	for i, c := range f.Captured {
		if c.Root() == r {
			return OwnedIfInput(f.Params() + i)
		}
	}
	return Shared
}
