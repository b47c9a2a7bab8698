// Package threads is the theory of who runs a function, how often, and on
// which object, and of what runs beside what.
//
// A thread is a goroutine that this package starts, a server's concurrent entry,
// the program's own start (initialisation and main), or the callers: code outside
// the package. A spawn edge begins a thread, a join edge ends the one goroutine
// that it waits for, and what comes before a spawn edge, here or in callers, is an
// earlier phase. Whether two accesses can run at one time on one object is the
// question of [Theory.Meet], which answers with the reason.
//
// That callers are concurrent is not known here: it must be shown by something
// else (a guard, a claim, a concurrent map). What is cut by a bound is said to be
// run by any thread, see [Set.Any].
package threads

import (
	"fmt"
	"go/token"

	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// Times is how often a thread exists, ordered: One < PerObject < Many.
type Times uint8

const (
	// One: once in the program.
	One Times = iota + 1
	// PerObject: once for each object of the type that starts it.
	PerObject
	// Many: several at a time, on the same objects.
	Many
)

func (t Times) String() string {
	return [...]string{"never", "once", "once per object", "many"}[t]
}

// A Kind is what a thread is.
type Kind uint8

const (
	// Main is the program's own start: initialisation and main.
	Main Kind = iota + 1
	// Callers is code outside of the package.
	Callers
	// Server is a function that a server calls from a goroutine for each
	// request.
	Server
	// Goroutine is started in this package.
	Goroutine
)

// A Thread is one that runs functions of the package.
type Thread struct {
	Kind  Kind
	Times Times
	// Start is the go statement, or the handler.
	Start token.Pos
	// Starter has the go statement; it is the handler of a server's entry.
	Starter *infer.Func
	// Target is what the thread runs, nil when that stands in another package.
	Target *infer.Func
	// Registered: a server calls what is started, once for each request.
	Registered bool
	// Queue names the goroutine of a library that this is, with all others of the name.
	Queue string

	index int
	call  *summary.Call // the go statement's, nil for a server's entry
	cut   bool          // not all that it runs has been followed
	lone  bool          // a loop could start several, but all who call the starter have it start one
	rise  *rise
}

// Handler reports whether a server calls the starter itself.
func (t *Thread) Handler() bool { return t.Kind == Server }

// Reaches says in words what reaches a map: a goroutine, or what a server calls.
func (t *Thread) Reaches() string {
	if t.Registered {
		return "a server calls what " + t.Starter.Name + " registers, which reaches it"
	}
	return "a goroutine started in " + t.Starter.Name + " reaches it"
}

// Begins says in words what is at the place where the thread starts.
func (t *Thread) Begins() string {
	switch {
	case t.Handler():
		return "called from one goroutine for each request"
	case t.Registered:
		return "registered here: called in a goroutine for each request"
	}
	return "goroutine started here"
}

// Beside returns the indices of the starter's accesses that can happen while
// the thread runs.
func (t *Thread) Beside() []int {
	if t.call == nil {
		return nil
	}
	return t.call.Beside
}

// Looped reports whether a loop starts the thread.
func (t *Thread) Looped() bool { return t.call != nil && t.call.Looped }

func (t *Thread) String() string {
	switch t.Kind {
	case Main:
		return "main"
	case Callers:
		return "callers"
	case Server:
		return fmt.Sprintf("server of %s (%v)", t.Starter.Name, t.Times)
	}
	if t.Target == nil {
		return fmt.Sprintf("goroutine of %s (%v)", t.Starter.Name, t.Times)
	}
	return fmt.Sprintf("goroutine %s of %s (%v)", t.Target.Name, t.Starter.Name, t.Times)
}
