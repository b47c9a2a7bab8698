package model

import "go/types"

// A Serial is what makes a server call a handler several times at once: a field of the
// options in a package, and the method that sets it, if there is one. Nothing does if it is
// empty.
type Serial struct{ Package, Field, Setter string }

// SerialOf returns what would make a server call a handler of a signature several times at
// once, false if it does so anyway.
func SerialOf(sig *types.Signature) (Serial, bool) {
	if h := HandlerOf(sig, nil); h != nil {
		return h.Serial, h.Calls != Several
	}
	return Keyed(sig)
}

// Keyed is SerialOf for the handlers of controllers, whose last parameter is the request: it
// names an object, of which no two are handled at one time whatever the options say.
func Keyed(sig *types.Signature) (Serial, bool) {
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
	n, ok := types.Unalias(pointee(t)).(*types.Named)
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
