// Package locks is the theory of locks: for each lock, what is held at a point
// of a function, in which mode, in which critical section, and where that
// came from.
//
// A [State] is a set of cases. A [Case] tells, of some of the paths that lead
// to the point, which locks they changed, which deferred calls they
// registered, and which branch outcomes they have in common. Two paths that
// did the same to the locks are one case, so the straight-line function has
// one, and
//
//	if locking { mu.Lock() }
//
// leaves two: mu is held where locking is true, and nothing changed where it
// is false. Must-held is what every case holds; a lock that some cases hold is
// held perhaps, and never in that set.
//
// What a case says of one lock is a set of possibilities, relative to the
// function's entry: it is as it was at entry, it was taken here, or the
// caller's hold of it was given up; the zero set of changes is a lock that
// was not touched. So a state is also a function's effect: [State.Then] runs a
// callee's effect, or the part of it up to one access, after what the caller
// did. A callee that gives a lock up and takes it again leaves it held if it
// was held at entry, in a new section.
//
// Order, top and bottom: a state is lower the less it promises. Top is the
// state of a point that no path reaches; it promises everything. Merge is the
// union of the cases and so the greatest lower bound. A state with more than
// [MaxCases] cases widens: it becomes one case, lock by lock the union of the
// possibilities, and stays one from then on; [State.Widened] says so. Bottom is
// the widened state in which every lock may be anything.
//
// The height is bounded: a function names finitely many locks, conditions and
// sections; a state of several cases has at most MaxCases of them, and in a
// widened one each lock gains at most four possibilities, one weaker mode and
// four sections before its sections are [Many].
package locks
