package ownership

import (
	"go/types"
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// maxBorrowed bounds the fields of a copy of which it is known one by one whose
// they are: an object has room for few parts.
const maxBorrowed = maxParts / 2

// copyStruct makes q, a local variable or a result, a copy of a struct: an object of its
// own, whose fields lead where the original's do. What they lead to stays known
// to those who knew it. With too many fields, the copy is known to all that know
// any of what it leads to.
func (r *Result) copyStruct(s *State, q accesspath.Path) {
	from, _ := q.CopyOf()
	whole := Owned
	var parts []part
	for f := range r.borrowed(q) {
		v := s.Lookup(r.Paths.Field(from, f))
		whole = Join(whole, v)
		parts = append(parts, part{r.Paths.OwnField(q, f), v})
	}
	if len(parts) > maxBorrowed {
		s.set(q, whole)
		return
	}
	s.set(q, Owned)
	for _, x := range parts {
		if x.val != Owned {
			s.set(x.path, x.val)
		}
	}
}

// borrowed yields the fields of a copy that lead where the original's do.
func (r *Result) borrowed(q accesspath.Path) func(func(*types.Var) bool) {
	return func(yield func(*types.Var) bool) {
		_, apart := q.CopyOf()
		v := q.Root().Val
		if v == nil {
			return
		}
		st, ok := ssautil.Pointee(v.Type()).Underlying().(*types.Struct)
		if !ok {
			return
		}
		for i := range st.NumFields() {
			if f := st.Field(i); !slices.Contains(apart, f.Origin()) && r.carries(f.Type()) && !yield(f) {
				return
			}
		}
	}
}
