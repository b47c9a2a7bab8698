// Package access is the vocabulary of what functions do to shared maps: one
// [Access] is one read or change of one map, with the locks held there.
package access

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/ownership"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// An Op is what an access does to the map.
type Op uint8

const (
	// Lookup is m[k], with or without comma-ok.
	Lookup Op = iota + 1
	// Len is len(m).
	Len
	// Range is an iteration, or a copy of the whole map.
	Range
	// NilTest is m == nil or m != nil.
	NilTest
	// Return is the map value itself leaving the function as a result.
	Return
	// Leak is the map value itself going where others find it: stored
	// elsewhere, sent, handed to an unknown goroutine.
	Leak
	// Insert is m[k] = v.
	Insert
	// Delete is delete(m, k).
	Delete
	// Clear is clear(m), or a bulk change.
	Clear
	// Assign is a change of the variable or field that holds the map.
	Assign
	// Load is an atomic look-up in a concurrent map.
	Load
	// Store is an atomic, unconditional insert into a concurrent map.
	Store
	// Remove is an atomic, unconditional delete from a concurrent map.
	Remove
	// Visit is an iteration over a concurrent map.
	Visit
	// Grow appends to a slice in an object: no access of a map, but a change
	// that is lost with the object when a map lets go of it.
	Grow
	// Atomic is a check and act in one (LoadOrStore, CompareAndSwap, ...).
	Atomic
)

// Writes reports whether o changes the map.
func (o Op) Writes() bool {
	switch o {
	case Insert, Delete, Clear, Assign, Store, Remove:
		return true
	}
	return false
}

// ChangesEntries reports whether o changes the entries of the map, and does not replace it.
func (o Op) ChangesEntries() bool { return o.Writes() && o != Assign }

// OfVariable reports whether o concerns the variable or field that holds the map, and not the
// map: a copy of a struct has a field of its own, and the same map in it.
func (o Op) OfVariable() bool { return o == Assign || o == NilTest }

// Uses reports whether o touches the map, rather than passes its value on.
func (o Op) Uses() bool { return o != Return && o != Leak && o != Grow }

// Deletes reports whether o takes one entry out.
func (o Op) Deletes() bool { return o == Delete || o == Remove }

// Checks reports whether a decision can rest on o.
func (o Op) Checks() bool {
	switch o {
	case Lookup, Len, Range, NilTest, Load, Visit, Atomic:
		return true
	}
	return false
}

// Concurrent reports whether o is a method of a concurrent map, which needs
// no lock by itself.
func (o Op) Concurrent() bool {
	switch o {
	case Load, Store, Remove, Visit, Atomic:
		return true
	}
	return false
}

// Stored classifies the value that a write puts into the map, by the harm a
// lost or repeated write does.
type Stored uint8

const (
	// StoredNone is for writes that put nothing in.
	StoredNone Stored = iota
	// StoredPure is a value without identity: numbers, strings, structs and
	// arrays of them. Two goroutines that compute it alike do no harm.
	StoredPure
	// StoredShared is a value that was not made here: writing it twice
	// writes the same thing.
	StoredShared
	// StoredIdentity is a fresh pointer, channel, function, map or interface:
	// two goroutines go on with two different objects.
	StoredIdentity
	// StoredFresh has no identity but is another one each time: a counter's
	// value, a random number, the time.
	StoredFresh
	// StoredDerived is computed from what the map held in the same critical
	// section, as in m[k]++: the update by itself loses nothing.
	StoredDerived
	// StoredAlike is a reference to an object of another package of which
	// nothing shows that it has state: two that are made alike say the same.
	StoredAlike
	// StoredSuccessor is as StoredIdentity, in a section that takes the object which is there
	// by then, and ends it.
	StoredSuccessor
)

// Of returns what a write stores that puts in what a caller hands it: what that is says the
// caller, and what becomes of the object that is there, the write.
func (s Stored) Of(arg Stored) Stored {
	if s == StoredSuccessor && (arg == StoredIdentity || arg == StoredShared) {
		return s
	}
	return arg
}

