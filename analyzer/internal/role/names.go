package role

import (
	"go/types"
	"slices"
	"strings"
	"unicode"

	"github.com/mapguard/mapguard/analyzer/internal/model"
)

// A where tells how a word of the table stands in a name. Words end, and begin
// unless the name begins with them, where no lower-case letter follows: Set is
// a word of SetURL and of Set2, and none of Settle.
type where uint8

const (
	// leading words begin the name, or are all of it.
	leading where = iota
	// trailing words end the name and are not all of it.
	trailing
	// whole words are all of the name.
	whole
	// anywhere: the word is one of the name's.
	anywhere
)

// fits reports whether a word that stands first or last, or both, stands as
// the table asks.
func (w where) fits(first, last bool) bool {
	switch w {
	case leading:
		return first
	case trailing:
		return last && !first
	case whole:
		return first && last
	}
	return true
}

// A shape is what the table can ask of a function's signature.
type shape uint8

const (
	isMethod shape = 1 << iota
	// gives: it has results.
	gives
	// errorOnly: it has nothing to give but an error.
	errorOnly
	// contextAndKey: it takes a context and one thing more, as the handlers of a work queue do: the key of an object, which is
	// no interface, or the object itself, of which they give back a result beside the error.
	contextAndKey
)

// A nameRow says which roles words in a name give.
type nameRow struct {
	words string
	where where
	role  Roles
	// needs is what the signature must have.
	needs shape
	// anyCase: a name may begin with the word in lower case.
	anyCase bool
	// not: the row takes the roles away again.
	not bool
}

// names is the table. The words of a row are separated by spaces.
var names = []nameRow{
	{words: "Locked LockHeld _locked NoLock Unlocked UnLocked WithoutLock Unsafe _nolock", where: trailing, role: CallerLocks},
	{words: "Unsafe", where: leading, role: CallerLocks, anyCase: true},
	{words: "Unsafe IsLocked HasLocked WasLocked IsUnlocked HasUnlocked WasUnlocked", where: whole, role: CallerLocks, anyCase: true, not: true},

	{words: "WithLock WithRLock WithMutex", where: trailing, role: WithLock},

	// A cache gives back what it has put in; who configures does not.
	{words: "Set Setup SetUp Add Define Configure Install Enable Override Register MustRegister", where: leading, role: Setter, needs: errorOnly},
	{words: "Register MustRegister", where: anywhere, role: Registration, anyCase: true},
	{words: "Init Initialize Initialise Setup SetUp Provision Configure Bootstrap Unmarshal", where: leading, role: StartUp, needs: isMethod | errorOnly, anyCase: true},
	{words: "Init Initialize Initialise Bootstrap", where: leading, role: Initializer, anyCase: true},
	{words: "Start Open OnStart OnInit", where: whole, role: StartUp, needs: isMethod | errorOnly, anyCase: true},
	{words: "Init Initialize Initialise Start Startup Bootstrap Run Open Setup SetUp Configure Provision New Build", where: leading, role: Preparer, anyCase: true},

	{words: "Get Lookup LookUp Find Fetch Resolve Load For Cached Query Of By Obtain Select", where: leading, role: Query, needs: isMethod | gives},
	{words: "For Of", where: trailing, role: Query, needs: isMethod | gives},
	{words: "Get Is Has Find Lookup Exists List Parse Format Valid Hash", where: leading, role: Asker, needs: isMethod | gives, anyCase: true},
	{words: "Can Len Contains Match Compare Equal String Marshal Unmarshal Encode Decode Stat Name Key ID", where: leading, role: Asker, needs: isMethod | gives},
	{words: "Error", where: whole, role: Asker},
	{words: "GetOr LoadOr FindOr", where: leading, role: Keeper, needs: gives, anyCase: true},

	{words: "Name FullName ID Id UID Key GetName GetID GetId GetUID GetKey", where: whole, role: Name, needs: isMethod | gives},

	{words: "Run Serve Start Loop", where: whole, role: Service, needs: isMethod | errorOnly},

	{words: "Close Stop Shutdown Cancel Release Destroy Kill", where: leading, role: Closer},
	{words: "Close Stop Shutdown Cancel Release", where: whole, role: Owed},
	{words: "Abort Cancel Close Destroy Release ShutDown Shutdown Stop Terminate Wait", where: whole, role: Ending, anyCase: true},
	{words: "Disconnect Dispose Finish Free Halt Join Kill Leave Logout Quit Rollback Unmount Unregister Unsubscribe", where: whole, role: Ending},

	{words: "ForTest ForTests ForTesting ForUnitTest ForUnitTests", where: trailing, role: ForTests},

	{words: "Reconcile", where: whole, role: Handler, needs: isMethod | contextAndKey}, // of a controller
}

// byWord finds the rows of a word.
var byWord = func() map[string][]*nameRow {
	out := make(map[string][]*nameRow)
	for i := range names {
		for _, w := range names[i].spellings() {
			out[w] = append(out[w], &names[i])
		}
	}
	return out
}()

// spellings returns the words of a row as names write them.
func (r *nameRow) spellings() []string {
	out := strings.Fields(r.words)
	if r.anyCase {
		for _, w := range strings.Fields(r.words) {
			out = append(out, strings.ToLower(w[:1])+w[1:])
		}
	}
	return out
}

// named returns the roles that a name gives to a function of a shape.
// Complexity: quadratic in the words of the name.
func named(name string, has shape) Roles {
	var roles, not Roles
	starts := boundaries(name)
	for n, i := range starts {
		for _, j := range starts[n+1:] {
			for _, row := range byWord[name[i:j]] {
				if has&row.needs != row.needs || !row.where.fits(i == 0, j == len(name)) {
					continue
				}
				if row.not {
					not |= row.role
				} else {
					roles |= row.role
				}
			}
		}
	}
	return roles &^ not
}

