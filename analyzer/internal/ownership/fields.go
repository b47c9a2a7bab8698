package ownership

import (
	"go/types"
	"slices"
	"strings"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/model"
)

// maxFields bounds the fields that are told apart; more are all fields.
const maxFields = 100

// Fields are the struct fields that code can reach, of those that hold maps and
// slices; the others are taken to be reached. Each is known by its package and
// name; fields of one name are not told apart. The order is inclusion, with
// all fields as top and none as bottom.
type Fields struct {
	All   bool
	Names []string // sorted
}

// AllFields is top: nothing is known of what is reached.
var AllFields = Fields{All: true}

// elements stands among Fields for what the elements of a container lead to.
const elements = "[]"

// FieldName is how Fields write a field.
func FieldName(v *types.Var) string {
	if v.Pkg() == nil {
		return v.Name()
	}
	return v.Pkg().Path() + "." + v.Name()
}

// FieldsOf returns the fields with these names.
func FieldsOf(names []string) Fields {
	names = slices.Compact(slices.Sorted(slices.Values(names)))
	if len(names) > maxFields {
		return AllFields
	}
	return Fields{Names: names}
}

// includes reports whether g ⊑ f.
func (f Fields) includes(g Fields) bool {
	if f.All || g.All {
		return f.All
	}
	i := 0
	for _, name := range g.Names {
		for i < len(f.Names) && f.Names[i] < name {
			i++
		}
		if i == len(f.Names) || f.Names[i] != name {
			return false
		}
	}
	return true
}

// None reports whether there are no fields.
func (f Fields) None() bool { return !f.All && len(f.Names) == 0 }

// Union is the join.
func (f Fields) Union(g Fields) Fields {
	switch {
	case f.All || g.All:
		return AllFields
	case len(f.Names) == 0:
		return g
	case len(g.Names) == 0 || f.includes(g):
		return f
	case g.includes(f):
		return g
	}
	return FieldsOf(slices.Concat(f.Names, g.Names))
}

// Has reports whether v is among them.
func (f Fields) Has(v *types.Var) bool {
	return f.has(FieldName(v))
}

func (f Fields) has(name string) bool {
	if f.All {
		return true
	}
	_, ok := slices.BinarySearch(f.Names, name)
	return ok
}

// onlyElements returns of these fields what stands for elements.
func (f Fields) onlyElements() Fields {
	if f.has(elements) {
		return Fields{Names: []string{elements}}
	}
	return Fields{}
}

// Leads reports whether one of the steps of a path is through one of these fields, or to an element where
// elements lead to others.
func (f Fields) Leads(p accesspath.Path) bool {
	if f.None() {
		return false
	}
	for ; p.Known(); p = p.Parent() {
		if v := p.LastField(); v != nil && f.Has(v) || p.IsElem() && f.has(elements) {
			return true
		}
	}
	return false
}

// holder reports whether a field of type t is one that Fields tell apart.
func holder(t types.Type) bool { return container(t) || model.IsConcurrentMap(t) }

// meets reports whether code that has the object at q, and reaches these
// fields, can reach p: it reaches each field in between.
func (f Fields) meets(p, q accesspath.Path) bool {
	for ; p != q && p.Known(); p = p.Parent() {
		if v := p.LastField(); v != nil && holder(v.Type()) && !f.Has(v) {
			return false
		}
	}
	return true
}

// Equal reports whether both are the same fields.
func (f Fields) Equal(g Fields) bool { return f.All == g.All && slices.Equal(f.Names, g.Names) }

func (f Fields) String() string {
	if f.All {
		return "all fields"
	}
	return strings.Join(f.Names, ", ")
}
