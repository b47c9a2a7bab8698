// Package explore holds a differential test of the analyzer: small concurrent
// programs are generated, an exhaustive search of their interleavings says
// which of them are wrong, and the analyzer's findings are compared with that.
//
// It has four parts, each a package of its own: program is the language of the
// programs and prints them as Go, generate makes them from seeds, machine runs
// all their interleavings and judges, shrink makes a program smaller while a
// property stays. The comparison itself is this package's test; its flags are
//
//	go test ./analyzer/internal/explore -run TestDifferential -programs 10000 -v
//	go test ./analyzer/internal/explore -run TestSeed -seed 42 -shrink -v
//
// # What is wrong
//
// A program is wrong when it has a data race on a map, or when a stale
// decision does harm: a change of a map depends on a look that another
// goroutine has made out of date, nothing looks again, and what the operations
// return, together with what the maps hold at the end, comes out of no serial
// execution of the operations. Stale decisions that do no harm, outcomes that
// are not serializable though no decision is stale, and races on something
// other than a map are matters of taste: such programs are counted apart, by
// reason. So are those that do nothing wrong but owe that to constants alone: with
// the same goroutines, calls, locks and waits they are wrong, or a matter of taste,
// when the maps hold some entry at first, when earlier goroutines leave other
// entries, or when the goroutines mean other keys (see machine.Looseness). All
// others are clean.
package explore
