package transfer

import (
	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// fromSemaphore applies what a call does to a weighted semaphore that is a lock.
func (a *analysis) fromSemaphore(e *effect) {
	_, args := ssautil.Callee(e.call)
	size := a.Weight(e.recv)
	if size == 0 || e.model.Arg >= len(args) {
		return
	}
	n, ok := ssautil.IntOf(args[e.model.Arg])
	if !ok || n == 0 {
		return
	}
	lock := a.Paths.Of(e.recv)
	mode := locks.Read
	if int64(n) == size {
		mode = locks.Write
	}
	held := locks.Reached().Acquire(lock, mode, a.section(e.id, 0).Of())
	switch e.model.Kind {
	case model.Release:
		e.do(locks.Reached().Release(lock))
	case model.TryAcquire:
		e.do(a.ifTrue(e.instr, held, locks.Reached()))
	case model.Acquire:
		switch v, ok := e.instr.(*ssa.Call); {
		case !ok:
		case neverDone(args[1]):
			e.do(held)
		default:
			e.do(a.ifResult(v, locks.Nil, held, locks.Reached()))
		}
	}
}

// neverDone reports whether nothing cancels a context.
func neverDone(ctx ssa.Value) bool {
	c, ok := ctx.(*ssa.Call)
	if !ok {
		return false
	}
	fn, _ := ssautil.Callee(&c.Call)
	return model.NeverDone(fn)
}
