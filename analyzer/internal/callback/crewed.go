package callback

import (
	"go/types"
)

// crewed reports whether a source is in a field that only the goroutines call which the function starts that fills it.
func (f *Flow) crewed(it item) bool {
	if it.field == whole || f.fields == nil {
		return false
	}
	t := it.at.Type()
	for range 2 { // a variable that has a pointer
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
	}
	st, ok := t.Underlying().(*types.Struct)
	return ok && it.field < st.NumFields() && f.fields(st.Field(it.field).Origin()) == Crewed
}
