// Package machine runs a program in all interleavings of its goroutines and
// judges it.
//
// A program is compiled to a list of instructions per function. A step of a
// goroutine is one instruction that another goroutine can notice (an access to
// a map or an item, taking a lock, waiting) and all instructions after it that
// cannot be noticed. Releasing a lock belongs to the latter: it is always
// possible and disables nothing, so it commutes to the left of what others do.
// States that were met before are not entered again.
//
// Each register carries the looks (reads of a map) that its value depends on,
// by data and by control. A look goes stale when another goroutine changes
// what was looked at; an act that depends on a stale look is a stale decision,
// unless it depends by control alone and a later look of the same question is
// still fresh.
//
// The outcome of an execution is what all operations return, what the maps
// hold and how often the user was called back for each key; items are told
// apart by their identity alone. It is serializable if some execution in which
// an operation begins only when no other is under way has the same outcome.
package machine
