package model

import "go/types"

// A WorkOp is what a method of a work queue does with an item.
type WorkOp uint8

const (
	// NoWork: it is no such method.
	NoWork WorkOp = iota
	// Takes hands out an item. Until it is given back, the queue hands out none that is equal
	// to it (client-go, util/workqueue: "a single item will not be processed multiple times
	// concurrently").
	Takes
	// GivesBack is told that the work on an item is over.
	GivesBack
)

// WorkQueue returns what a method does with an item of a work queue.
func WorkQueue(fn *types.Func) WorkOp {
	if fn == nil || fn.Pkg() == nil || !workQueues[fn.Pkg().Path()] || fn.Signature().Recv() == nil {
		return NoWork
	}
	switch fn.Name() {
	case "Get":
		return Takes
	case "Done":
		return GivesBack
	}
	return NoWork
}

// NameField reports whether a field is part of what an object goes by: no other object of its
// kind has the same.
func NameField(f *types.Var) bool {
	if f == nil || f.Pkg() == nil {
		return false
	}
	return nameFields[f.Pkg().Path()+"."+f.Name()] || f.Embedded() && nameStruct(f.Type())
}

// nameStruct reports whether a type is a struct that holds such fields.
func nameStruct(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && nameStructs[n.Obj().Pkg().Path()+"."+n.Obj().Name()]
}

// IsName reports whether values of a type name objects: a string, a struct of names, or an item
// of a queue without a type.
func IsName(t types.Type) bool {
	switch u := types.Unalias(t).Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsString != 0
	case *types.Interface:
		return u.Empty()
	}
	return nameStruct(t)
}

// GivesName reports whether a function returns what the object that it gets goes by.
func GivesName(fn *types.Func) bool {
	if fn == nil || fn.Pkg() == nil {
		return false
	}
	sig := fn.Signature()
	if sig.Recv() == nil {
		return nameFuncs[fn.Pkg().Path()+"."+fn.Name()]
	}
	switch fn.Name() {
	case "GetName", "GetNamespace", "GetUID":
		return sig.Params().Len() == 0 && sig.Results().Len() == 1
	case "String":
		return nameStruct(sig.Recv().Type())
	}
	return false
}
