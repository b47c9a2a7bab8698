package threads

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
)

// An object behind an unexported field belongs to the callers, too, if it came from
// them, or goes to them. Else a method that they call on an object of that type is
// called on another one.

// hidden reports whether a path leads, through a pointer in an unexported field, to
// an object that no code outside the package can have: nothing but what the package
// has made is put into the field, and none of it leaves, nor does what is read from
// the field.
func (t *Theory) hidden(p, seen accesspath.Path) bool {
	object := p.Base()
	if object.Depth() <= seen.Base().Depth() {
		return false // it is what callers call the method on
	}
	field := object.LastField()
	if field == nil || field.Exported() || field.Pkg() != t.pkg.Types {
		return false
	}
	field = field.Origin()
	h, ok := t.inside[field]
	if !ok {
		e := &spreading{t: t, seen: make(map[ssa.Value]bool)}
		h = t.madeHere(e, field) && t.keptFrom(e, field)
		t.inside[field] = h
	}
	return h
}

// madeHere reports whether the package puts nothing into a pointer field but new
// objects, which it gives to nothing else.
func (t *Theory) madeHere(e *spreading, field *types.Var) bool {
	if _, ptr := field.Type().Underlying().(*types.Pointer); !ptr {
		return false
	}
	if t.put == nil {
		t.put = t.puts()
	}
	for _, v := range t.put[field] {
		if c, ok := v.(*ssa.Const); ok && c.IsNil() {
			continue
		}
		if v == nil || !t.makesObject(v) || !e.staysBut(v, field) {
			return false
		}
	}
	return true
}

// keptFrom reports whether what is read from a field stays with the functions that
// read it, and no struct with the field is copied.
func (t *Theory) keptFrom(e *spreading, field *types.Var) bool {
	for _, f := range t.pkg.Funcs {
		for _, b := range f.SSA.Blocks {
			for _, instr := range b.Instrs {
				switch instr := instr.(type) {
				case *ssa.FieldAddr:
					if fieldOf(instr).Origin() == field && !e.loads(instr) {
						return false
					}
				case *ssa.UnOp:
					if holds(instr.Type(), field) {
						return false
					}
				}
			}
		}
	}
	return true
}

// holds reports whether a value is a struct with the field.
func holds(typ types.Type, field *types.Var) bool {
	st, ok := typ.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range st.Fields() {
		if f.Origin() == field {
			return true
		}
	}
	return false
}

// loads reports whether what is read at an address stays.
func (e *spreading) loads(addr *ssa.FieldAddr) bool {
	for _, r := range *addr.Referrers() {
		if ld, ok := r.(*ssa.UnOp); ok && !e.stays(ld) {
			return false
		}
	}
	return true
}

// staysBut is stays for an object that is also stored in a field.
func (e *spreading) staysBut(v ssa.Value, field *types.Var) bool {
	for _, r := range *v.Referrers() {
		if st, ok := r.(*ssa.Store); ok && st.Val == v {
			if fa, ok := st.Addr.(*ssa.FieldAddr); ok && fieldOf(fa).Origin() == field {
				continue
			}
		}
		if !e.use(v, r) {
			return false
		}
	}
	return true
}
