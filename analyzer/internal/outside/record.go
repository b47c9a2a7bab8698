// Package outside brings together what the packages of a module tell of each
// other's callers.
//
// The analysis goes package by package, with facts from callees to callers, so
// that a package never sees who calls it. A driver that has the whole module at
// hand does: each package leaves a [Record] of what it calls and what it makes of
// other packages' functions, and [Solve] gives for each function the calls in
// other packages, where these are all there can be.
package outside

import (
	"go/types"

	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/ownership"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// A Name is the full name of a declared function, the same in all packages; the
// empty name stands for code that runs when its package is initialised.
type Name string

// NameOf returns the name of a function's generic origin.
func NameOf(fn *types.Func) Name { return Name(fn.Origin().FullName()) }

// A Record is what one package tells of the functions of the module.
type Record struct {
	// Path is the package's import path, and Imports are those of the packages that it imports.
	Path    string
	Imports []string
	// Program: it is one, with a main function or, as a plugin, without. Shows: the
	// program is there to show, or to test, how the module is used.
	Program, Shows bool
	// Funcs are the functions that it declares.
	Funcs map[Name]Decl
	// Refs are its references to functions of the module, its own included.
	Refs []Ref
	// Calls are the calls of other packages' functions of which something is
	// known.
	Calls []Call
	// Steps are the calls of the package's own functions.
	Steps []Step
	// Runs tell what runs what, function by function, literals included, and Starts
	// where goroutines begin.
	Runs   []Run
	Starts map[Name]Start
	// Sends are the places where functions may send on channels that fields or package-level variables have, by the node
	// of these, and Waiting those where they wait for others.
	Sends, Waiting []Run
	// Openers are the functions, no methods, that give back an object which they have made, or what those give that stand
	// there, and nothing else.
	Openers map[Name][]Name
	// Fills are the variables that have a value whenever a function returns, of those that keep it: see [Run.Lack].
	Fills map[Name][]Name
	// Alternatives are pairs of threads of which a function that starts them starts one at most, whenever
	// it runs.
	Alternatives map[Pair]bool
	// Takes are the places where functions' values are taken: a thread that no record shows
	// can call them from then on.
	Takes []Run
	// Offers are the places where values that have methods become those of an interface: code outside
	// the module that gets such a value can call these from then on. [Sometime] offers those of which nothing tells when.
	Offers []Offer
	// Commands are the functions that are the actions of a command line: the program's
	// main goroutine runs one of them.
	Commands map[Name]bool
	// Served are the functions that a server calls from several goroutines at a time.
	Served map[Name]bool
	// Opened are the methods that it lets others call in a way that is not
	// followed: by an interface of code outside the module.
	Opened map[Name]Opening
	// Methods are the methods of types whose values become the interfaces of the
	// module, by the interface.
	Methods map[string]map[Name]bool
	// Boxers are the functions in which values that have a method become those of an interface;
	// "" of code that runs in any case.
	Boxers map[Name][]Name
	// Given are the exported methods of what its exported methods return, and of what fields and elements
	// lead to from there: who calls those by reflection, as templates do, can call these.
	Given map[Name][]Name
	// Parts are the exported methods of what fields and elements lead to from values that become those of an
	// interface that takes any. Templates says that the package executes some: these call such methods.
	Parts     map[Name]bool
	Templates bool
	// ByName says that the package calls methods that it finds by reflection. Lent are the exported methods of values that
	// a function of another module registers, which may do so.
	ByName bool
	Lent   map[Name]bool
	// Interfaces are the packages that declare interfaces of the module.
	Interfaces map[string]string
	// Changes are the interfaces of which values become others: of the module, or,
	// with an empty name, of code outside.
	Changes map[Change]bool
	// Taken are the names of interfaces' methods that it does not only call.
	Taken map[string]bool
	// TypeArgs are the methods of type arguments. Boxes says that the package makes
	// interfaces of values of a type parameter.
	TypeArgs map[Name]bool
	Boxes    bool
	// Leads are what code of the module may run beside what it refers to: see
	// [Solution.Leads].
	Leads []Lead
	// Holds tell what values of interfaces of the module can hold, and Impls which methods of the
	// module the types have that they hold, by the short name.
	Holds []Hold
	Impls map[Name]map[string]Name
	// Untold are the short names of interfaces' methods that a package calls which was not analysed;
	// the empty one says that it does with values of interfaces what is not followed at all.
	Untold map[string]bool
	// Found are the interfaces of the module to which values of interfaces outside
	// it are brought back.
	Found map[string]bool
	// Locked are the locks of other packages that this one takes.
	Locked map[*types.Var]bool
	// Assigned are the package-level variables of other packages that this one may assign.
	Assigned map[*types.Var]bool
	// Waits are the functions that may wait for another goroutine, or for what may never
	// come, in their own code.
	Waits map[Name]bool
	// Changed are the functions and methods that gave back a map which this package
	// changes: see [Gives].
	Changed map[string]bool
	// Kept are the functions of which it does something with a map that they gave back: by
	// their names, and those called by interfaces by their short names, as a [Method].
	Kept map[string]bool
}

// An Opening is how code outside the module comes to call a method.
type Opening uint8

const (
	// Sought: it has to look for the method in a value that it gets: by an interface of
	// its own, which the value may have, or by reflection.
	Sought Opening = iota + 1
	// Called: the interface that it gets has the method.
	Called
)

// Gives is the name for functions and methods of one short name that give back maps of
// one type: a method may be called by an interface.
func Gives(short string, t types.Type) string { return short + " " + t.Underlying().String() }

// A Lead is a step in the question what some code may run: from a function, an
// interface's method, or the functions of one shape, to another of these.
type Lead struct{ From, To Name }

// A Change is a conversion of values of one interface to another.
type Change struct{ From, To string }

// Method is the name of an interface's method.
func Method(iface, short string) Name { return Name(iface + "#" + short) }

// A Decl is a declared function.
type Decl struct {
	// Short is its name in its package, without the type.
	Short    string
	Exported bool
	Method   bool
	// Aside: a tool has written it, or it is there for tests.
	Aside bool
	// Sought: code outside looks for such a method, by its name and form, in values that it gets.
	Sought bool
	// Inward: types of the module stand in its signature, so that no interface that
	// is declared outside has such a method, unless a type parameter stands there.
	Inward bool
	// Outer is the node of a method that is called by an interface of code outside
	// the module.
	Outer Name
}

// A Ref is a reference to a function: a call with a record of its own, unless it
// is loose.
type Ref struct {
	From, To Name
	Loose    bool
	// Shown: the package's Runs tell what becomes of the value.
	Shown bool
}

// Anyone runs what may be run by any thread.
const Anyone Name = "?"

// A Run tells that a function runs as a part of another one, or of a goroutine; or
// that a goroutine begins in it.
type Run struct {
	From, To Name
	// By is the node of what the receiver of a call by an interface can hold: see [Hold].
	By Name
	// Looped: a loop runs it. Again: each time on the same object, as far as is known.
	// Endless: nothing bounds the loop's rounds.
	Looped, Again, Endless bool
	// Own: what the callee gets as its receiver is the caller's own receiver, or a
	// part of it that no other object has; or it is made there, which Made says.
	Own, Made bool
	// Inputs tells which inputs of the caller's declared function those of the callee are.
	Inputs Inputs
	// Through: the callee has the inputs of the caller: it stands in it, or is what it stands for.
	Through bool
	// Part: what the callee gets as its receiver is the caller's own receiver, or something
	// that fields lead to from there, which others may have as well.
	Part bool
	// Locked: a lock may be held, as far as the caller and its callers in the package tell.
	Locked bool
	// Under: a lock is held for writing in any case, as the caller itself tells.
	Under bool
	// Left: the caller may let go of a lock with which it was called, here or elsewhere.
	Left bool
	// Private: no other thread can reach the receiver yet.
	Private bool
	// Order: of two runs of one activation, the one with the lower number is over when
	// the other begins. Those with the same number may come in any order.
	Order int
	// Deferred: it begins when the caller ends, whatever the order says.
	Deferred bool
	// Above and Below: an activation that makes the run makes none of those with a number above the one and below
	// the other, which stand in other branches.
	Above, Below int
	// Span are the numbers of the block in which it stands. Named: it is a call that names what it runs, and Always:
	// the caller does not return without it.
	Span          ssautil.Span
	Named, Always bool
	// Lack is the node of the package-level variable that has no value yet wherever the run is made, and
	// that keeps its value once it has one.
	Lack Name
}

// excludes reports whether one activation of a function makes one of two runs at most.
func (r *Run) excludes(o *Run) bool {
	return r.Above < o.Order && o.Order < r.Below || o.Above < r.Order && r.Order < o.Below
}

// Inputs gives, for each input of a callee, the receiver being the first, one of the caller's, in
// four bits: its index from 1 on, 0 if it is none of the first [MaxInputs].
type Inputs uint64

// MaxInputs bounds the inputs of a function that are followed.
const MaxInputs = 15

// With notes that input i of the callee is input j of the caller.
func (x Inputs) With(i, j int) Inputs {
	if i >= MaxInputs || j >= MaxInputs {
		return x
	}
	return x | Inputs(j+1)<<(4*i)
}

// Of returns which input of the caller input i of the callee is, false if none is.
func (x Inputs) Of(i int) (j int, ok bool) {
	if i < 0 || i >= MaxInputs {
		return 0, false
	}
	j = int(x>>(4*i)&15) - 1
	return j, j >= 0
}

// A Pair is two names, in order.
type Pair [2]Name

// PairOf returns the pair of two names.
func PairOf(a, b Name) Pair { return Pair{min(a, b), max(a, b)} }

// An Offer is a place where a value becomes one of an interface, by which a method of the value may be called from
// then on; of an interface of the module, with its name, if that becomes one of code outside.
type Offer struct {
	From, To Name
	Order    int
	Iface    string
}

// A Start is where a goroutine begins.
type Start struct {
	// Owner is the declared function in which it begins.
	Owner Name
	// Many: several begin there, on the same objects.
	Many bool
	// Several: they run at one time, as far as nothing waits in the loop that starts them.
	Several bool
	// Given: each gets something of its own from the loop that starts them, as an argument or in a variable.
	Given bool
	// Serves: it goes on until it is told to stop; or its starter brings its object
	// into service. There is one for each object.
	Serves bool
	// Awaited: it is over when the call returns that starts it.
	Awaited bool
	// Over: what its starter does behind that number comes when it is over; 0 if that is not known.
	Over int
	// Fed are the channels from which it gets all its work, as the nodes of fields and package-level variables.
	Fed []Name
	// Accepted: several begin there, one for each connection that a listener accepts.
	Accepted bool
}

// A Call is one call of another package's function.
type Call struct {
	// Caller is the declared function in which it stands, and Said its name.
	Caller Name
	Said   string
	Callee Name
	Kind   summary.CallKind
	// Held are the locks that are held for sure, in the callee's terms.
	Held []Lock
	// Fates are who can reach the arguments: Owned or Shared.
	Fates []ownership.Fate
	// Init: the caller runs only while its package is initialised. Once: it runs
	// at most once.
	Init, Once bool
	// Ones are the arguments that are the number 1, by their index, where the caller makes the object for the call.
	Ones []int
	// Behind are the methods that the caller has called on the same object before, in any case.
	Behind []Earlier
	Passage
}

// An Earlier is a call on the object of another call, before it, and the functions of the same package that get the
// object in between.
type Earlier struct {
	Func  Name
	Since []Name
}

// A Step is a call of one of the package's own functions.
type Step struct {
	From, To Name
	Passage
}

// A Passage is what becomes, at a call, of the locks with which its caller runs, by
// their fields and variables: what the callers of the caller hold is held here, too.
type Passage struct {
	// Takes are the locks that are held for sure, in the caller itself or by its
	// callers in the package.
	Takes []Lock
	// Drops are those that the caller may have let go.
	Drops []*types.Var
	// Apart: it does not run as a part of its caller, as in a goroutine, or nothing
	// tells when it runs.
	Apart bool
}

// A Lock is one that a caller holds: as the callee names it, or, where it cannot,
// some instance of a field.
type Lock struct {
	Path  summary.PathFact
	Place *types.Var
	Mode  locks.Mode
}

// A Context is what is known of the calls of a function in other packages.
type Context struct {
	Calls []*Call
	// Dead: nothing that runs refers to the function.
	Dead bool
	// Assumed: other modules can call it, too.
	Assumed bool
	// Own: its own package alone calls it in this module.
	Own bool
}
