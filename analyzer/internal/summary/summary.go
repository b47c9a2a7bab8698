// Package summary holds what is known of a function without looking at its
// body: its accesses to maps, its effect on locks, and which results rest on
// which reads, all in terms of its parameters and of package-level variables.
package summary

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/callback"
	"github.com/mapguard/mapguard/analyzer/internal/depend"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/ownership"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// Bounds on what a summary passes on to callers. They keep the cost of a call
// constant, so that the whole analysis stays linear in the code.
const (
	// MaxAccesses is the number of accesses that callers see.
	MaxAccesses = 24
	// MaxDepth is the number of calls through which an access is followed.
	MaxDepth = 3
)

// A Mark is a place where a flag, or an entry under a key, that may be a lock is set, or
// taken back, or where a flag is read.
type Mark struct {
	Lock accesspath.Path
	Puts bool
	// Asks: it only reads the mark, which is not set where the branch behind that goes to its side Side.
	Asks bool
	Side int
	// Point is where that is; Deferred: when the function ends.
	Point    ssautil.Point
	Deferred bool
	// Latch: the mark is never taken back, but where control has waited for Waits; Seen is what was held there.
	Latch bool
	Waits []accesspath.Path
	// Atomic: it is an atomic operation; one that sets the mark has found in the same step that it was not set.
	Atomic bool
	// Held is what is held there, and Seen what was held where it was found not to be set.
	Seen, Held locks.State
}

// A Pair is a check and an act of one function that depends on it.
// Check and Act index Func.Accesses.
type Pair struct {
	Check, Act int
	depend.Dependence
}

// A Version is a counter of which an act asks whether it has the value that it had at a look, or before it; or, among
// Func.Rooms, one that is added to the size that the look asks for, and is counted up until the act.
// Check and Act index Func.Accesses.
type Version struct {
	Check, Act int
	Counter    accesspath.Path
}

// A Result describes one result of a function.
type Result struct {
	// Path is set when the result is storage reached from the parameters.
	Path accesspath.Path
	// Apart are fields of Path that the result holds other values in: it is no
	// name of what lies at Path, but a copy.
	Apart []accesspath.Path
	// Checks index the accesses that the result depends on, and Senses say how
	// it tells the presence of what each of them looked up.
	Checks []int
	Senses []depend.Sense
	// Misses say how it tells presence, as far as what it is where each of them found nothing goes, and
	// no further: false there, it can be false where there is an entry, too. Facts leave them out.
	Misses []depend.Sense
	// Volatile: the result is another one at each call: a number from a
	// counter, the time, a random identifier.
	Volatile bool
	// Releases are the locks that calling the result releases.
	Releases []accesspath.Path
	// Funcs are functions that the result can be; facts leave them out, since
	// literals are known in their package only.
	Funcs []FuncValue
	// Leads are what the fields of the result lead to, if that is an object made for it; facts leave them out.
	Leads []Lead
	// Fetch are the locks that a function of another package holds where it reads the map that it gives
	// back; of one of this package, its accesses tell. The top element if it is not known.
	Fetch locks.State
	// Counter is what the result has been read from, if it is a counter, and CountedAt index the accesses in
	// whose sections it was, or before. Facts leave them out.
	Counter   accesspath.Path
	CountedAt []int
}

// A Lead is a field of a new object, and what it leads to that others know.
type Lead struct {
	Field *types.Var
	To    accesspath.Path
}