// A When is a condition on a parameter of the function under which an access
// happens. The zero When is always true.
type When struct {
	// Param is one more than the parameter's index.
	Param int
	// Set: it is true, or not nil; else false, or nil.
	Set bool
	// Is is a constant, exactly, that it is compared with: if set, Set says that it is equal to
	// that, or not.
	Is string
}

// Allows reports whether the condition can hold where the parameter is a constant.
func (w When) Allows(constant string) bool {
	switch {
	case w.Is != "":
		return (constant == w.Is) == w.Set
	case constant == "true":
		return w.Set
	case constant == "false", constant == "nil":
		return !w.Set
	}
	return true
}

// A State says what a field of an object holds: a constant, or another value.
type State struct {
	At  accesspath.Location
	Is  string // the constant, exactly
	Not bool   // it holds another one
}

// Holds reports whether a field that is set to s, a constant, is in state o.
func (s State) Holds(o State) bool { return s.At == o.At && (s.Is == o.Is) != o.Not }

// A Mark is a place where a field of an object is set.
type Mark struct {
	Path  accesspath.Path // the field
	State State
	Pos   token.Pos
	Held  locks.State
}

// A Version is a counter that is found to be equal to a value.
type Version struct{ Counter, Equal accesspath.Path }

// A Given is a lock to which a field of an object leads, by the name that it has where the object is given it.
type Given struct {
	Field *types.Var
	Lock  accesspath.Path
}

