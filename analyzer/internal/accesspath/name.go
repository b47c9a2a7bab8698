package accesspath

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// String renders p as the source would, for messages and tests.
func (p Path) String() string {
	var b strings.Builder
	p.write(&b)
	return b.String()
}

func (p Path) write(b *strings.Builder) {
	if p.n == nil {
		b.WriteString("?")
		return
	}
	if p.n.parent == nil {
		b.WriteString(rootName(*p.n.root))
		return
	}
	Path{p.n.parent}.write(b)
	if p.n.field != nil {
		// An embedded field is left out where its own field follows; the
		// source does not write it either.
		b.WriteString(".")
		b.WriteString(p.n.field.Name())
		return
	}
	b.WriteString("[")
	if p.n.key.n != nil && p.n.key.n.root.Kind == Const {
		b.WriteString(p.n.key.n.root.Const)
	} else {
		b.WriteString("…")
	}
	b.WriteString("]")
}

func rootName(r Root) string {
	switch r.Kind {
	case Global, Place:
		return r.Obj.Name()
	case Param:
		if name := paramName(r); name != "" {
			return name
		}
		return "arg"
	case Result:
		return "result"
	case Const:
		return r.Const
	case Value:
		return valueName(r.Val)
	}
	return "?"
}

func paramName(r Root) string {
	switch fn := r.Fn.(type) {
	case *types.Func:
		sig := fn.Signature()
		i := r.Index
		if recv := sig.Recv(); recv != nil {
			if i == 0 {
				return recv.Name()
			}
			i--
		}
		if i >= 0 && i < sig.Params().Len() {
			return sig.Params().At(i).Name()
		}
	case *ssa.Function:
		if r.Index >= 0 && r.Index < len(fn.Params) {
			return fn.Params[r.Index].Name()
		}
	}
	return ""
}

func valueName(v ssa.Value) string {
	switch v := v.(type) {
	case *ssa.Alloc:
		if v.Comment != "" && !strings.ContainsAny(v.Comment, " .") && v.Comment != "complit" && v.Comment != "new" {
			return v.Comment
		}
	case *ssa.MakeMap:
		if name := variableOf(v); name != "" {
			return name
		}
		return "map"
	case *ssa.MakeSlice:
		if name := variableOf(v); name != "" {
			return name
		}
	case *ssa.Extract:
		if name := variableOf(v); name != "" {
			return name
		}
	case *ssa.Call:
		if name := variableOf(v); name != "" {
			return name
		}
		if fn := v.Call.StaticCallee(); fn != nil {
			return fn.Name() + "()"
		}
		if v.Call.IsInvoke() {
			return v.Call.Method.Name() + "()"
		}
	case *ssa.Phi:
		if v.Comment != "" {
			return v.Comment
		}
	}
	if t, ok := types.Unalias(ssautil.Pointee(v.Type())).(*types.Named); ok {
		return t.Obj().Name()
	}
	return "value"
}

// variableOf returns the name of the variable that a value is put in.
func variableOf(v ssa.Value) string {
	for _, r := range *v.Referrers() {
		if st, ok := r.(*ssa.Store); ok && st.Val == v {
			if to, ok := st.Addr.(*ssa.Alloc); ok && to.Comment != "" {
				return to.Comment
			}
		}
	}
	return ""
}
