package ssautil

import "golang.org/x/tools/go/ssa"

// AppendedTo returns the list that append gives when it is given the elements of an array, nil if nothing appends them.
func AppendedTo(array *ssa.Alloc) ssa.Value {
	for _, use := range *array.Referrers() {
		part, ok := use.(*ssa.Slice)
		if !ok {
			continue
		}
		for _, r := range *part.Referrers() {
			if call, ok := r.(*ssa.Call); ok && IsAppend(call) && call.Call.Args[1] == ssa.Value(part) {
				return call
			}
		}
	}
	return nil
}

// IsAppend reports whether a call appends a list to another one.
func IsAppend(call *ssa.Call) bool {
	args, ok := BuiltinCall(call, "append")
	return ok && len(args) == 2
}
