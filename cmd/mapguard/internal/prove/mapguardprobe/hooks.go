// Package mapguardprobe is what probed code calls. mapguard -prove puts its
// files into a package of the module under test, through an overlay of the go
// command, so that all probed packages share one copy; nothing else imports it.
//
// A hook makes the operation that it replaces, in the same order, and tells the
// watch about it before and after. It depends on the standard library only and
// keeps to Go 1.21, whatever the module's go line says beyond that.
package mapguardprobe

import "unsafe"

// A Kind is what an operation does to a map.
type Kind byte

// Kinds of operations.
const (
	Entry   Kind = 'e' // reads an entry
	Length  Kind = 'n' // measures the map
	Nil     Kind = 'z' // reads the variable that holds it
	Iterate Kind = 'i' // ranges over it
	Set     Kind = 's' // inserts or overwrites an entry
	Delete  Kind = 'd' // deletes an entry
	Clear   Kind = 'c' // changes the map as a whole
	Assign  Kind = 'a' // changes the variable that holds it
	Use     Kind = 'u' // goes on with a value of its own
	Swap    Kind = 'x' // an atomic look and change of a concurrent map
)

// Changes reports whether the operation changes something.
func (k Kind) Changes() bool {
	return k == Set || k == Delete || k == Clear || k == Assign || k == Swap
}

// isEntry reports whether the operation concerns one entry.
func (k Kind) isEntry() bool { return k == Entry || k == Set || k == Delete || k == Swap }

// Used keeps the import of a probed file in use.
const Used = 0

// Get reads an entry.
func Get[M ~map[K]V, K comparable, V any](site int, p *M) func(K) V {
	return func(k K) V {
		op := begin(site, Entry, unsafe.Pointer(p), head(*p), k, true)
		v, ok := (*p)[k]
		op.finish(found(ok))
		return v
	}
}

// Get2 reads an entry and whether it is there.
func Get2[M ~map[K]V, K comparable, V any](site int, p *M) func(K) (V, bool) {
	return func(k K) (V, bool) {
		op := begin(site, Entry, unsafe.Pointer(p), head(*p), k, true)
		v, ok := (*p)[k]
		op.finish(found(ok))
		return v, ok
	}
}

// GetOf is Get for a map that has no address.
func GetOf[M ~map[K]V, K comparable, V any](site int, m M) func(K) V {
	return func(k K) V {
		op := begin(site, Entry, nil, head(m), k, true)
		v, ok := m[k]
		op.finish(found(ok))
		return v
	}
}

// Get2Of is Get2 for a map that has no address.
func Get2Of[M ~map[K]V, K comparable, V any](site int, m M) func(K) (V, bool) {
	return func(k K) (V, bool) {
		op := begin(site, Entry, nil, head(m), k, true)
		v, ok := m[k]
		op.finish(found(ok))
		return v, ok
	}
}

// Put writes an entry, once its operands are evaluated.
func Put[M ~map[K]V, K comparable, V any](site int, p *M) func(K, V) {
	return func(k K, v V) {
		op := begin(site, Set, unsafe.Pointer(p), head(*p), k, true)
		(*p)[k] = v
		op.Done()
	}
}

// PutOf is Put for a map that has no address.
func PutOf[M ~map[K]V, K comparable, V any](site int, m M) func(K, V) {
	return func(k K, v V) {
		op := begin(site, Set, nil, head(m), k, true)
		m[k] = v
		op.Done()
	}
}

// Drop deletes an entry of a map that need not have an address.
func Drop[M ~map[K]V, K comparable, V any](site int, m M) func(K) {
	return func(k K) {
		op := begin(site, Delete, nil, head(m), k, true)
		delete(m, k)
		op.Done()
	}
}

// At begins an operation on an entry; Done ends it.
func At[M ~map[K]V, K comparable, V any](site int, kind Kind, p *M) func(K) *Op {
	return func(k K) *Op { return begin(site, kind, unsafe.Pointer(p), head(*p), k, true) }
}

// AtOf is At for a map that has no address.
func AtOf[M ~map[K]V, K comparable, V any](site int, kind Kind, m M) func(K) *Op {
	return func(k K) *Op { return begin(site, kind, nil, head(m), k, true) }
}

// All begins an operation on a map as a whole, or on the variable that holds it.
func All[M ~map[K]V, K comparable, V any](site int, kind Kind, p *M) *Op {
	return begin(site, kind, unsafe.Pointer(p), head(*p), nil, false)
}

// AllOf is All for a map that has no address.
func AllOf[M ~map[K]V, K comparable, V any](site int, kind Kind, m M) *Op {
	return begin(site, kind, nil, head(m), nil, false)
}

// Val ends an operation with its value.
func Val[T any](op *Op, v T) T {
	op.Done()
	return v
}

// Each begins a loop over a map.
func Each[M ~map[K]V, K comparable, V any](site int, p *M) M {
	begin(site, Iterate, unsafe.Pointer(p), head(*p), nil, false).hold()
	return *p
}

// EachOf is Each for a map that has no address.
func EachOf[M ~map[K]V, K comparable, V any](site int, m M) M {
	begin(site, Iterate, nil, head(m), nil, false).hold()
	return m
}

// Step begins a turn of a loop over a map, and ends the loop: so far it has
// been read.
func Step(site int) { again(site, false) }

// Turn is Step in the function that a concurrent map's method calls for each
// entry; End ends that.
func Turn(site int) { again(site, true) }

// Arg begins an operation of a concurrent map's method when the last of its
// arguments is there.
func Arg[T any](site int, kind Kind, object, key any, last T) T {
	begin(site, kind, word(object), nil, key, true).hold()
	return last
}

// Key is Arg for a method whose last argument is the key.
func Key[T any](site int, kind Kind, object any, last T) T {
	begin(site, kind, word(object), nil, last, true).hold()
	return last
}

// Func is Arg for a method whose last argument is a function for each entry.
func Func[T any](site int, kind Kind, object any, last T) T {
	begin(site, kind, word(object), nil, nil, false).hold()
	return last
}

// Handed is what a caller does with a map that is handed out: it reads it, and
// keeps it to read it again.
func Handed[M ~map[K]V, K comparable, V any](site int, m M) {
	op := begin(site, Iterate, nil, head(m), nil, false)
	op.Done()
	op.keep()
}

// Last begins the assignment of a variable that holds a map, when its value is
// there.
func Last[M ~map[K]V, K comparable, V any](site int, p *M, v M) M {
	begin(site, Assign, unsafe.Pointer(p), head(*p), nil, false).hold()
	return v
}

// End0, End1 and End2 end an operation that Arg has begun, with its results.
func End0() { held().Done() }

// End1 is End0 with one result.
func End1[T any](v T) T {
	held().Done()
	return v
}

// End2 is End0 with two results.
func End2[T, U any](v T, u U) (T, U) {
	op := held()
	if ok, is := any(u).(bool); is {
		op.finish(found(ok))
	} else {
		op.Done()
	}
	return v, u
}

// head is the identity of a map.
func head[M ~map[K]V, K comparable, V any](m M) unsafe.Pointer {
	return *(*unsafe.Pointer)(unsafe.Pointer(&m))
}

// word is the pointer in an interface value.
func word(object any) unsafe.Pointer { return (*[2]unsafe.Pointer)(unsafe.Pointer(&object))[1] }
