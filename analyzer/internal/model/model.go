// Package model is the one table of what library functions do to locks, maps,
// closures and goroutines. Everything outside the analysed modules is known
// through it alone: a function that has no row does nothing that matters.
//
// A newly modelled function is one row here and one test.
package model

import (
	"go/types"
	"strings"
)

// A Kind is what a function does.
type Kind uint8

const (
	// None: nothing that matters.
	None Kind = iota
	// Lock acquires the receiver for writing.
	Lock
	// Unlock releases the receiver.
	Unlock
	// RLock acquires the receiver for reading.
	RLock
	// RUnlock releases the receiver's read lock.
	RUnlock
	// TryLock acquires the receiver for writing if it returns true.
	TryLock
	// TryRLock acquires the receiver for reading if it returns true.
	TryRLock
	// Acquire takes a number out of a semaphore if the error that it returns is nil.
	Acquire
	// TryAcquire takes a number out of a semaphore if it returns true.
	TryAcquire
	// Release gives a number back to a semaphore.
	Release
	// CondWait releases the condition's lock and acquires it again.
	CondWait
	// MapRead reads its map argument.
	MapRead
	// MapWrite changes its map argument.
	MapWrite
	// MapLookup asks its receiver, a map, for the key that it gets.
	MapLookup
	// MapInsert puts the keys that it gets into its receiver, a map.
	MapInsert
	// MapDelete deletes the keys that it gets from its receiver, a map.
	MapDelete
	// MapLen measures its receiver, a map.
	MapLen
	// ConcurrentLoad is an atomic look-up in the receiver.
	ConcurrentLoad
	// ConcurrentStore is an atomic, unconditional insert.
	ConcurrentStore
	// ConcurrentDelete is an atomic, unconditional delete.
	ConcurrentDelete
	// ConcurrentRange visits the receiver's entries.
	ConcurrentRange
	// ConcurrentAtomic is an atomic check-and-act (LoadOrStore, CompareAndSwap).
	ConcurrentAtomic
	// Spawn runs its function argument in another goroutine.
	Spawn
	// Register keeps its function argument and calls it from other
	// goroutines, possibly from several at a time.
	Register
	// RunNow calls its function argument before it returns.
	RunNow
	// RLocker returns the receiver's read lock as a sync.Locker.
	RLocker
	// Once calls its function argument once in the receiver's life.
	Once
	// Flight calls its function argument for one caller at a time per key, which is the
	// argument before it.
	Flight
	// FlightApart does the same in another goroutine.
	FlightApart
	// Turn runs its function argument later, in turn: no two that its first argument, an
	// actor, is given run at a time.
	Turn
	// TurnAwaited does the same, and waits for the end of the run.
	TurnAwaited
	// Join waits for goroutines to end.
	Join
	// Drain waits until no handler of the receiver, a server, runs any more, and none will; or
	// until the context ends that is its argument.
	Drain
	// Signal tells those who wait on the receiver that a goroutine has ended, or that
	// there is one more.
	Signal
	// Limit bounds how many goroutines of the receiver run at a time.
	Limit
	// Keep makes its arguments known to others.
	Keep
	// Renew gives an object that no other code has until it is kept again.
	Renew
)

// RLockerKey marks the lock that RWMutex.RLocker returns: an element of the
// mutex's path with this constant key.
const RLockerKey = "RLocker"

// An Effect is one row's content.
type Effect struct {
	Kind Kind
	// Arg is the position of the map or function argument, the receiver
	// counted as 0 for methods.
	Arg int
}

// Locks reports whether a function of this kind takes or releases a mutex, or tries to.
func (k Kind) Locks() bool {
	switch k {
	case Lock, Unlock, RLock, RUnlock, TryLock, TryRLock:
		return true
	}
	return false
}

// Keyed reports whether k is an operation on the keys that it gets.
func (k Kind) Keyed() bool { return k == MapLookup || k == MapInsert || k == MapDelete }

