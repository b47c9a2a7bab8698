package model

import "go/types"

// HoldsLock reports whether a value of type t contains a mutex by value, so
// that a copy of it has a lock of its own.
func HoldsLock(t types.Type) bool { return holdsLock(t, 0) }

func holdsLock(t types.Type, depth int) bool {
	if depth > 4 {
		return false
	}
	switch u := types.Unalias(t).Underlying().(type) {
	case *types.Struct:
		if IsMutex(t) {
			return true
		}
		for i := range u.NumFields() {
			if holdsLock(u.Field(i).Type(), depth+1) {
				return true
			}
		}
	case *types.Array:
		// One without elements is there so that nothing copies the struct.
		return u.Len() > 0 && holdsLock(u.Elem(), depth+1)
	}
	return false
}

// Immutable reports whether values of type t never change and are only told
// apart by what they say, although they hold pointers.
func Immutable(t types.Type) bool {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, ok := t.(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return false
	}
	return immutable[n.Obj().Pkg().Path()+"."+n.Obj().Name()]
}

// A Caller is who calls the functions in the fields of a struct that a library gets, or the methods of
// an interface of its own.
type Caller uint8

const (
	// AnyCaller: any goroutine may.
	AnyCaller Caller = iota
	// MainCaller: the program's main goroutine does, which runs one of them.
	MainCaller
	// OneCaller: one goroutine does, for each struct.
	OneCaller
)

// CallerOf returns who calls the functions in the fields of a struct type, or the methods of what
// has an interface.
func CallerOf(t types.Type) Caller {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return AnyCaller
	}
	return fieldCallers[n.Obj().Pkg().Path()+"."+n.Obj().Name()]
}

// TakesAction reports whether a method of a library notes a function as the action of a command, which
// the program's main goroutine calls if the command is the one that is given.
func TakesAction(fn *types.Func) bool {
	recv := fn.Signature().Recv()
	if recv == nil || fn.Name() != "Action" {
		return false
	}
	return CallerOf(pointee(recv.Type())) == MainCaller
}

// pointee returns what a pointer points to; a type that is none itself.
func pointee(t types.Type) types.Type {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// Message reports whether n is a generated protocol-buffer message: its methods say so, of
// the first version of its interface, or the second
// (https://protobuf.dev/reference/go/go-generated).
func Message(n *types.Named) bool {
	for m := range n.Origin().Methods() {
		if (m.Name() == "ProtoMessage" || m.Name() == "ProtoReflect") && m.Signature().Params().Len() == 0 {
			return true
		}
	}
	return false
}

// Plain reports whether values of a type are data alone, without references to
// anything that lives on.
func Plain(t types.Type) bool { return plain(t, 0) }

// plain reports whether values of a type are data alone, without references to
// anything that lives on.
func plain(t types.Type, depth int) bool {
	if depth > 4 {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() != types.UnsafePointer && u.Kind() != types.Uintptr
	case *types.Slice:
		return plain(u.Elem(), depth+1)
	case *types.Array:
		return plain(u.Elem(), depth+1)
	case *types.Map:
		return plain(u.Key(), depth+1) && plain(u.Elem(), depth+1)
	case *types.Struct:
		for f := range u.Fields() {
			if !plain(f.Type(), depth+1) {
				return false
			}
		}
		return true
	}
	return false
}

// IsTime reports whether t is the type of what a clock sends on its channel.
func IsTime(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "time" && named.Obj().Name() == "Time"
}
