package records

import "go/types"

// inward reports whether a type of the module stands in a signature, and no type
// parameter does.
func (g *gatherer) inward(sig *types.Signature) bool {
	own, open := false, sig.TypeParams().Len() > 0 || sig.RecvTypeParams().Len() > 0
	for _, vars := range [...]*types.Tuple{sig.Params(), sig.Results()} {
		for v := range vars.Variables() {
			own = own || g.mentions(v.Type(), 0)
		}
	}
	return own && !open
}

// maxMentioned bounds how deep in a type it is looked for others.
const maxMentioned = 8

// mentions reports whether a type of the module stands in a type.
func (g *gatherer) mentions(t types.Type, depth int) bool {
	if depth > maxMentioned {
		return false
	}
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if obj := t.Obj(); obj.Pkg() != nil && g.inScope(obj.Pkg().Path()) {
			return true
		}
		for arg := range t.TypeArgs().Types() {
			if g.mentions(arg, depth+1) {
				return true
			}
		}
	case *types.Map:
		return g.mentions(t.Key(), depth+1) || g.mentions(t.Elem(), depth+1)
	case *types.Signature:
		return g.inward(t)
	case interface{ Elem() types.Type }:
		return g.mentions(t.Elem(), depth+1)
	}
	return false
}