// Sense returns how the result tells the presence of what its k-th check
// looked up.
func (r *Result) Sense(k int) depend.Sense {
	if k < len(r.Senses) {
		return r.Senses[k]
	}
	return depend.NoSense
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

// InPlace reports whether the callee runs as a part of its caller each time, with the
// locks that the caller holds.
func (k CallKind) InPlace() bool { return k == Direct || k == Deferred }

// SameThread reports whether the callee runs in its caller's thread.
func (k CallKind) SameThread() bool { return k != Goroutine && k != Escaped }

// A Call is one call of a function of the same package.
type Call struct {
	Callee any // as accesspath.FuncKey gives it
	Kind   CallKind
	Pos    token.Pos
	Point  ssautil.Point
	Held   locks.State
	Args   []accesspath.Path
	// Replaced are those of Args that name an object which the caller has made and put there
	// before: not the one that was there when it began.
	Replaced []accesspath.Path
	// Owned tells who knows the arguments, and Captured who knows what a
	// literal captures, in the order of its ownership. A goroutine owns what
	// its starter hands over to it.
	Owned, Captured []ownership.Fate
	// Fate says what else becomes of a function that escapes: it is kept,
	// returned, or given to unknown code.
	Fate callback.Fate
	// Bound are the callee's parameters, and those of a function around it,
	// that were given before: when the value was made, or by who runs it.
	Bound []Binding
	// Option: the literal is returned as a value of a named function type, as
	// functional options are: it is applied to an object under construction.
	Option bool
	// Tended: it is kept where one goroutine, which the call starts or which another
	// call on the same object does, calls it time and again; nothing else does.
	Tended bool
	// Around are the locks that the starter of a goroutine takes, and holds from
	// the start of it until it has waited for it.
	Around []locks.Held
	// Given are those that it takes, and that the goroutine unlocks for it.
	Given []locks.Held
	// Claim is the flag, never set back, that the caller has set, which no
	// other one does.
	Claim accesspath.Path
	// Claimed: control comes to the call once by that claim, in no loop behind it.
	Claimed bool
	// Latch is such a flag that is set back when the goroutine has ended that the call starts.
	Latch accesspath.Path
	// Guessed: an unknown function gets the callee, and most likely runs it at once.
	Guessed bool
	// Waits are what each path to the call has waited for.
	Waits []accesspath.Path
	// Looped: the call stands in a loop.
	Looped bool
	// Registered: a server runs it, once for each request.
	Registered bool
	// Queue names the goroutine of a library that runs it, in turn with others.
	Queue string
	// Many: several goroutines run it on the same objects.
	Many bool
	// Turns: several do in turn, under a lock that the callee has around it.
	Turns bool
	// Again: a loop starts another goroutine that runs it while one may go on, on whatever objects; of a call that leaves
	// goroutines running, a loop makes it again meanwhile.
	Again bool
	// Repeats: what runs it does so time and again, until it is told to stop.
	Repeats bool
	// Round counts the rounds of a loop over a list that has the callee once, if the call runs the function of
	// the round; the loop may be that of a function around the literal which makes the call.
	Round ssa.Value
	// Start is set when the call starts a goroutine, or leaves one running.
	*Start
}

// A Start is what is known of the goroutine that a call starts, or of those that
// it leaves running.
type Start struct {
	// Kept are the objects, of those that a goroutine gets, that its starter
	// also returns or stores.
	Kept []accesspath.Path
	// Beside are the accesses of the starter that can follow the go statement
	// in the same call while its goroutine runs, and After its calls. A call that
	// leaves goroutines running has them too.
	Beside []int
	After  []int
	// Others are the arguments of such calls that are of another round of the loop around the go statement.
	Others []Arg
	// Signals tell how others learn that a goroutine has ended, and Relays what it has
	// waited for before it gives them.
	Signals Signals
	Relays  []Relay
	// Vouched are the signals that its starter, itself a goroutine, gives only when it has ended.
	Vouched []accesspath.Path
	// Leaves: a goroutine that starts here can run on when the caller has
	// returned.
	Leaves bool
	// Unheard: its body is unknown, and on some path the caller waits for nothing but channels that it does not get.
	Unheard bool
	// Over is the number of the last of the starter's instructions (see [ssautil.Order]) beside which the goroutine can run;
	// 0 if it can run on, or that is not known.
	Over int
	// Failing: it can only where the caller returns an error before the wait, as
	// functions do that check their input between two go statements.
	Failing bool
	// Until is what is held at the waits that end it; top if there is none on
	// some path, unless the caller fails there.
	Until locks.State
	// Lone: there could be several, but the call gives the number 1 for them.
	Lone bool
	// Room is the parameter that says how many goroutines run at a time which the call starts, if one does (see [Run]).
	Room accesspath.Path
	// Renewed are the objects that each round of the loop around the go
	// statement makes anew.
	Renewed []accesspath.Path
	// Links are what the fields of objects made for a goroutine point to.
	Links []Link
	// Put tells, by the arguments, which of them the goroutine gets from a field that its starter has just given
	// an object; nil if it gets none so.
	Put []Placed
}

// An Arg is an argument of a call, both by their index.
type Arg struct{ Call, Index int }

// A Placed is an object that a function has made and put into a field just before it takes it from there again. What was
// held in between tells whether others could put another one there.
type Placed struct {
	Object accesspath.Path
	Held   locks.State
}

// A Link is a pointer in a field: the field, and what it points to.
type Link struct{ Field, To accesspath.Path }

// A Binding is a parameter with what it stands for, in the terms of those who
// use the function value.
type Binding struct {
	Param, Arg accesspath.Path
	// Own is who can reach the object when the function is used, as the user
	// knows it; of what a runner makes for it, Owned.
	Own ownership.Value
}

// A FuncValue is a function that a result can be. Its paths start at the
// parameters of the function that made the value: these are bound.
type FuncValue struct {
	Key   any // as accesspath.FuncKey gives it
	Bound []Binding
}

// A Run is what a function does with a function value that it gets.
type Run struct {
	// Func is the parameter: the function's own, or that of a function around
	// the literal.
	Func accesspath.Path
	// Fate is a single one, not NotRun.
	Fate callback.Fate
	// Held are the locks that the function takes around the run.
	Held locks.State
	// Many: several goroutines run it at once, as far as locks allow. It is known
	// of those that are awaited.
	Many bool
	// Turns: several goroutines run it, but one after the other, under a lock that they have in common.
	Turns bool
	// Room is the parameter on which Many depends, if there is one: who gives it the
	// number 1, or no list, has one goroutine at a time run it.
	Room accesspath.Path
	// Lone: there could be several, but the function itself gives that number 1.
	Lone bool
	// Tended: what is kept is called by one goroutine alone, time and again.
	Tended bool
	// Ended is the outcome with which the function returns only when a goroutine that runs it has ended, or never
	// begins; none, if its Result is 0.
	Ended locks.Cond
	// Given is what it passes, as far as that can be named. The parameters
	// are those of [Ran], which stands for whatever is run.
	Given []Binding
	// Checks index the accesses on whose outcome the run depends, or that give
	// what is passed.
	Checks []int
}

// Ran is the function whose parameters a Run speaks of.
type Ran struct{}

// A LockStep is one place where a function takes or releases a lock.
type LockStep struct {
	Lock  accesspath.Path
	Pos   token.Pos
	Point ssautil.Point
	// Held are the locks held just before.
	Held    locks.State
	Acquire bool
	// Deferred: it runs when the function returns.
	Deferred bool
	// Sec is the critical section that it opens, if it takes the lock.
	Sec locks.Sections
}

// A Func is the summary of one function.
type Func struct {
	Key  any // as accesspath.FuncKey gives it
	Obj  *types.Func
	Name string // as messages write it
	Pos  token.Pos

	// Flow orders the points of the function; nil for an imported one.
	Flow *ssautil.Flow

	Accesses []access.Access
	// Visible are the indices of the accesses that callers see.
	Visible []int
	Pairs   []Pair
	// Versions are the counters by which acts of pairs know that nothing has changed since the look, and
	// Counts those that the function counts up, whatever it does, in a section of its caller. Facts leave
	// them out, since only the package itself shows that all changes count.
	Versions []Version
	Counts   []accesspath.Path
	// Rooms are the counters that keep room for what acts of pairs put in; facts leave them out, too.
	Rooms   []Version
	Effect  locks.Effect
	Results []Result
	Calls   []Call
	// Elsewhere are the calls of other packages' functions, and of interfaces'
	// methods, where these are to know of them; facts leave them out.
	Elsewhere []Call
	// Runs are what it does with the functions that it gets.
	Runs []Run
	// Wraps are the interfaces that it gets of which it has only the methods called; of the package's own functions
	// nothing is noted before the facts are made.
	Wraps []Wrap
	// Chains are the dependences between these functions.
	Chains []Chain
	// Captures gives, for each captured variable of a literal, what it leaves
	// there.
	Captures [][]Capture
	// Fetches gives, for a captured variable in which a literal leaves a map, the locks that are
	// held where it reads that from its place.
	Fetches map[int]locks.State
	// Feeds gives, for an act of a literal, the captured variables from which it
	// computes what it writes.
	Feeds map[int][]int
	// Marks are the places where the function sets marks, or takes them back; facts leave
	// them out, since only the package's own code does.
	Marks []Mark
	// Locking are the places where the function itself takes and releases
	// locks, in the order of its blocks; facts leave them out.
	Locking []LockStep
	// Stays are the places where it may wait for others or runs code that is
	// not known, its callees' left out. Of an imported function, Calm says that
	// there is none in all that it does, and that it takes no lock; CalmWith, that this is so
	// but for calls of the functions that it gets as parameters.
	Stays          []Stay
	Calm, CalmWith bool
	// Work says what the method does by which others learn when nothing runs any more of what its object was given to run.
	Work Work
	// Uses gives, for an act of a pair, where the function returns what the
	// act stores; facts leave them out.
	Uses map[int]token.Pos
	// Looks are the acts of callees before which the callee itself has looked,
	// in the act's critical section; facts leave them out.
	Looks map[int]bool
	// Own is what a call does to the ownership of what it gets.
	Own *ownership.Func
	// Spawns: it, or a function that it calls, starts goroutines.
	Spawns bool
	// Asks: by its name or documentation, it expects its callers to hold a lock.
	Asks bool
	// Cuts name the bounds that cut its analysis short; facts leave them out.
	Cuts []string
	// Unread: it was too long to be analysed; facts leave it out as well.
	Unread bool
	// Signals are the groups and channels on which it says that it has come
	// so far, Waits those for which each return of it has waited, Told those for
	// which a return has waited by what it returns, and Lives,
	// if goroutines run on when it has returned, what all of these signal on.
	// Relays tell what it has waited for before it signals.
	// Facts leave them out: who waits for what seldom crosses packages.
	Signals []accesspath.Path
	Waits   []accesspath.Path
	Told    []Told
	Lives   *Signals
	Relays  []Relay
	// Imported: it belongs to another package and was read from its fact.
	Imported bool
}

// A Capture is the outcome of a look in a variable that a literal captures.
type Capture struct {
	// Check is the look, an index of the accesses.
	Check int
	// Sense says how the variable tells presence, if nothing else sets it; Presence
	// that it tells no more than that.
	Sense    depend.Sense
	Presence bool
}

// Cut notes that a bound ended a part of the analysis of the function.
func (f *Func) Cut(what string) {
	if !slices.Contains(f.Cuts, what) {
		f.Cuts = append(f.Cuts, what)
	}
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
