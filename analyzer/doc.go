// Package analyzer finds check-then-act on shared maps that is not atomic: a
// program looks at a map, decides, and changes the map, while another
// goroutine can change it in between.
//
//	if _, ok := engines[url]; !ok { // two goroutines find it absent
//		engines[url] = open(url) // and both create the engine
//	}
//
// [Analyzer] runs with default settings; [New] makes one with others. Both are
// passes of golang.org/x/tools/go/analysis and work in every driver of it. No
// annotations are needed: which lock guards a map is learned from comments,
// names and use, and travels to importing packages in facts.
//
// # Categories
//
// check-then-act: a change of a map depends on a look at it, and no lock is
// held at one of them or at both.
//
// split-lock: both are locked, but in different critical sections, and nothing
// looks again in the second. The race detector cannot see these.
//
// sync-map: the same on sync.Map, whose methods are atomic one by one.
//
// rlock-write: a map is changed while its lock is held only for reading.
//
// map-escape: the guarded map itself is returned, not a copy.
//
// unguarded-access: a map with a guard is read or written without it, or
// goroutines share a map that has none.
//
// directive: a comment that is meant to silence a finding does nothing: it is
// misspelt, it has no reason, or there is nothing left to silence.
//
// # Confidence
//
// Each finding states its evidence: why two goroutines can meet at the map.
// High evidence stands in the code (a lock held elsewhere, a goroutine, a
// handler, a promise in the documentation), medium evidence is a package-level
// map that others can change or a getter that caches, and low is none of these.
// Findings below [Config.Confidence] are not reported.
//
// # Silencing
//
// A comment //mapguard:ignore with a reason silences the findings of its line,
// of the next line when it stands alone, or of the declaration to which it
// belongs. The directives of staticcheck and golangci-lint are honoured too.
package analyzer

// doc is the analyzer's documentation as drivers print it.
const doc = `find check-then-act on shared maps that is not atomic

A program looks at a map, decides, and changes the map, while another goroutine
can change it in between:

	if _, ok := engines[url]; !ok { // two goroutines find it absent
		engines[url] = open(url) // and both create the engine
	}

Reported are the categories check-then-act (no lock at one side or both),
split-lock (both locked, in different critical sections), sync-map (Load then
Store), rlock-write (changed under a read lock), map-escape (the guarded map is
returned) and unguarded-access (the guard is not held). Each finding states its
confidence and evidence; -confidence chooses the lowest that is reported.`