// Lookup returns what fn does. Methods that make a type a mutex are known by
// their shape, wherever they are declared.
func Lookup(fn *types.Func) Effect {
	if fn == nil {
		return Effect{}
	}
	fn = fn.Origin()
	if fn.Pkg() != nil && tablePackages[fn.Pkg().Path()] {
		if e, ok := table[originName(fn)]; ok {
			return e
		}
	}
	if waits(fn) {
		return Effect{Kind: Join}
	}
	if runsWithin(fn) {
		return Effect{Kind: RunNow}
	}
	return mutexMethod(fn)
}

// Listed reports whether the table, and not its body, says what fn does. That
// holds for all of package sync, so that its insides never show.
func Listed(fn *types.Func) bool {
	if fn.Pkg() == nil {
		return false
	}
	if fn.Pkg().Path() == "sync" {
		return true
	}
	if !tablePackages[fn.Pkg().Path()] {
		return false
	}
	_, ok := table[originName(fn.Origin())]
	return ok
}

// originName is the function's full name without the type parameters of its
// receiver.
func originName(fn *types.Func) string {
	name := fn.FullName()
	if i := strings.IndexByte(name, '['); i >= 0 {
		if j := strings.LastIndex(name, "])"); j > i {
			return name[:i] + name[j+1:]
		}
	}
	return name
}

var mutexNames = map[string]Kind{
	"Lock": Lock, "Unlock": Unlock, "RLock": RLock, "RUnlock": RUnlock,
	"TryLock": TryLock, "TryRLock": TryRLock,
}

// mutexMethod recognises the methods of sync.Locker and of reader/writer
// locks on any type: no parameters, no results (one bool for the Try forms),
// and both halves of a pair present.
func mutexMethod(fn *types.Func) Effect {
	kind, ok := mutexNames[fn.Name()]
	if !ok {
		return Effect{}
	}
	sig := fn.Signature()
	if sig.Recv() == nil || sig.Params().Len() != 0 {
		return Effect{}
	}
	if kind == TryLock || kind == TryRLock {
		if sig.Results().Len() != 1 || !types.Identical(sig.Results().At(0).Type(), types.Typ[types.Bool]) {
			return Effect{}
		}
	} else if sig.Results().Len() != 0 {
		return Effect{}
	}
	if recv := sig.Recv().Type(); !IsMutex(recv) && !readsOnly(kind, recv) {
		return Effect{}
	}
	return Effect{Kind: kind}
}

// readsOnly reports whether kind is a method of the read side of a lock, of
// which t may show no other side: interface{ RLock(); RUnlock() }.
func readsOnly(kind Kind, t types.Type) bool {
	switch kind {
	case RLock, RUnlock, TryRLock:
		return HasReadSide(t)
	}
	return false
}

// HasReadSide reports whether t, or a pointer to it, has the methods RLock and RUnlock.
func HasReadSide(t types.Type) bool { return hasNiladic(t, "RLock") && hasNiladic(t, "RUnlock") }

// IsMutex reports whether t, or a pointer to it, has the method set of a
// mutex: Lock() and Unlock().
func IsMutex(t types.Type) bool {
	return hasNiladic(t, "Lock") && hasNiladic(t, "Unlock")
}

// NeedsNoLock reports whether t is a plain value of the standard library that
// no mutex is there for: an atomic number, a time.
func NeedsNoLock(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return false
	}
	path := n.Obj().Pkg().Path()
	return path == "sync/atomic" || path == "time" && n.Obj().Name() == "Time"
}

// Contains reports whether fn tells whether its first argument, a list, holds
// the second.
func Contains(fn *types.Func) bool {
	return fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "slices" && fn.Name() == "Contains"
}

// EndsByCancel reports whether the context that fn makes ends with its parent, or by the
// function that is returned with it, and by nothing else, as time.
func EndsByCancel(fn *types.Func) bool {
	if fn == nil {
		return false
	}
	return fn.FullName() == "context.WithCancel" || fn.FullName() == "context.WithCancelCause"
}

// NeverDone reports whether fn gives a context that nothing cancels.
func NeverDone(fn *types.Func) bool {
	if fn == nil {
		return false
	}
	switch fn.FullName() {
	case "context.Background", "context.TODO", "context.WithoutCancel":
		return true
	}
	return false
}

// GivesEnd reports whether fn gives the channel that the end of its first argument, a context, closes.
func GivesEnd(fn *types.Func) bool { return fn != nil && fn.FullName() == "(context.Context).Done" }

