// Package depend is the theory of what hangs on a look: which acts depend on
// it, in which way, and what else the function does because of it.
//
// A look at a map gives values, its outcomes. What depends on them is a forward
// slice: the values computed from them, and the blocks that run or not because
// of them (control dependence after Ferrante, Ottenstein and Warren, 1987). A
// [Dependence] describes one act on such a slice: a set of [Traits], and the
// [Polarity] of the look on the act's path.
//
// Slices only grow, over a finite set of values and blocks, so that solving
// ends; its cost is linear in the uses of the values reached.
package depend

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// Traits say in which ways an act depends on a look.
type Traits uint32

// The ways, one bit each.
const (
	// Control: the act stands under a branch that uses the look.
	Control Traits = 1 << iota
	// Data: the value that the act writes is computed from the look.
	Data
	// KeyOnly: nothing but the act's key comes from the look.
	KeyOnly
	// Chosen: the act's key depends on the look.
	Chosen
	// Weak: nothing but an argument of the acting call comes from the look.
	Weak
	// Content: more than the presence of the entry decides.
	Content
	// Ordered: how the content compares with something, less or greater,
	// decides on the act.
	Ordered
	// Unique: the act's key is a new one each time: no other goroutine has it.
	Unique
	// Same: the act stores the very object that was looked up.
	Same
	// Answered: the acting call says whether there was anything to act on,
	// and the function asks.
	Answered
	// Ends: what was looked up is put to an end on the act's path, in a way
	// that must not happen twice: a channel closed, an object recycled.
	Ends
	// Used: on the way from the look to the act, something is done with what
	// was looked up: a call on it, a send, an update.
	Used
	// Spent: after the act, something is done with what was looked up.
	Spent
	// Taken: the function returns the content that it looked up after it has
	// deleted the entry.
	Taken
	// Returned: the function returns what it looked up or inserted.
	Returned
	// Generation: in the act's critical section the act depends on a fresh
	// look at the entry that was found: a reference count or a "dead" flag.
	Generation
	// Effects: the look decides on more than the act: calls whose results do
	// not go into it, a send, a goroutine.
	Effects
	// Told: callers learn from the results whether the act was done: one who
	// is refused gets another constant, or an error in place of nil.
	Told
	// Compared: a branch in the act's critical section compares the look with
	// what is in the map now, as a compare-and-swap does.
	Compared
	// Ensured: the act is itself a look, which relies on what the first look
	// made sure of: that the entry is there.
	Ensured
	// Seen: the content that the look found goes somewhere. Else all that the
	// function knows of the entry is whether there was one.
	Seen
	// Again: on each way on which the look's section ends, if there is one,
	// another look asks the same before the act.
	Again
	// Own: the function returns the object that it made for the entry also where
	// it does not put it in, and callers cannot tell.
	Own
	// Memo: callers who find the entry get what it says, and so does one who does
	// not, who makes it and puts it in: an entry that is gone is made again.
	Memo
	// Follows: some of the effects come after the act, or a goroutine begins: the
	// entry says who does it. What comes before, the entry records as done.
	Follows
	// Emptied: whether there is anything in what the entry holds decides on the act.
	Emptied
	// Lasting: one of the effects adds to what is there, so that it is there twice when
	// two come: a goroutine begins, a channel is sent something, a counter goes up.
	Lasting
	// Whether: the look asks whether there is a map, or anything in it, and an entry
	// is put in either way.
	Whether
	// Regardless: an entry is deleted where the look found none, too: that there is one
	// is not why.
	Regardless
	// Walked: the act's key is one that a walk over the map has found.
	Walked
)

var traitNames = []string{
	"control", "data", "key only", "chosen", "weak", "content", "ordered", "unique", "same", "answered",
	"ends", "used", "spent", "taken", "returned", "generation", "effects", "told", "compared", "ensured", "seen", "again", "own",
	"memo", "follows", "emptied", "lasting", "whether", "regardless", "walked",
}

