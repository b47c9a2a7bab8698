package model

import "go/types"

// A Serial is what makes a server call a handler several times at once: a field of the
// options in a package.
type Serial struct{ Package, Field string }

// SerialOf returns what would make a server call a handler of a signature several times at
// once, false if it does so anyway. The request is its last parameter.
func SerialOf(sig *types.Signature) (Serial, bool) {
	n := sig.Params().Len()
	if n == 0 {
		return Serial{}, false
	}
	req, ok := types.Unalias(sig.Params().At(n - 1).Type()).(*types.Named)
	if !ok || req.Obj().Pkg() == nil {
		return Serial{}, false
	}
	s, ok := serials[req.Obj().Pkg().Path()+"."+req.Obj().Name()]
	return s, ok
}

// Options reports whether a type is that of the options, which may set the field.
func (s Serial) Options(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || n.Obj().Pkg().Path() != s.Package {
		return false
	}
	st, ok := n.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range st.Fields() {
		if f.Name() == s.Field {
			return true
		}
	}
	return false
}