// TellsEnd reports whether fn gives an error that is nil only as long as its first argument, a
// context, has not ended.
func TellsEnd(fn *types.Func) bool {
	return fn != nil && (fn.FullName() == "(context.Context).Err" || fn.FullName() == "context.Cause")
}

// IsCond reports whether t is a sync.Cond or a pointer to one.
func IsCond(t types.Type) bool {
	return isNamed(pointee(t), "sync", "Cond")
}

func hasNiladic(t types.Type, name string) bool {
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
	fn, ok := obj.(*types.Func)
	if !ok {
		return false
	}
	sig := fn.Signature()
	return sig.Params().Len() == 0 && sig.Results().Len() == 0
}

// IsConcurrentMap reports whether t is a map type whose methods are atomic
// one by one: a type for which the table has rows.
func IsConcurrentMap(t types.Type) bool {
	n, ok := types.Unalias(pointee(t)).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return false
	}
	return concurrentMaps[n.Obj().Pkg().Path()+"."+n.Obj().Name()]
}

// NoReturn reports whether a call of the library function fn never returns.
func NoReturn(fn *types.Func) bool {
	return fn.Pkg() != nil && noReturnPackages[fn.Pkg().Path()] && noReturn[fn.Origin().FullName()]
}

// Recycles reports whether fn puts its argument to an end: into a pool, from
// which another goroutine takes it.
func Recycles(fn *types.Func) bool { return fn != nil && fn.FullName() == "(*sync.Pool).Put" }

// MakesError reports whether fn makes an error and never gives nil.
func MakesError(fn *types.Func) bool {
	return fn.Pkg() != nil && errorPackages[fn.Pkg().Path()] && errorMakers[fn.Origin().FullName()]
}

// Volatile reports whether fn gives another value each time: a clock, a random
// source, a counter's next number, a temporary file.
func Volatile(fn *types.Func) bool {
	if fn.Pkg() == nil {
		return false
	}
	switch path := fn.Pkg().Path(); path {
	case "math/rand", "math/rand/v2", "crypto/rand", "github.com/google/uuid", "github.com/gofrs/uuid", "github.com/oklog/ulid", "github.com/oklog/ulid/v2", "github.com/rs/xid", "github.com/segmentio/ksuid":
		return true
	case "time":
		return fn.Name() == "Now" || fn.Name() == "Since" || fn.Name() == "Until"
	case "sync/atomic":
		return strings.HasPrefix(fn.Name(), "Add")
	case "os":
		return fn.Name() == "MkdirTemp" || fn.Name() == "CreateTemp"
	}
	return false
}

// Unique reports whether fn gives another value each time, even to two goroutines at
// once: a clock does not.
func Unique(fn *types.Func) bool {
	return Volatile(fn) && fn.Pkg().Path() != "time"
}

// Closable reports what the library says of whether values of type t must be
// closed by their last owner. A cancel function must; timers that nothing
// knows are collected. Of other types their methods tell.
func Closable(t types.Type) (yes, known bool) {
	if isNamed(t, "context", "CancelFunc") {
		return true, true
	}
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		if n, ok := types.Unalias(p.Elem()).(*types.Named); ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "time" {
			return false, true
		}
	}
	return false, false
}

// Harmless reports what the library says of whether a call of fn changes
// nothing that other code waits for: it logs, formats, makes an error, reads a
// clock, compares, converts. Of other functions their names may tell.
func Harmless(fn *types.Func) (yes, known bool) {
	if fn.Pkg() == nil {
		return true, true // error.Error
	}
	path := fn.Pkg().Path()
	if harmless[path] || Prints(fn) {
		return true, true
	}
	switch path {
	case "os":
		return looks[fn.Name()], true
	case "context":
		return fn.Name() != "AfterFunc", true
	}
	return false, false
}

// Prints reports whether the library function fn formats or logs what it gets, and
// does nothing else with it.
func Prints(fn *types.Func) bool {
	if fn.Pkg() == nil {
		return false
	}
	path := fn.Pkg().Path()
	return printing[path] || logging[fn.Name()] && (strings.Contains(path, "log") || WritesLine(fn.Signature()))
}