// Has reports whether all of u are among t.
func (t Traits) Has(u Traits) bool { return t&u == u }

// String lists the traits by name.
func (t Traits) String() string {
	var out []string
	for i, name := range traitNames {
		if t&(1<<i) != 0 {
			out = append(out, name)
		}
	}
	if len(out) == 0 {
		return "independent"
	}
	return strings.Join(out, ", ")
}

// with returns t with u where cond holds.
func (t Traits) with(u Traits, cond bool) Traits {
	if cond {
		return t | u
	}
	return t
}

// A Dependence is how one act depends on one look.
type Dependence struct {
	Traits
	Polarity Polarity
}

// String writes the dependence for people.
func (d Dependence) String() string { return d.Traits.String() + " (" + d.Polarity.String() + ")" }

// An Env is what the theory may know beyond one function.
type Env struct {
	Paths *accesspath.Builder
	// Effectful reports whether a call changes something that others wait
	// for: it does not only log, format or lock.
	Effectful func(*ssa.Call) bool
	// Lasting reports whether what an effectful call does is there twice when it is
	// made twice.
	Lasting func(*ssa.Call) bool
	// Starts reports whether a call starts a goroutine.
	Starts func(*ssa.Call) bool
	// Tidies reports whether all that a call does is to change the map at
	// path.
	Tidies func(call *ssa.Call, path accesspath.Path) bool
	// Volatile reports whether a function of the module gives another result
	// each time.
	Volatile func(*types.Func) bool
	// Counter returns the counter of which a result of a call is the value, the unknown path if
	// it is not known to be one.
	Counter func(call *ssa.Call, result int) accesspath.Path
	// Changes tells which structs of the package change after they are made.
	Changes *Changes
	// SameSection reports whether two instructions lie in the same critical
	// sections, at least one.
	SameSection func(x, y ssa.Instruction) bool
}

// A Func answers questions about dependences in one function. It is not safe
// for concurrent use.
type Func struct {
	*Env
	Fn    *ssa.Function
	Reach *ssautil.Reach

	pdom    *ssautil.Postdom
	stores  map[accesspath.Path][]*ssa.Store
	shapes  map[string]accesspath.Path // the first key of each shape
	flags   map[*ssa.Phi]bool          // whose sense is being asked for
	flagged int                        // how many were followed for one condition
	phis    map[*ssa.Phi]bool          // of which it is being asked whether they are alike
	conds   map[*ssa.If][]ssa.Value    // see OriginsOf
	depth   int                        // how many calls lead here

	// While it is being asked what a value is that is put into a map:
	kind         types.Type // its type
	put          *ssa.MapUpdate
	caller       *Func // whose call gives the value that is made here
	commonParams map[*ssa.Parameter]bool
}

// NewFunc returns the questions for fn.
func NewFunc(env *Env, fn *ssa.Function, reach *ssautil.Reach) *Func {
	return &Func{Env: env, Fn: fn, Reach: reach}
}

func (f *Func) postdom() *ssautil.Postdom {
	if f.pdom == nil {
		f.pdom = ssautil.NewPostdom(f.Fn)
	}
	return f.pdom
}

// storesTo returns the stores to the field or variable at a path.
func (f *Func) storesTo(p accesspath.Path) []*ssa.Store {
	if f.stores == nil {
		f.stores = make(map[accesspath.Path][]*ssa.Store)
		for _, b := range f.Fn.Blocks {
			for _, instr := range b.Instrs {
				if st, ok := instr.(*ssa.Store); ok {
					if at := f.Paths.Of(st.Addr); !accesspath.Renames(st.Addr, at) {
						f.stores[at] = append(f.stores[at], st)
					}
				}
			}
		}
	}
	return f.stores[p]
}

// branch returns the condition that ends a block, nil if there is none.
func (f *Func) branch(b int) *ssa.If {
	instrs := f.Fn.Blocks[b].Instrs
	if len(instrs) == 0 {
		return nil
	}
	br, _ := instrs[len(instrs)-1].(*ssa.If)
	return br
}