// boundaries returns the places in a name where a word can begin or end.
func boundaries(name string) []int {
	out := []int{0}
	for i, r := range name {
		if i > 0 && !unicode.IsLower(r) {
			out = append(out, i)
		}
	}
	return append(out, len(name))
}

// shapeOf returns what the table can ask of a signature.
func shapeOf(sig *types.Signature) shape {
	var s shape
	if sig.Recv() != nil {
		s |= isMethod
	}
	res := sig.Results()
	if res.Len() > 0 {
		s |= gives
	}
	if res.Len() == 0 || res.Len() == 1 && types.Identical(res.At(0).Type(), types.Universe.Lookup("error").Type()) {
		s |= errorOnly
	}
	if ps := sig.Params(); ps.Len() == 2 && model.IsContext(ps.At(0).Type()) {
		_, object := types.Unalias(ps.At(1).Type()).(*types.Pointer)
		if !object && !types.IsInterface(ps.At(1).Type()) || res.Len() > 1 {
			s |= contextAndKey
		}
	}
	return s
}

// prepares reports whether a name is that of a function that brings something
// into service, whatever its signature.
func prepares(name string) bool { return named(name, isMethod|errorOnly).Has(StartUp) }

// methodsOf returns the names of the methods that have a role, as the table
// spells them.
func methodsOf(role Roles) []string {
	var out []string
	for i := range names {
		if names[i].role.Has(role) && names[i].where == whole && !names[i].not {
			out = append(out, names[i].spellings()...)
		}
	}
	return out
}

// hasMethod reports whether a value of type t, seen from pkg, has a method of
// one of those names that concerns it.
func hasMethod(t types.Type, pkg *types.Package, names []string) bool {
	for _, name := range names {
		obj, _, _ := types.LookupFieldOrMethod(t, true, pkg, name)
		if fn, ok := obj.(*types.Func); ok && ofReceiver(fn) {
			return true
		}
	}
	return false
}

// ofOthers are the names of methods that may concern what they get, and not their receiver.
var ofOthers = []string{"Free", "Join", "Kill", "Leave", "Unregister", "Unsubscribe"}

// ofReceiver reports whether what a method does concerns its receiver: those whose names tell nothing
// of that get a context, an error, texts and numbers at most. Join of an encoder gets the parts, and
// where to write them; Close with options closes the receiver.
func ofReceiver(fn *types.Func) bool {
	if !slices.Contains(ofOthers, fn.Name()) {
		return true
	}
	for p := range fn.Signature().Params().Variables() {
		switch p.Type().Underlying().(type) {
		case *types.Basic:
			continue
		case *types.Interface:
			if model.IsContext(p.Type()) || types.Identical(p.Type(), types.Universe.Lookup("error").Type()) {
				continue
			}
		}
		return false
	}
	return true
}

var owed, endings = methodsOf(Owed), methodsOf(Ending)

// Closable reports whether values of type t must be closed by the code that has them
// last: they have a method for that, or the library says so.
func Closable(t types.Type) bool {
	if yes, known := model.Closable(t); known {
		return yes
	}
	return hasMethod(t, nil, owed)
}

// beginnings gives, for a word that ends something, those that begin it.
var beginnings = map[string][]string{
	"Leave": {"Enter", "TryEnter"}, "Release": {"Acquire", "TryAcquire"}, "Unsubscribe": {"Subscribe"}, "Unregister": {"Register"},
	"Logout": {"Login"}, "Unmount": {"Mount"}, "Free": {"Alloc"}, "Unlock": {"Lock", "TryLock"},
}

// Begins reports whether a method ends, by its name, what another one begins: Unlock what Lock or TryLock does, or
// LockContext.
func Begins(method, ends string) bool {
	return slices.ContainsFunc(beginnings[ends], func(word string) bool { return strings.HasPrefix(method, word) })
}

// Ends reports whether a value of type t, seen from pkg, on which no method has
// been called, has one that ends it: dropping it may leave something open. What
// a method ends that another one begins has not begun.
func Ends(t types.Type, pkg *types.Package) bool {
	for _, name := range endings {
		if hasMethod(t, pkg, []string{name}) && !hasMethod(t, pkg, beginnings[name]) {
			return true
		}
	}
	return false
}

// Harmless reports whether a call of fn changes nothing that other code waits
// for: the library says so, or its name or its signature does.
func Harmless(fn *types.Func) bool {
	if yes, known := model.Harmless(fn); known {
		return yes
	}
	return Named(fn).Has(Asker) || prints(fn.Signature())
}

// Prints reports whether fn formats or logs what it gets, and does nothing else with it:
// the library says so, or its signature does.
func Prints(fn *types.Func) bool { return model.Prints(fn) || prints(fn.Signature()) }

// prints reports whether a signature is that of a function that formats a text and
// leaves it to a log: it takes a format and any values, and gives nothing.
func prints(sig *types.Signature) bool {
	if !model.WritesLine(sig) {
		return false
	}
	format, ok := sig.Params().At(sig.Params().Len() - 2).Type().Underlying().(*types.Basic)
	return ok && format.Kind() == types.String
}

// Named returns the roles that fn has by its name and signature alone, for
// functions whose documentation is not at hand.
func Named(fn *types.Func) Roles { return named(fn.Name(), shapeOf(fn.Signature())) }
