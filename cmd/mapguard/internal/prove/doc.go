// Package prove confirms findings by runs of the module's own tests.
//
// It is dynamic where the analyzer is static: it steers goroutines with what a
// finding says, watches whether its interleaving happens, and believes only
// what it saw (CalFuzzer and AtomFuzzer steer a scheduler from static
// candidates; TSVD delays one thread before an access and sees whether another
// one springs the trap).
//
// The steps:
//
//  1. A finding brings its steps (finding.Step) with their roles and places.
//     The syntax there says which operation on which map it is; all other
//     operations on the same variable or field are watched, too (target.go,
//     ops.go).
//  2. Each operation gets a hook, by edits within its lines, so that stacks keep
//     their numbers. A hook makes the operation itself once its operands are
//     evaluated, or stands beside it where they have no effects: results and
//     order stay what they were (rewrite.go). An operation in a place where no
//     hook fits is left out; one that does not compile is taken back (build.go).
//  3. The hooks are a package of the module under test that exists in the
//     overlay of the go command alone, so that all probed packages, test
//     binaries of other packages included, share one copy without a dependency,
//     in a vendored module and in a workspace, too (package mapguardprobe).
//  4. A pair of look and act is confirmed when a goroutine looked, another one
//     changed the entry from begin to end after that, the first did not look
//     again, and acts on it. Two accesses are confirmed when a goroutine is
//     held just before one and another arrives just before the other one, of
//     the same map, one of them a change, or where one begins before the other
//     has ended: no lock keeps either out.
//  5. Goroutines wait at the gaps between look and act (after locks are
//     released, before they are taken) or before the access, a few milliseconds
//     at most, less when it was in vain, and only as long as the budget of the
//     process lasts.
//  6. The tests of the package run: as they are, then with calls of the
//     finding's entry points copied into goroutines of their own, on the objects
//     and with the arguments of the tests, then with drivers that call the entry
//     points on what the tests have made (harvest.go). Where that shows nothing,
//     a generated driver makes the object itself (drive.go). The tests of
//     importers come last.
//
// Nothing is written outside a scratch directory; what is run is ended with
// all its processes.
package prove
