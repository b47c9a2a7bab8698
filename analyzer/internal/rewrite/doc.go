// Package rewrite writes programs for a test: the same bug, and its right twin,
// in many ways. How a program is written must not change the analyzer's verdict.
//
// A base is a bug: its operation, what that asks of the map and does to it, and
// the critical sections of its wrong form. The right twin looks again where it
// acts, or has one section around both. An option is one way of writing; the
// options of one axis exclude each other, and those of different axes go
// together:
//
//	places, locals      where map and lock live
//	holds               how a critical section is written
//	reaches             how a function comes to the map
//	looks, puts         how it looks, how it acts
//	answers             how a function that looks says what it has found
//	compositions        which parts are functions, and how they are called
//	decisions, exits    the branch, and the way out
//	spawns              how goroutines start and end
//	layouts             what stands around the operation
//
// A plan holds what the options have chosen, and prints the program. Beside its
// operation each program has the evidence that its map is shared: functions
// that hold the lock as they should, or the goroutines.
//
// What must hold for an option: a wrong program stays wrong and a right one
// right. The sections come from the base alone, so an option cannot add or drop
// one; where it cannot express the base it says that it does not fit.
package rewrite
