package infer

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// An interface is lodged in a local struct where nothing but a field of that gets it, and nothing but functions of other
// packages get the struct, by its address: it is lent to each of these calls, which give back nothing that could have it,
// and of which [model.Borrows] tells that they keep it for no goroutine. That they leave it nowhere else is an assumption.

// lodgedIn returns the calls to which an interface is lent by way of such a struct; none if it goes elsewhere, too.
func (p *Package) lodgedIn(made *ssa.MakeInterface) (calls []*ssa.Call) {
	field := lodging(made)
	if field == nil {
		return nil
	}
	cells := []ssa.Value{field.X}
	for i := 0; i < len(cells); i++ {
		for _, r := range *cells[i].Referrers() {
			switch r := r.(type) {
			case *ssa.DebugRef:
			case *ssa.Store:
				if r.Val == cells[i] {
					return nil // the address itself
				}
			case *ssa.UnOp:
				to := copiedTo(r)
				if to == nil || i > 0 {
					return nil
				}
				cells = append(cells, to) // the variable that a literal is for
			case *ssa.FieldAddr:
				if !ssautil.PlainField(r) || r != field && r.Field == field.Field {
					return nil
				}
			case *ssa.Call:
				if !p.borrows(r, made) {
					return nil
				}
				calls = append(calls, r)
			default:
				return nil
			}
		}
	}
	return calls
}

// copiedTo returns the local variable to which alone a struct that is loaded goes, nil if there is none.
func copiedTo(load *ssa.UnOp) *ssa.Alloc {
	if len(*load.Referrers()) != 1 {
		return nil
	}
	st, ok := (*load.Referrers())[0].(*ssa.Store)
	if !ok {
		return nil
	}
	to, _ := st.Addr.(*ssa.Alloc)
	return to
}

// lodging returns the field of a local struct to which alone an interface goes; nil if there is none.
func lodging(made *ssa.MakeInterface) (only *ssa.FieldAddr) {
	for _, r := range *made.Referrers() {
		if _, debug := r.(*ssa.DebugRef); debug {
			continue
		}
		st, ok := r.(*ssa.Store)
		if !ok || only != nil {
			return nil
		}
		field, ok := st.Addr.(*ssa.FieldAddr)
		if !ok || len(*field.Referrers()) != 1 {
			return nil
		}
		if _, local := field.X.(*ssa.Alloc); !local {
			return nil
		}
		only = field
	}
	return only
}

// borrows reports whether a call is one of a method of another module that uses an interface of its receiver only until it
// returns, and gives back nothing that leads to others.
func (p *Package) borrows(call *ssa.Call, made *ssa.MakeInterface) bool {
	fn, _ := ssautil.Callee(&call.Call)
	if !p.Library(&call.Call) || call.Call.IsInvoke() || !model.Borrows(fn, made.Type()) {
		return false
	}
	for v := range call.Call.Signature().Results().Variables() {
		if !model.Plain(v.Type()) && !ssautil.IsError(v.Type()) {
			return false
		}
	}
	return true
}

// heldAtBorrower returns what f holds at a call of a function of another package that may stay there; false if that is not known.
func heldAtBorrower(f *Func, call *ssa.Call) (locks.State, bool) {
	fn, _ := ssautil.Callee(&call.Call)
	i := slices.IndexFunc(f.Stays, func(s summary.Stay) bool {
		return s.Kind == summary.Calls && s.Func == fn && s.Pos == call.Pos()
	})
	if fn == nil || i < 0 {
		return locks.State{}, false
	}
	return f.Stays[i].Held, true
}
