package infer

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// onlyRuns reports whether what is received is called where it is received, or the
// functions that it brings are, and nothing else; and whether that goes on in a loop.
func (p *Package) onlyRuns(recvs []ssa.Instruction, o *outlet) bool {
	for _, r := range recvs {
		if !ssautil.NewReach(r.Parent()).InLoop(r) {
			return false
		}
	}
	return !slices.ContainsFunc(gets(recvs, o), func(v ssa.Value) bool {
		if brings := ssautil.FuncFields(v.Type()); len(brings) > 0 {
			return !p.onlyRunsTask(v, brings, 0)
		}
		return !onlyCalled(v)
	})
}

// onlyCalled reports whether nothing is done with a function but to call it.
func onlyCalled(v ssa.Value) bool {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.Call:
			if r.Call.Value != v || slices.Contains(r.Call.Args, v) {
				return false
			}
		case *ssa.BinOp, *ssa.DebugRef:
		default:
			return false
		}
	}
	return true
}

// onlyRunsTask reports whether the functions that a task, or a variable that has one, brings are only
// called, by what the task is passed to as well, and the task goes nowhere else.
func (p *Package) onlyRunsTask(v ssa.Value, brings []int, depth int) bool {
	if depth > maxStarters {
		return false
	}
	for _, r := range *v.Referrers() {
		ok := true
		switch r := r.(type) {
		case *ssa.Field:
			ok = !slices.Contains(brings, r.Field) || onlyCalled(r)
		case *ssa.FieldAddr:
			ok = !slices.Contains(brings, r.Field) || onlyCalledFrom(r)
		case *ssa.Store:
			_, variable := r.Addr.(*ssa.Alloc)
			ok = r.Addr == v || variable && p.onlyRunsTask(r.Addr, brings, depth+1)
		case *ssa.UnOp:
			ok = p.onlyRunsTask(r, brings, depth+1)
		case *ssa.Call:
			ok = p.onlyRunsPassed(r, v, brings, depth)
		case *ssa.BinOp, *ssa.DebugRef:
		default:
			ok = false
		}
		if !ok {
			return false
		}
	}
	return true
}

// onlyRunsPassed is onlyRunsTask for a task that a call passes on.
func (p *Package) onlyRunsPassed(call *ssa.Call, v ssa.Value, brings []int, depth int) bool {
	fn := call.Call.StaticCallee()
	if fn == nil || p.byKey[accesspath.FuncKey(fn)] == nil {
		return false
	}
	for i, arg := range call.Call.Args {
		if arg == v && (i >= len(fn.Params) || !p.onlyRunsTask(fn.Params[i], brings, depth+1)) {
			return false
		}
	}
	return true
}

// onlyCalledFrom reports whether a field with a function is read alone, to call that.
func onlyCalledFrom(addr *ssa.FieldAddr) bool {
	return !slices.ContainsFunc(*addr.Referrers(), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.UnOp:
			return !onlyCalled(r)
		case *ssa.DebugRef:
			return false
		}
		return true
	})
}

// toldBy returns the field by which the tasks that come over a channel bring another one, on which who
// receives a task tells that its one function has run, and nothing before; -1 if there is none.
func toldBy(recvs []ssa.Instruction, o *outlet) int {
	told := -1
	for _, v := range gets(recvs, o) {
		brings, reply := ssautil.FuncFields(v.Type()), ssautil.ReplyField(v.Type())
		if len(brings) != 1 || reply < 0 {
			return -1
		}
		var runs []ssa.Instruction
		for _, fn := range fieldsIn(v, brings[0]) {
			for _, r := range *fn.Referrers() {
				if call, ok := r.(*ssa.Call); ok && call.Call.Value == fn {
					runs = append(runs, r)
				}
			}
		}
		tells := fieldsIn(v, reply)
		if len(tells) == 0 || slices.ContainsFunc(tells, func(ch ssa.Value) bool { return !tellsAfter(ch, runs) }) {
			return -1
		}
		told = reply
	}
	return told
}

// fieldsIn returns what is read from a field of a struct, or of what points to one, and of the variable
// that has it.
func fieldsIn(v ssa.Value, field int) (out []ssa.Value) {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.Field:
			if r.Field == field {
				out = append(out, r)
			}
		case *ssa.FieldAddr:
			if r.Field != field {
				continue
			}
			for _, u := range *r.Referrers() {
				if ld, ok := u.(*ssa.UnOp); ok {
					out = append(out, ld)
				}
			}
		case *ssa.Store:
			if cell, ok := r.Addr.(*ssa.Alloc); ok && r.Val == v && ssautil.SoleStore(cell) == v {
				out = append(out, fieldsIn(cell, field)...)
			}
		}
	}
	return out
}

// tellsAfter reports whether a channel is closed, or sent to, where one of some calls has returned, and
// not used otherwise.
func tellsAfter(ch ssa.Value, runs []ssa.Instruction) bool {
	for _, r := range *ch.Referrers() {
		switch r := r.(type) {
		case *ssa.Call:
			if ssautil.Closed(r) == nil {
				return false
			}
		case *ssa.Send:
			if r.Chan != ch {
				return false
			}
		case *ssa.DebugRef:
			continue
		default:
			return false
		}
		if !slices.ContainsFunc(runs, func(run ssa.Instruction) bool { return ssautil.Dominates(run, r) }) {
			return false
		}
	}
	return true
}
