package summary

import (
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/ownership"
	"go/token"
	"go/types"

	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// A StayKind says why a function may stay at an instruction, or leave what is
// known there.
type StayKind uint8

const (
	// Waits: for a channel, a group of goroutines, a condition.
	Waits StayKind = iota
	// Value: it calls a function value of which not all is known.
	Value
	// Invokes: it calls a method of an interface of which not all is known.
	Invokes
	// Calls: it calls a function of another package that may wait, or of which
	// nothing is known.
	Calls
	// Hands: it hands a value with methods of this package to a function of
	// another one, which may call them.
	Hands
	// Cut: the function has more of them than are kept.
	Cut
)

// A Stay is a place where a function may wait for others, or runs code that is
// not known. A lock that is held there may be waited for at the same time, or
// taken a second time. Calls of functions of the package are none: these have
// their own.
type Stay struct {
	Kind StayKind
	Pos  token.Pos
	// Point is where a call of a function value stands.
	Point ssautil.Point
	// Held are the locks held there.
	Held locks.State
	// Func is the function or the interface's method that is called, if it has
	// a name, Sig its signature.
	Func *types.Func
	Sig  *types.Signature
	// Type is that of a value that is handed on, or on which a method is called.
	Type types.Type
	// Field is the field or variable that holds the function value, if one does.
	Field *types.Var
	// Made is the function of which the function value is a result, if it is one.
	Made *types.Func
	// Given: the function value is a parameter. Who passes it speaks for it.
	Given bool
	// Alone says who can reach the object of which the [Stay.OwnLock] is held there.
	Alone ownership.Value
}

// OwnLock returns the lock that is held at a place, where the function has taken that one alone, and it lies in its object; else an
// unknown path.
func (s *Stay) OwnLock() (none accesspath.Path) {
	locks := s.Held.Locks()
	if len(locks) != 1 {
		return none
	}
	lock := locks[0].Path
	if lock.Depth() == 0 || lock.LastField() == nil {
		return none
	}
	if _, inside := lock.LastField().Type().Underlying().(*types.Struct); !inside {
		return none // others may have a pointer to it
	}
	return lock
}

// maxStays bounds the places kept of one function.
const maxStays = 256

// Stay notes a place. Beyond the bound it is known only that there are more.
func (f *Func) Stay(s Stay) {
	switch n := len(f.Stays); {
	case n < maxStays:
		f.Stays = append(f.Stays, s)
	case n == maxStays:
		f.Stays = append(f.Stays, Stay{Kind: Cut, Held: s.Held})
	}
}

// Awaits reports whether the function may wait at the place itself for what another
// goroutine does, or for what may never come. To run a function once is no such wait: who
// runs it is waited for, and it is known as a callee.
func (s *Stay) Awaits() bool {
	switch s.Kind {
	case Waits:
		return model.Lookup(s.Func).Kind != model.Once
	case Calls:
		return model.Awaits(s.Func)
	case Invokes:
		return s.Func != nil && model.Awaits(s.Func)
	}
	return s.Kind == Cut
}