// An Access is one access. Accesses inside callees appear in the caller as
// accesses at the call.
type Access struct {
	Path accesspath.Path // the map
	Key  accesspath.Path // the key, if the path of its value is known
	Op   Op
	Held locks.State // what the function itself holds there
	Pos  token.Pos   // in the function that the summary is of
	// Point is the same place in the control flow, by which accesses, calls
	// and lock operations of one function are ordered.
	Point ssautil.Point
	// Inner is where the access itself stands, and InnerFunc names its
	// function, when Pos is a call; Depth counts the calls in between.
	Inner token.Pos
	// Site is the deepest position on the way in the package at hand that
	// names the map: where the access counts among those of its place.
	Site      token.Pos
	InnerFunc string
	Depth     int

	Stored Stored
	// Value is the path of what a write puts in, so that a caller can judge a
	// value that it passes.
	Value accesspath.Path
	// Into is the field or variable that gets the map itself (for leaks), and
	// Along are the locks that the object of Into is given besides.
	Into  accesspath.Location
	Along []Given
	// Empty: it leaves a map without entries: an Assign of a new one, or a Clear
	// that puts nothing in.
	Empty bool
	// First: an Assign that only runs when the variable holds no map yet, or
	// that is the first in an object made here.
	First bool
	// Early: it is part of what a package does before anything uses its
	// variables, so that no other goroutine is there yet.
	Early bool
	// When is the condition on a parameter, if there is one.
	When When
	// NewKey: an insertion under a key that is a new one each time, drawn from
	// a counter or a random source.
	NewKey bool
	// Own is who can reach the map, through the object that it belongs to;
	// Taken is who can where it was taken out of its place.
	Own, Taken ownership.Value
	// Off is the field or variable from which the object that has the map was taken out, where it was.
	Off *types.Var
	// Earlier: the object that has the map was found before the section in which the access is.
	Earlier bool
	// Put is the variable or field into which the object was just put that an assignment fills, in the section of the
	// lock PutUnder, which goes on.
	Put, PutUnder *types.Var
	// Fresh: the map belongs to an object that only this call knows yet.
	Fresh bool
	// Kept: the map is a field of an object that only this call knows yet, whatever others
	// know of the map itself.
	Kept bool
	// Once: runs at most once (sync.Once and the like).
	Once bool
	// Claim is the atomic flag that was set by the one that makes the access, and that
	// is never set back: it is not made twice.
	Claim accesspath.Path
	// Singled is such a flag of an entry of the map: no other goroutine comes there with the same entry.
	Singled accesspath.Path
	// Spawned: the access happens in a goroutine started here; what the
	// function holds says nothing about it.
	Spawned bool
	// Joined: a wait for other goroutines always precedes the access.
	Joined bool
	// Waits are the groups and channels that those waits are for; none, if one
	// of them is for everything.
	Waits []accesspath.Path
	// Lifted: the access stands in a callee.
	Lifted bool
	// Fetch are the locks held where the map value was read from its field
	// or variable; Fetched tells that this is known.
	Fetch   locks.State
	Fetched bool
	// Imported: the access stands in another package.
	Imported bool
	// Asked: the callee where it stands expects its callers to hold a lock.
	Asked bool
	// Resolved: the callee got the map as a parameter; only here is it known
	// which map it is.
	Resolved bool
	// Validated: in the function where the access stands, it depends on a
	// check of the same map with no lock released or taken in between. Under
	// any lock that covers it, that check holds.
	Validated bool
	// Rechecked: as Validated, but the sections may differ: it takes a lock
	// around the whole call to hold check and act together.
	Rechecked bool
	// Filled: in the function where the insertion stands, it is done only where
	// a look at that very entry found none, in whatever sections. A call of such
	// a function decides by itself whether there is anything to put in.
	Filled bool
	// Looked are where the looks stand on which it depends in the function at hand, and Within
	// those on which it depends in functions that this one calls; nothing of another package's.
	Looked, Within []token.Pos
	// Alive: in its own critical section, the act depends on the state of the
	// object that holds the map: it is still in use.
	Alive bool
	// Flagged: it is Alive by a truth value, or by what is compared with a constant, as a flag that the
	// object has ended is one; a count may say anything. It is known in the function's own package.
	Flagged bool
	// Counts are the counters that are counted up in the section of a change, whatever way that takes,
	// and Versions those that it finds there to have the values of parameters.
	Counts   []accesspath.Path
	Versions []Version
	// Beside is what is added to the size wherever that is used: a counter, or the map whose size it is.
	Beside accesspath.Path
	// Increments: it counts up the entry itself.
	Increments bool
	// Merged: it puts in the greater or the lesser of a value and of what the entry holds in its section.
	Merged bool
	// Method is the concurrent map's method, when it is one.
	Method string
	// Eager: an atomic insert of a resource that is made whether it is needed
	// or not, and that is not closed when it is not.
	Eager bool
	// Hint: nothing but the capacity of something new is made of the length. Reported: it is only
	// told, in a message or a metric. Sizes: a slice is made, indexed or cut by it.
	Hint, Reported, Sizes bool
	// Carried: the map is what a captured variable holds. It was read from its place elsewhere.
	Carried bool
	// Pinned: a reference to the entry is counted where it is looked up.
	Pinned bool
	// Found: the callee in which the access stands looked the entry up that
	// holds the map.
	Found bool
	// Counted are the places whose lengths decide on the access (for
	// deletions).
	Counted []accesspath.Location
	// Freed are the states that the function has given, before a deletion, to the
	// object that knows the key (for deletions).
	Freed []Mark
	// Replaces are the states in which the entry under the key is replaced, while
	// in another one it stays (for insertions).
	Replaces []State
	// ContentUsed: a decision or value rests on more than the presence of
	// the entry (for look-ups).
	ContentUsed bool
}

// Stands returns the position that the access has among those of its place.
func (a *Access) Stands() token.Pos {
	if a.Site.IsValid() {
		return a.Site
	}
	return a.Pos
}

// NewMap reports whether an assignment gives a map that is made for it.
func (a *Access) NewMap() bool {
	_, made := a.Value.Root().Val.(*ssa.MakeMap)
	return a.Empty || made && a.Value.Depth() == 0
}

// At returns where the access stands: inside the callee, when there is one.
func (a *Access) At() token.Pos {
	if a.Inner.IsValid() {
		return a.Inner
	}
	return a.Pos
}
