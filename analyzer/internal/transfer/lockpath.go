package transfer

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// lockPath returns the lock that a Lock method on p, whose value is v, takes. One of an object that is put into a map where none was
// found has the name that the map has for it.
func (a *Env) lockPath(p accesspath.Path, v ssa.Value) (lock accesspath.Path, reading bool) {
	lock, reading = a.ownPath(p, v)
	if _, boxed := v.(*ssa.MakeInterface); boxed {
		return lock, reading
	}
	at, _ := v.(ssa.Instruction)
	return a.asPut(lock, at), reading
}

// ownPath is lockPath by the name that a lock has by the object that it is a part of.
// An interface that holds a struct with an embedded mutex leads to that mutex,
// as the direct call does; an RLocker leads to its mutex, for reading, and what is either of the two to that, too.
func (a *Env) ownPath(p accesspath.Path, v ssa.Value) (lock accesspath.Path, reading bool) {
	if k := p.Key(); k.Root().Kind == accesspath.Const && k.Root().Const == model.RLockerKey {
		return p.Parent(), true
	}
	if phi, ok := v.(*ssa.Phi); ok {
		if lock, reading, ok := a.eitherSide(phi); ok {
			return lock, reading
		}
	}
	mi, ok := v.(*ssa.MakeInterface)
	if !ok {
		return a.asBrought(a.asJoined(a.whole(p, v))), false
	}
	t := mi.X.Type()
	if isLockAlone(t) {
		return p, false
	}
	_, index, _ := types.LookupFieldOrMethod(t, true, nil, "Lock")
	return a.embedded(p, t, index), false
}

// eitherSide returns the mutex of which a value is one side or the other, as the branch was that came there. Who chooses the
// side knows what is done under it, so that it counts as held for writing, unless each is for reading. Not ok if it may be another's.
func (a *Env) eitherSide(phi *ssa.Phi) (lock accesspath.Path, reading, ok bool) {
	reading, some := true, false
	for i, edge := range phi.Edges {
		if _, again := edge.(*ssa.Phi); again {
			return lock, false, false
		}
		l, r := a.lockPath(a.Paths.Of(edge), edge)
		if !l.Known() || i > 0 && l != lock {
			return lock, false, false
		}
		lock, reading, some = l, reading && r, some || r
	}
	return lock, reading, some
}

// asJoined names the lock of a new object as it is named from where a branch joins: where one has found the object and
// the other has made it and put it there, both have taken one lock.
func (a *Env) asJoined(lock accesspath.Path) accesspath.Path {
	made, ok := lock.Root().Val.(*ssa.Alloc)
	if !ok {
		return lock
	}
	for _, r := range *made.Referrers() {
		phi, ok := r.(*ssa.Phi)
		if !ok || phi.Block().Dominates(made.Block()) {
			continue // at the head of a loop, it is the object of the round before
		}
		if at := a.Paths.Of(phi); at.Known() && at.Root().Val != ssa.Value(made) {
			return a.Paths.Rebase(lock, a.Paths.Root(lock.Root()), at)
		}
	}
	return lock
}

// LockPath returns the lock that a Lock method on v takes.
func (a *Env) LockPath(v ssa.Value) accesspath.Path {
	lock, _ := a.lockPath(a.Paths.Of(v), v)
	return lock
}

// whole returns the outermost value that is the lock of which v, at path p, is
// the inside: a struct that holds nothing but a mutex and what belongs to it,
// as wrappers of sync.Mutex do.
func (a *Env) whole(p accesspath.Path, v ssa.Value) accesspath.Path {
	for {
		if ld, ok := v.(*ssa.UnOp); ok {
			v = ld.X // an embedded pointer
		}
		f, ok := v.(*ssa.FieldAddr)
		if !ok || !isLockAlone(f.X.Type()) {
			return p
		}
		v, p = f.X, a.Paths.Of(f.X)
	}
}

// onlyLock reports whether a call locks or unlocks a value that is a lock and
// nothing else, or of which only the methods are known: then the lock is the
// value, whatever its methods do inside.
func onlyLock(k model.Kind, recv ssa.Value) bool {
	return k.Locks() && recv != nil && (types.IsInterface(recv.Type()) || isLockAlone(recv.Type()))
}

// isLockAlone reports whether a type, or what it points to, is a struct that is
// a mutex and has nothing that a mutex protects: its fields are mutexes, and
// numbers, names, times and counters for those who debug it.
func isLockAlone(t types.Type) bool {
	t = ssautil.Pointee(t)
	st, ok := t.Underlying().(*types.Struct)
	if !ok || st.NumFields() == 0 || !model.IsMutex(t) {
		return false
	}
	for i := range st.NumFields() {
		f := st.Field(i).Type()
		if _, basic := f.Underlying().(*types.Basic); !basic && !model.IsMutex(f) && !model.NeedsNoLock(f) {
			return false
		}
	}
	return true
}

// substituteLock is substitute for locks: a lock that the callee got as a
// parameter is the one that the argument leads to.
func (a *Env) substituteLock(p accesspath.Path, t target, at ssa.Instruction) accesspath.Path {
	return a.asPut(a.ownLock(p, t, at), at)
}

// ownLock is substituteLock by the name that a lock has by the object that it is a part of.
func (a *Env) ownLock(p accesspath.Path, t target, at ssa.Instruction) accesspath.Path {
	r := p.Root()
	argument := r.Kind == accesspath.Param && r.Fn == t.key && r.Index < len(t.args)
	if argument {
		if own := a.asDispatched(p, t, at); own.Known() {
			return own
		}
	}
	q := a.substitute(p, t, at)
	if p.Depth() == 0 && argument {
		q, _ = a.ownPath(q, t.args[r.Index])
	}
	return a.asBrought(q)
}

// readLock reports whether the callee gets the read lock of a mutex as the lock at
// path p.
func (a *Env) readLock(p accesspath.Path, t target) bool {
	r := p.Root()
	if p.Depth() > 0 || r.Kind != accesspath.Param || r.Fn != t.key || r.Index >= len(t.args) {
		return false
	}
	_, reading := a.lockPath(a.Paths.Of(t.args[r.Index]), t.args[r.Index])
	return reading
}
