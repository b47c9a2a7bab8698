package depend

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// Reserves reports whether nothing but the capacity of maps and slices is made of
// a number. Too little or too much of it is as good: they hold the same.
func Reserves(v ssa.Value) bool {
	if v == nil || v.Referrers() == nil {
		return false
	}
	some := false
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
			continue
		case *ssa.MakeMap:
		case *ssa.MakeSlice:
			if !ssautil.IsZero(r.Len) {
				return false // a capacity below the length panics
			}
		case *ssa.BinOp:
			if r.Op != token.ADD && r.Op != token.MUL || !Reserves(r) {
				return false
			}
		default:
			return false
		}
		some = true
	}
	return some
}

// Sizes reports whether a number says where code may write or read, so that one which is too small or too
// large makes it panic: the length of a new slice, an index or the bound of a part.
func Sizes(v ssa.Value) bool { return sizes(v, maxTold) }

func sizes(v ssa.Value, depth int) bool {
	if v == nil || v.Referrers() == nil || depth == 0 {
		return false
	}
	return slices.ContainsFunc(*v.Referrers(), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.MakeSlice:
			return r.Len == v || !ssautil.IsZero(r.Len) // a capacity below the length panics
		case *ssa.IndexAddr:
			return r.Index == v
		case *ssa.Index:
			return r.Index == v
		case *ssa.Slice:
			return r.X != v
		case *ssa.BinOp:
			return (r.Op == token.ADD || r.Op == token.SUB || r.Op == token.MUL) && sizes(r, depth-1)
		case *ssa.Convert, *ssa.Phi:
			return sizes(r.(ssa.Value), depth-1)
		}
		return false
	})
}

// Reported reports whether a number is only told: in a message, a line of a log or a metric. Nothing
// is decided by it.
func Reported(v ssa.Value) bool {
	some := false
	return onlyTold(v, maxTold, &some) && some
}

// maxTold bounds the values that are made of a number, one of the other.
const maxTold = 8

// onlyTold is Reported for what is made of the number; some says whether anything is told at all.
func onlyTold(v ssa.Value, depth int, some *bool) bool {
	if v == nil || v.Referrers() == nil || depth == 0 {
		return false
	}
	for _, r := range *v.Referrers() {
		if !tells(v, r, depth, some) {
			return false
		}
	}
	return true
}

// tells reports whether an instruction that uses what is made of the number only tells it.
func tells(v ssa.Value, r ssa.Instruction, depth int, some *bool) bool {
	switch r := r.(type) {
	case *ssa.DebugRef:
		return true
	case *ssa.Convert, *ssa.ChangeType, *ssa.MakeInterface, *ssa.Slice:
		return onlyTold(r.(ssa.Value), depth-1, some)
	case *ssa.BinOp:
		switch r.Op {
		case token.ADD, token.SUB, token.MUL, token.QUO:
			return onlyTold(r, depth-1, some)
		}
	case *ssa.Store:
		return r.Val == v && arguments(r.Addr, depth, some)
	case *ssa.MapUpdate:
		made, ok := r.Map.(*ssa.MakeMap) // the fields of a line
		return ok && (r.Map == v || onlyTold(made, depth-1, some))
	case ssa.CallInstruction:
		return tellsOn(r, depth, some)
	}
	return false
}

// arguments reports whether an address is an element of the arguments that a call gets as a slice,
// and the call only tells them.
func arguments(addr ssa.Value, depth int, some *bool) bool {
	elem, ok := addr.(*ssa.IndexAddr)
	if !ok {
		return false
	}
	array, ok := elem.X.(*ssa.Alloc)
	if !ok || array.Comment != "varargs" {
		return false
	}
	for _, r := range *array.Referrers() {
		if s, ok := r.(*ssa.Slice); ok && !onlyTold(s, depth-1, some) {
			return false
		}
	}
	return true
}

// tellsOn reports whether a call only tells what it gets, itself or in what it makes of it.
func tellsOn(call ssa.CallInstruction, depth int, some *bool) bool {
	fn, _ := ssautil.Callee(call.Common())
	switch {
	case fn == nil:
		return false
	case fn.Pkg() != nil && (fn.Pkg().Path() == "strconv" || fn.Pkg().Path() == "fmt" && formats(fn)):
		made, ok := call.(*ssa.Call)
		return ok && onlyTold(made, depth-1, some)
	case fn.Pkg() != nil && fn.Pkg().Path() == "fmt" && strings.HasPrefix(fn.Name(), "Fprint"):
		*some = true
		return read(call.Common().Args[0])
	case !model.Prints(fn) && !model.Meters(fn):
		return false
	}
	*some = true
	return true
}

// formats reports whether a function of package fmt gives the text that it makes. That of an error says what
// went wrong.
func formats(fn *types.Func) bool {
	return strings.HasPrefix(fn.Name(), "Sprint") || strings.HasPrefix(fn.Name(), "Append")
}

// read reports whether people read what a writer gets: it is the standard output or standard error, or
// an answer to a request.
func read(w ssa.Value) bool {
	w = ssautil.Unwrap(w)
	if load, ok := w.(*ssa.UnOp); ok {
		g, ok := load.X.(*ssa.Global)
		return ok && g.Pkg.Pkg.Path() == "os" && (g.Name() == "Stdout" || g.Name() == "Stderr")
	}
	return types.TypeString(w.Type(), nil) == "net/http.ResponseWriter"
}
