package ownership

import (
	"fmt"
	"math/bits"
	"strings"
)

// A Set is a set of a function's inputs: its parameters, then what it captures.
type Set uint64

// maxInputs bounds the inputs that are told apart; others are Shared.
const maxInputs = 64

// Input is the set of the i-th input alone; false if it is beyond the bound.
func Input(i int) (Set, bool) {
	if i < 0 || i >= maxInputs {
		return 0, false
	}
	return 1 << i, true
}

// Has reports whether the i-th input is in s.
func (s Set) Has(i int) bool { return i >= 0 && i < maxInputs && s&(1<<i) != 0 }

// All yields the inputs in order.
func (s Set) All(yield func(int) bool) {
	for ; s != 0; s &= s - 1 {
		if !yield(bits.TrailingZeros64(uint64(s))) {
			return
		}
	}
}

// A Value says who can reach an object. The order is
//
//	Unreached ⊑ Owned ⊑ OwnedIf(S) ⊑ Shared, and OwnedIf(S) ⊑ OwnedIf(T) for S ⊆ T.
//
// Unreached, the zero Value, is bottom; Shared is top; [Join] is the least
// upper bound, the union of the conditions. The height is bounded by
// maxInputs+3.
type Value struct {
	kind kind
	if_  Set
}

type kind uint8

const (
	unreached kind = iota
	owned
	shared
)

var (
	// Unreached: no path leads here.
	Unreached = Value{}
	// Owned: this thread alone can reach the object.
	Owned = Value{kind: owned}
	// Shared: others may reach it.
	Shared = Value{kind: shared}
)

// OwnedIf is owned if all of the inputs are.
func OwnedIf(s Set) Value { return Value{kind: owned, if_: s} }

// OwnedIfInput is owned if the i-th input is; Shared beyond the bound.
func OwnedIfInput(i int) Value {
	s, ok := Input(i)
	if !ok {
		return Shared
	}
	return OwnedIf(s)
}

// Join is the least upper bound.
func Join(a, b Value) Value {
	switch {
	case a.kind == shared || b.kind == shared:
		return Shared
	case a.kind == unreached:
		return b
	case b.kind == unreached:
		return a
	}
	return OwnedIf(a.if_ | b.if_)
}

// Leq reports whether a ⊑ b.
func (v Value) Leq(b Value) bool { return Join(v, b) == b }

// If returns the inputs on which v rests; false if v is not owned under any
// condition.
func (v Value) If() (Set, bool) { return v.if_, v.kind == owned }

// Given resolves v where the inputs in s are owned.
func (v Value) Given(s Set) bool { return v.kind == owned && v.if_&^s == 0 }

// Through expresses v, which speaks of a callee's inputs, by their values at
// the call.
func (v Value) Through(input func(int) Value) Value {
	if v.kind != owned {
		return v
	}
	out := Owned
	for i := range v.if_.All {
		out = Join(out, input(i))
	}
	return out
}

func (v Value) String() string {
	switch {
	case v.kind == unreached:
		return "unreached"
	case v.kind == shared:
		return "shared"
	case v.if_ == 0:
		return "owned"
	}
	var ins []string
	for i := range v.if_.All {
		ins = append(ins, fmt.Sprint(i))
	}
	return "owned if " + strings.Join(ins, ", ")
}

// A Custody says where a map is that was read from its field or taken from an
// outer map. The order is
//
//	Nowhere ⊑ TakenOut ⊑ Attached ⊑ Loose;
//
// the join is the greater one. Only TakenOut is owned.
type Custody uint8

const (
	// Nowhere: it has not been read on any path.
	Nowhere Custody = iota
	// TakenOut: it was read and its place was given another value since:
	// the reader has it alone.
	TakenOut
	// Attached: its place still holds it.
	Attached
	// Loose: it went elsewhere.
	Loose
)

func (c Custody) String() string {
	return [...]string{"nowhere", "taken out", "attached", "loose"}[c]
}

// Pack writes v as a number, for facts: Shared is 1; an owned value rests on the
// inputs in the other bits, of which the last is lost to Shared.
func (v Value) Pack() uint64 {
	if v.kind != owned || v.if_.Has(maxInputs-1) {
		return 1
	}
	return uint64(v.if_) << 1
}

// Unpack reads what Pack has written.
func Unpack(n uint64) Value {
	if n&1 != 0 {
		return Shared
	}
	return OwnedIf(Set(n >> 1))
}
