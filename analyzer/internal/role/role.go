// Package role says what names and comments make of functions, fields and
// locks: who may call a function, and when; which lock guards a field. It is
// evidence, never proof: the code can refute it.
//
// Names are in one table ([names]), prose in another ([prose]); what a function
// is by both is computed once, by [Index.Of], and asked for with [Roles.Has].
// A name is a function's own, matched word by word: what its type is called
// says nothing. Library functions are not known here but in package model.
package role

import "strings"

// Roles are what a function is by its name, its signature and its
// documentation. The zero value says nothing.
type Roles uint32

const (
	// CallerLocks: the caller must hold a lock.
	CallerLocks Roles = 1 << iota
	// Concurrent: it is safe for concurrent use.
	Concurrent
	// NotConcurrent: it must not be used by several goroutines at a time.
	NotConcurrent
	// OnceBefore: it is called at start-up, before anything else uses what
	// it changes.
	OnceBefore
	// StartUp: a method that brings its object into service.
	StartUp
	// Preparer: the object is not in use yet when it runs, so it may give
	// the object its maps. Literals in it do so, too.
	Preparer
	// Setter: it sets or registers something and gives nothing back; it is
	// meant for configuration.
	Setter
	// Registration: it registers something, as plug-ins do. Literals in it
	// do so, too.
	Registration
	// Query: a method that gives what it was asked for, GetX.
	Query
	// Asker: it only looks, and changes nothing that other code waits for.
	Asker
	// Closer: it ends its receiver.
	Closer
	// Owed: the last owner of its receiver must call it.
	Owed
	// Ending: a receiver on which it was not called may hold something open.
	Ending
	// Handler: a server calls it from several goroutines at a time.
	Handler
	// Public: other packages can call it by its name.
	Public
	// Method: an exported method, of whatever type.
	Method
	// Initializer: a function that by its name gives its package what it works
	// with, once.
	Initializer
	// ForTests: only tests call it, and they see to its time. Literals in it
	// are what it gives them for cleaning up.
	ForTests
	// TestSupport: it stands where only tests need it: in a mock, a fake or a
	// helper.
	TestSupport
	// Keeper: it gives what is kept under a name, and makes it only where nothing
	// is: who asks twice gets one object.
	Keeper
	// WithLock: it works with a lock, which it takes, or which the caller holds.
	WithLock
	// Wished: it is Concurrent in what remains to be done; it is not yet.
	Wished
	// Service: a method that serves its object until it is told to stop, if it goes on for so long.
	Service
	// Name: a method that gives what its receiver is called.
	Name
	// Ordered: its code says that it needs no lock, since it comes before or after all that others do.
	Ordered
)

// words are the names of the roles, in the order of their bits.
var words = [...]string{
	"caller-locks", "concurrent", "not-concurrent", "once-before", "start-up", "preparer", "setter", "registration",
	"query", "asker", "closer", "owed", "ending", "handler", "public", "method", "initializer", "for-tests", "test-support",
	"keeper", "with-lock", "wished", "service", "name", "ordered",
}

// Has reports whether all of want are among the roles.
func (r Roles) Has(want Roles) bool { return r&want == want }

// String names the roles, "setter|registration"; "none" if there are none.
func (r Roles) String() string {
	var out []string
	for i, w := range words {
		if r.Has(1 << i) {
			out = append(out, w)
		}
	}
	if out == nil {
		return "none"
	}
	return strings.Join(out, "|")
}
