package transfer

import (
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// fromKeyed applies a call of an interface that has a lock for each key; it reports whether the call is one. What a body
// tells counts more than the shape of a method.
func (a *analysis) fromKeyed(e *effect) bool {
	if !e.call.IsInvoke() || len(e.targets) > 0 {
		return false
	}
	kind := model.KeyedLock(e.call.Method)
	if kind == model.None {
		return false
	}
	_, args := ssautil.Callee(e.call)
	lock := a.Paths.Elem(a.Paths.Of(e.recv), a.Paths.Key(args[len(args)-1]))
	if kind == model.Unlock {
		e.do(locks.Reached().Release(lock))
	} else {
		e.do(locks.Reached().Acquire(lock, locks.Write, a.section(e.id, 0).Of()))
	}
	return true
}