// Meters reports whether the library method fn sets a metric, or finds one.
func Meters(fn *types.Func) bool { return fn.Pkg() != nil && briefMethods[fn.Pkg().Path()][fn.Name()] }

// WritesLine reports whether a signature is that of a function that makes a line of a text and
// of any values, and gives nothing.
func WritesLine(sig *types.Signature) bool {
	last := sig.Params().Len() - 1
	if !sig.Variadic() || last < 1 || sig.Results().Len() > 0 {
		return false
	}
	values, ok := sig.Params().At(last).Type().Underlying().(*types.Slice)
	if !ok {
		return false
	}
	any, ok := values.Elem().Underlying().(*types.Interface)
	return ok && any.Empty()
}

// Brief reports whether a call of the library function fn ends by itself: it
// waits for nothing but its own locks, and calls back only what it is given.
func Brief(fn *types.Func) bool {
	if fn.Pkg() == nil {
		return true // error.Error
	}
	switch k := Lookup(fn).Kind; k {
	case None, RunNow, Spawn:
	case ConcurrentLoad, ConcurrentStore, ConcurrentDelete, ConcurrentRange, ConcurrentAtomic, Register, Renew, Keep, Signal, Limit, RLocker:
		return true
	default:
		if !k.OnMap() {
			return false
		}
	}
	if lingering[fn.FullName()] {
		return false
	}
	path := fn.Pkg().Path()
	if Lookup(fn).Kind == Spawn {
		// Pools and groups of others can have a limit, and wait for room.
		return !strings.Contains(path, ".")
	}
	if path == "time" || path == "os" {
		return path == "time" || briefOS[fn.Name()]
	}
	yes, _ := Harmless(fn)
	listed := brief[path] && !streams(fn) || briefMethods[path][fn.Name()] || briefFuncs[fn.FullName()]
	return yes || listed || computes(fn.Signature())
}

// streams reports whether a function gets, or is a method of what has got, a reader or a writer, on
// which it can wait: those of encoders, say.
func streams(fn *types.Func) bool {
	sig := fn.Signature()
	if recv := sig.Recv(); recv != nil {
		n, ok := types.Unalias(pointee(recv.Type())).(*types.Named)
		if ok && (strings.HasSuffix(n.Obj().Name(), "Decoder") || strings.HasSuffix(n.Obj().Name(), "Encoder")) {
			return true
		}
	}
	for v := range sig.Params().Variables() {
		iface, ok := v.Type().Underlying().(*types.Interface)
		if ok && iface.NumMethods() == 1 && (iface.Method(0).Name() == "Read" || iface.Method(0).Name() == "Write") {
			return true
		}
	}
	return false
}

// computes reports whether a function can only compute, by its signature: it
// gets plain data, gives plain data, and cannot fail. It has nothing to wait on. What it gets may be errors, too, of which
// it asks what they are, and what it gives a pointer to a copy of a value.
func computes(sig *types.Signature) bool {
	params, results := sig.Params(), sig.Results()
	if results.Len() == 0 || params.Len() == 0 && sig.Recv() == nil {
		return false
	}
	if r := sig.Recv(); r != nil && !plain(r.Type(), 0) {
		return false
	}
	for v := range params.Variables() {
		if !isData(v.Type()) && !isError(v.Type()) {
			return false
		}
	}
	for v := range results.Variables() {
		t := v.Type()
		if p, ok := t.(*types.Pointer); ok && isBasic(p.Elem()) {
			t = p.Elem()
		}
		if !isData(t) {
			return false
		}
	}
	return true
}

// isData reports whether a type is plain data, or a time.
func isData(t types.Type) bool { return plain(t, 0) || isNamed(t, "time", "Time") }

func isError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

func isBasic(t types.Type) bool {
	_, ok := t.(*types.Basic)
	return ok
}

// IsCancel reports whether a function of type t cancels a context: it ends by
// itself, and what it wakes up runs elsewhere.
func IsCancel(t types.Type) bool {
	return isNamed(t, "context", "CancelFunc") || isNamed(t, "context", "CancelCauseFunc")
}

// IsContext reports whether t is context.Context.
func IsContext(t types.Type) bool { return isNamed(t, "context", "Context") }

func isNamed(t types.Type, pkg, name string) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == pkg && n.Obj().Name() == name
}
