// Package summary holds what is known of a function without looking at its
// body: its accesses to maps, its effect on locks, and which results rest on
// which reads, all in terms of its parameters and of package-level variables.
package summary

import (
	"go/token"
	"go/types"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/lockset"
	"github.com/mapguard/mapguard/analyzer/internal/ownership"
)

// Bounds on what a summary passes on to callers. They keep the cost of a call
// constant, so that the whole analysis stays linear in the code.
const (
	// MaxAccesses is the number of accesses that callers see.
	MaxAccesses = 24
	// MaxDepth is the number of calls through which an access is followed.
	MaxDepth = 3
)

// A Pair is a check and an act of one function that depends on it.
// Check and Act index Func.Accesses.
type Pair struct {
	Check, Act int
	// Control: the act stands under a branch that uses the check.
	Control bool
	// Data: the value that the act writes is computed from the check.
	Data bool
	// KeyOnly: nothing but the act's key comes from the check.
	KeyOnly bool
	// Chosen: the act's key depends on the check.
	Chosen bool
	// Ordered: how the content compares with something, less or greater,
	// decides on the act.
	Ordered bool
	// Unique: the act's key is a new one each time: nobody else has it.
	Unique bool
	// Same: the act stores the very object that was looked up.
	Same bool
	// Answered: the acting call says whether there was anything to act on, and
	// the function asks.
	Answered bool
	// Weak: nothing but an argument of the acting call comes from the check.
	Weak bool
	// Ends: what was looked up is put to an end on the act's path, in a way
	// that must not happen twice: a channel closed, an object recycled.
	Ends bool
	// Taken: the function returns the content that it looked up after it has
	// deleted the entry.
	Taken bool
	// Content: more than presence of the entry decides.
	Content bool
	// Returned: the function returns what it looked up or inserted.
	Returned bool
	// Generation: in the act's critical section the act depends on a fresh
	// look at the entry that the check found, a reference count or a "dead" flag.
	Generation bool
	// Effects: the check decides on more than the act: calls whose results
	// do not go into it, a send, a goroutine.
	Effects bool
}

// A Result describes one result of a function.
type Result struct {
	// Path is set when the result is storage reached from the parameters.
	Path accesspath.Path
	// Checks index the accesses that the result depends on.
	Checks []int
	// Volatile: the result is another one at each call: a number from a
	// counter, the time, a random identifier.
	Volatile bool
	// Releases are the locks that calling the result releases.
	Releases []accesspath.Path
}

// A CallKind says how a callee is run.
type CallKind uint8

const (
	// Direct is a call, or a closure that its receiver runs at once.
	Direct CallKind = iota
	// Deferred runs at the function's end.
	Deferred
	// Goroutine runs concurrently.
	Goroutine
	// OnceOnly runs at most once.
	OnceOnly
	// Escaped: the function value goes where it may be called at any time.
	Escaped
)

// A Call is one call of a function of the same package.
type Call struct {
	Callee any // as accesspath.FuncKey gives it
	Kind   CallKind
	Pos    token.Pos
	Held   lockset.State
	Args   []accesspath.Path
	// Owned tells who knows the arguments, and Captured who knows what a
	// literal captures, in the order of its ownership. A goroutine owns what
	// its starter hands over to it.
	Owned, Captured []ownership.Fate
	// Kept are the objects, of those that a goroutine gets, that its starter
	// also returns or stores.
	Kept []accesspath.Path
	// Stored: the literal is put into a field, a variable or a container.
	Stored bool
	// Option: the literal is returned as a value of a named function type, as
	// functional options are: it is applied to an object under construction.
	Option bool
	// Then are the go statements that can follow this one in the same call
	// while its goroutine runs, and Beside the starter's accesses that can.
	Then   []token.Pos
	Beside []int
	// Renewed are the objects that each round of the loop around the go
	// statement makes anew.
	Renewed []accesspath.Path
	// Around are the locks that the starter of a goroutine holds from the
	// start of it until it has waited for it.
	Around []lockset.Held
	// Looped: the call stands in a loop.
	Looped bool
	// Registered: a server runs it, once for each request.
	Registered bool
	// Many: several goroutines run it on the same objects.
	Many bool
}

// A Run is a call of a function-typed parameter.
type Run struct {
	Param int
	Kind  CallKind
	Held  lockset.State
}

// An Effect is what a call does to the locks that are held.
type Effect struct {
	// Acquired are held on return and were not before.
	Acquired []lockset.Held
	// Released may have been released during the call; one that is also in
	// Acquired was dropped and taken again.
	Released []accesspath.Path
}

// A LockStep is one place where a function takes or releases a lock.
type LockStep struct {
	Lock    accesspath.Path
	Pos     token.Pos
	Acquire bool
	// Deferred: it runs when the function returns.
	Deferred bool
	// Acq is the acquisition, if it is one.
	Acq lockset.Acq
}

// A Func is the summary of one function.
type Func struct {
	Key  any // as accesspath.FuncKey gives it
	Obj  *types.Func
	Name string // as messages write it
	Pos  token.Pos

	Accesses []access.Access
	// Visible are the indices of the accesses that callers see.
	Visible []int
	Pairs   []Pair
	Effect  Effect
	Results []Result
	Calls   []Call
	// Runs are the function parameters that it calls.
	Runs []Run
	// Captures gives, for each captured variable of a literal, the accesses
	// whose outcome it leaves there.
	Captures [][]int
	// Locking are the places where the function itself takes and releases
	// locks, in the order of its blocks; facts leave them out.
	Locking []LockStep
	// Uses gives, for an act of a pair, where the function returns what the
	// act stores; facts leave them out.
	Uses map[int]token.Pos
	// Own is what a call does to the ownership of what it gets.
	Own *ownership.Func
	// Spawns: it, or a function that it calls, starts goroutines.
	Spawns bool
	// Imported: it belongs to another package and was read from its fact.
	Imported bool
}

// Exported reports whether the access means something to callers: its path
// starts at a parameter or a package-level variable.
func Exported(a *access.Access) bool {
	if a.Depth >= MaxDepth || a.Op == access.Return {
		return false
	}
	switch a.Path.Root().Kind {
	case accesspath.Param, accesspath.Global:
		return true
	}
	return false
}
