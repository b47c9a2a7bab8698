package outside

import (
	"fmt"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/callback"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// Shape is the name of all function values with the parameters and results of a
// signature, whatever the names of these.
func Shape(sig *types.Signature) Name {
	var b strings.Builder
	b.WriteString(shapePrefix)
	for i, tuple := range [...]*types.Tuple{sig.Params(), sig.Results()} {
		if i > 0 {
			b.WriteString("->" + separator)
		}
		for v := range tuple.Variables() {
			b.WriteString(typeText(v.Type()) + separator)
		}
	}
	return Name(b.String())
}

// Outer is the node of a method that code calls by an interface of code outside the
// module: all methods of its name and shape.
func Outer(m *types.Func) Name {
	return Name("#" + m.Name() + separator + string(Shape(m.Signature())))
}

// Variable is the node of what a field or a package-level variable of the module
// holds.
func Variable(v *types.Var) Name {
	v = v.Origin()
	return Name(fmt.Sprintf(variablePrefix+"%s.%s@%d", v.Pkg().Path(), v.Name(), v.Pos()))
}

// Elsewhere is the node of all code outside the module: it leads nowhere.
const Elsewhere Name = "elsewhere"

// NodeOf names a function of the module: a literal by the function that it stands in,
// and what runs at initialisation alone by nothing.
func NodeOf(fn *ssa.Function) Name { return NodeBy(fn, NameOf) }

// NodeBy is NodeOf with the names of declared functions from name.
func NodeBy(fn *ssa.Function, name func(*types.Func) Name) Name {
	outer := callback.Outermost(fn)
	var node Name
	if obj, ok := outer.Object().(*types.Func); ok && obj.Name() != "init" {
		node = name(obj)
	} else if fn.Parent() != nil {
		node = Name(fn.Pkg.Pkg.Path() + "." + outer.Name())
	}
	if fn == outer {
		return node
	}
	return node + Name(strings.TrimPrefix(fn.Name(), outer.Name()))
}

// placeSign stands between a function and the place of an access in it.
const placeSign = "@"

// PlaceOf is what stands for an access in a function: the function runs it there.
func PlaceOf(fn Name, at ssautil.Point) Name {
	return fn + placeSign + Name(strconv.Itoa(int(at.Block))+"."+strconv.Itoa(int(at.Index)))
}

// places returns what stands for accesses, and for one of which no record tells when it is made the
// function: that never runs, say.
func (v *View) places(accesses []Name) []Name {
	out := slices.Clone(accesses)
	for i, a := range out {
		if fn, _, place := strings.Cut(string(a), placeSign); place && len(v.s.solver.runs[a]) == 0 {
			out[i] = Name(fn)
		}
	}
	return out
}

// Thread names the goroutine of a start, by the function in whose code it begins and its number there.
func Thread(in Name, number int) Name { return threadPrefix + in + " " + Name(strconv.Itoa(number)) }

const threadPrefix = "go "

// Param is the node of what a function gets for a parameter, the receiver counted.
func Param(fn Name, i int) Name { return fn + "(" + Name(strconv.Itoa(i)) + ")" }

// Result is the node of a function's result.
func Result(fn Name, i int) Name { return fn + resultSign + Name(strconv.Itoa(i)) }

func isOuter(n Name) bool { return strings.HasPrefix(string(n), "#") }

const (
	shapePrefix    = "func;"
	variablePrefix = "var "
	resultSign     = "->"
	separator      = ";"
	// unknownType stands for a type parameter.
	unknownType = "?"
)

func isShape(n Name) bool { return strings.HasPrefix(string(n), shapePrefix) }

// typeText returns a text that is the same for identical types.
func typeText(t types.Type) string {
	switch t := types.Unalias(t).(type) {
	case *types.Signature:
		return strings.ReplaceAll(string(Shape(t)), separator, ",")
	case *types.TypeParam:
		return unknownType
	case *types.Pointer:
		return "*" + typeText(t.Elem())
	case *types.Slice:
		return "[]" + typeText(t.Elem())
	case *types.Map:
		return "map[" + typeText(t.Key()) + "]" + typeText(t.Elem())
	case *types.Chan:
		return "chan " + typeText(t.Elem())
	case *types.Named:
		return namedText(t)
	}
	return strings.ReplaceAll(types.TypeString(t, nil), separator, ",")
}

func namedText(t *types.Named) string {
	text := t.Obj().Name()
	if p := t.Obj().Pkg(); p != nil {
		text = p.Path() + "." + text
	}
	for arg := range t.TypeArgs().Types() {
		text += "[" + typeText(arg) + "]"
	}
	if t.TypeArgs().Len() == 0 && t.TypeParams().Len() > 0 {
		text += unknownType
	}
	return text
}
