package model

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// Foreign reports whether code outside the module made a value, of data alone: a function that is not the module's gave
// it, and got nothing that has code of the module behind it, nor does a method of it get any here. A call of its methods
// then runs none, unless that code keeps what it got in another call. ours tells the packages of the module by their
// paths. Complexity: linear in the values that the value is made of.
func Foreign(v ssa.Value, ours func(path string) bool) bool {
	f := foreign{ours: ours, seen: make(map[ssa.Value]bool)}
	return f.made(v)
}

type foreign struct {
	ours func(path string) bool
	seen map[ssa.Value]bool
}

// made reports whether code outside made a value. A value that is asked for already is one of a circle: the others decide.
func (f *foreign) made(v ssa.Value) bool {
	if f.seen[v] {
		return true
	}
	f.seen[v] = true
	switch v := v.(type) {
	case *ssa.Extract:
		return f.made(v.Tuple) && !f.configured(v)
	case *ssa.Call:
		return f.call(&v.Call) && !f.configured(v)
	case *ssa.Phi:
		for _, e := range v.Edges {
			if !ssautil.IsNil(e) && !f.made(e) {
				return false
			}
		}
		return !f.configured(v)
	case *ssa.ChangeInterface:
		return f.made(v.X) && !f.configured(v)
	case *ssa.TypeAssert:
		return f.made(v.X) && !f.configured(v)
	}
	return false
}

// call reports whether a call runs code outside the module, which gets data.
func (f *foreign) call(c *ssa.CallCommon) bool {
	args := c.Args
	if c.IsInvoke() {
		return f.made(c.Value) && f.inert(args)
	}
	callee := c.StaticCallee()
	fn, _ := ssautil.Callee(c)
	if callee == nil || fn == nil || fn.Pkg() == nil || len(callee.TypeArgs()) > 0 {
		return false // generic code may come to methods of what it is instantiated with
	}
	return !f.ours(fn.Pkg().Path()) && f.inert(args)
}

// inert reports whether no value leads to code of the module.
func (f *foreign) inert(args []ssa.Value) bool {
	for _, a := range args {
		fn, isFunc := a.(*ssa.Function)
		outer := isFunc && fn.Pkg != nil && fn.Parent() == nil && !f.ours(fn.Pkg.Pkg.Path())
		if !outer && !ssautil.IsNil(a) && !Plain(a.Type()) && !f.made(a) {
			return false
		}
	}
	return true
}

// configured reports whether a method of the value itself gets something that is more than data: it may keep it.
func (f *foreign) configured(v ssa.Value) bool {
	return slices.ContainsFunc(*v.Referrers(), func(r ssa.Instruction) bool {
		call, ok := r.(ssa.CallInstruction)
		if !ok {
			return false
		}
		c := call.Common()
		args := c.Args
		switch {
		case c.IsInvoke() && c.Value != v:
			return false
		case !c.IsInvoke():
			if len(args) == 0 || args[0] != v || c.Signature().Recv() == nil {
				return false
			}
			args = args[1:]
		}
		return !f.inert(args)
	})
}
