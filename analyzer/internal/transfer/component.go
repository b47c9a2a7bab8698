package transfer

import (
	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// A Component is a set of functions that call each other. They are analysed several
// times; what their own code alone tells is kept in between. The nil Component is that
// of a function that is analysed once.
type Component struct {
	keys     map[any]bool
	pending  map[any]bool // those of which no return is known yet
	reach    map[*ssa.Function]*ssautil.Reach
	feasible map[*ssa.Function]*ssautil.Feasible
}

// NewComponent returns the component of these functions.
func NewComponent(fns []*ssa.Function) *Component {
	c := &Component{keys: make(map[any]bool), pending: make(map[any]bool), reach: make(map[*ssa.Function]*ssautil.Reach), feasible: make(map[*ssa.Function]*ssautil.Feasible)}
	for _, fn := range fns {
		c.keys[accesspath.FuncKey(fn)] = true
	}
	return c
}

func (c *Component) has(key any) bool { return c != nil && c.keys[key] }

// SetPending says whether no return of a function of the component is known yet: until one is, no call of it comes back.
func (c *Component) SetPending(fn *ssa.Function, pending bool) {
	c.pending[accesspath.FuncKey(fn)] = pending
}

// Pending reports whether no return of a function is known yet.
func (c *Component) Pending(fn *ssa.Function) bool { return c.isPending(accesspath.FuncKey(fn)) }

func (c *Component) isPending(key any) bool { return c != nil && c.pending[key] }

func (c *Component) reachOf(fn *ssa.Function) *ssautil.Reach {
	if c == nil {
		return ssautil.NewReach(fn)
	}
	if c.reach[fn] == nil {
		c.reach[fn] = ssautil.NewReach(fn)
	}
	return c.reach[fn]
}

func (c *Component) feasibleOf(fn *ssa.Function) *ssautil.Feasible {
	if c == nil {
		return ssautil.FindFeasible(fn)
	}
	f, found := c.feasible[fn]
	if !found {
		f = ssautil.FindFeasible(fn)
		c.feasible[fn] = f
	}
	return f
}
