package transfer

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// drainedAt returns the server of which a call waits for the handlers, however long that takes.
func (a *analysis) drainedAt(e *effect) []accesspath.Path {
	if e.model.Kind != model.Drain || e.recv == nil {
		return nil
	}
	_, args := ssautil.Callee(e.call)
	ctx, ok := ssautil.Unwrap(args[e.model.Arg]).(*ssa.Call)
	if !ok {
		return nil
	}
	if made, _ := ssautil.Callee(&ctx.Call); !model.NeverDone(made) {
		return nil // it may end first
	}
	return []accesspath.Path{a.Paths.Of(e.recv)}
}

// serversOf returns the servers which alone hand requests to a handler that a call registers.
func (a *analysis) serversOf(e *effect) (out []accesspath.Path) {
	if e.model.Kind != model.Register || e.recv == nil || a.Drained == nil || givenByCall(e.call) {
		return nil
	}
	for _, server := range a.Drained(e.recv) {
		out = append(out, a.Paths.Of(server))
	}
	return out
}

// givenByCall reports whether a handler is what a function gives: it may begin goroutines, which outlive the requests.
func givenByCall(register *ssa.CallCommon) bool {
	_, args := ssautil.Callee(register)
	return slices.ContainsFunc(args[1:], func(v ssa.Value) bool { return ssautil.CallOf(ssautil.Unwrap(v)) != nil })
}
