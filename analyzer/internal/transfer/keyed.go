package transfer

import (
	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// fromKeyed applies a call of an interface, or of a library's type, that has a lock for each key; it reports whether the call
// is one. What a body tells counts more than the shape of a method, so a type of the module is none by that.
func (a *analysis) fromKeyed(e *effect) bool {
	fn, args := ssautil.Callee(e.call)
	if fn == nil || len(e.targets) > 0 || e.recv == nil || !e.call.IsInvoke() && !a.Library(fn.Pkg()) {
		return false
	}
	kind := model.KeyedLock(fn)
	if kind == model.None {
		return false
	}
	lock := a.Paths.Elem(a.Paths.Of(e.recv), a.Paths.Key(args[len(args)-1]))
	if kind == model.Unlock {
		e.do(locks.Reached().Release(lock))
	} else {
		e.do(locks.Reached().Acquire(lock, locks.Write, a.section(e.id, 0).Of()))
	}
	return true
}

// keyAt names a callee's key in its caller's terms: by the computation that the argument is, or by what an object
// that is made there has been given as its key.
func (a *analysis) keyAt(key accesspath.Path, t *target, at ssa.Instruction) accesspath.Path {
	if r := key.Root(); r.Kind == accesspath.Param && key.Depth() == 0 && r.Fn == t.key && r.Index < len(t.args) {
		if _, bound := t.boundTo(r); !bound {
			return a.Paths.Key(t.args[r.Index])
		}
	}
	return a.Paths.Made(a.substitute(key, *t, at))
}
