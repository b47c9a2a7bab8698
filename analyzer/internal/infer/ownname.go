package infer

import (
	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// ownName reports whether a path is that of what a goroutine has to itself: a parameter, or what its literal captures.
func (it *items) ownName(f *Func, path accesspath.Path) bool {
	r := path.Root()
	if !path.Known() || path.Depth() > 0 {
		return false
	}
	if r.Kind == accesspath.Param {
		return it.p.byKey[r.Fn] == f && it.given(r)
	}
	own, _ := it.captured(f, r)
	return own
}

// passes reports whether a call passes on what names the item, and whether that is a number which is given out once in an
// object. What a literal captures is known by its value, too: the path of a number may be that of the counter.
func (it *items) passes(s site, i int, arg accesspath.Path) (names, numbers bool) {
	names, numbers = it.names(s.caller, arg), it.numbers(s.caller, arg)
	at := it.of[s.caller]
	call, ok := s.call.Point.Instr(s.caller.SSA).(ssa.CallInstruction)
	if names || at.start == nil || !ok || i >= len(call.Common().Args) {
		return names, numbers
	}
	fn := call.Common().StaticCallee()
	if fn == nil || it.p.byKey[accesspath.FuncKey(fn)] != it.p.byKey[s.call.Callee] {
		return false, false
	}
	return it.ownAt(at, ssautil.Settled(call.Common().Args[i]))
}

// captured reports whether what the literal of a goroutine captures is its own, and whether that is such a number.
func (it *items) captured(f *Func, r accesspath.Root) (own, number bool) {
	at := it.of[f]
	v := r.Val
	if r.Kind != accesspath.Value || v == nil || at.start == nil {
		return false, false
	}
	return it.ownAt(at, v)
}

// ownAt is captured for a value.
func (it *items) ownAt(at item, v ssa.Value) (own, number bool) {
	own, object := it.p.ownValue(captive(v), at.start)
	if object.Known() && object != at.object {
		return false, false
	}
	return own, object.Known()
}

// numbers reports whether a path is that of a number which is given out once in an object.
func (it *items) numbers(f *Func, path accesspath.Path) bool {
	r := path.Root()
	if !it.own || !path.Known() || path.Depth() > 0 {
		return false
	}
	if r.Kind == accesspath.Param {
		return it.p.byKey[r.Fn] == f && r.Index < 64 && it.of[f].numbers&(1<<r.Index) != 0
	}
	_, number := it.captured(f, r)
	return number
}

// holds reports whether a path is that of the object which has the counter of such numbers.
func (it *items) holds(f *Func, path accesspath.Path) bool {
	at, r := it.of[f], path.Root()
	if !it.own || !path.Known() || path.Depth() > 0 {
		return false
	}
	if at.start != nil && path == at.object {
		return true
	}
	return r.Kind == accesspath.Param && it.p.byKey[r.Fn] == f && r.Index < 64 && at.holders&(1<<r.Index) != 0
}
