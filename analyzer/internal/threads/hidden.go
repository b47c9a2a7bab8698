package threads

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// An object behind an unexported field belongs to the callers, too, if it came from
// them, or goes to them. Else a method that they call on an object of that type is
// called on another one, unless it is one of the holder's that calls it.

// hidden reports whether a path leads, through a pointer in an unexported field, to
// an object that callers do not get as the parameter h, through which they come to
// the place seen: nothing but what the package has made is put into the field, none of it
// leaves, nor does what is read from the field, and no function passes it on as h.
func (t *Theory) hidden(p accesspath.Path, h handed, seen accesspath.Path) bool {
	object := p.Base()
	if object.Depth() <= seen.Base().Depth() {
		return false // it is what callers call the method on
	}
	field := object.LastField()
	if field == nil || field.Exported() || field.Pkg() != t.pkg.Types {
		return false
	}
	field = field.Origin()
	in, ok := t.inside[field]
	if !ok {
		e := &spreading{t: t, seen: make(map[ssa.Value]bool)}
		in = t.madeHere(e, field) && t.keptFrom(e, field)
		t.inside[field] = in
	}
	return in && !t.passesOn(h, field, make(map[handed]bool))
}

// passesOn reports whether a function of the package may give what it finds in a
// field as a parameter.
func (t *Theory) passesOn(h handed, field *types.Var, seen map[handed]bool) bool {
	if seen[h] {
		return false
	}
	if len(seen) >= maxTraced {
		return true
	}
	seen[h] = true
	for _, s := range t.pkg.CallersOf(h.f) {
		if h.param >= len(s.Call.Args) || !s.Call.Args[h.param].Known() {
			return true
		}
		arg := s.Call.Args[h.param]
		for p := arg; p.Known() && p.Depth() > 0; p = p.Parent() {
			if f := p.LastField(); f != nil && f.Origin() == field {
				return true
			}
		}
		if up, ok := t.handedAt(s.Caller, arg); ok && t.passesOn(up, field, seen) {
			return true
		}
	}
	return false
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
		if v == nil || !t.pkg.Makes(v) || !e.staysBut(v, field) {
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
					if ssautil.FieldOf(instr) == field && !e.loads(instr) {
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
			if fa, ok := st.Addr.(*ssa.FieldAddr); ok && ssautil.FieldOf(fa).Origin() == field {
				continue
			}
		}
		if !e.use(v, r) {
			return false
		}
	}
	return true
}
