// Package shrink makes programs smaller while they keep a property.
package shrink

import (
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/explore/program"
)

// Program removes functions, statements and critical sections from p, in place, as long as
// keep holds. It stops at a program of which no single part can be removed.
func Program(p *program.Program, keep func(*program.Program) bool) {
	for shrunk := true; shrunk; {
		shrunk = false
		for _, edits := range []func(*program.Program) []edit{functions, goroutines, sections, blocks, fields} {
			for again := true; again; {
				again = try(p, edits(p), keep)
				shrunk = shrunk || again
			}
		}
	}
}

// An edit changes a program and returns how to undo that.
type edit func() (undo func())

// try applies the first edit after which the property still holds.
func try(p *program.Program, edits []edit, keep func(*program.Program) bool) bool {
	for _, e := range edits {
		undo := e()
		if keep(p) {
			return true
		}
		undo()
	}
	return false
}

// replace sets a slice and remembers the old one.
func replace[T any](at *[]T, with []T) func() {
	old := *at
	*at = with
	return func() { *at = old }
}

func without[T any](list []T, i int) []T {
	return slices.Delete(slices.Clone(list), i, i+1)
}

// functions removes one function without callers.
func functions(p *program.Program) []edit {
	var out []edit
	for i, f := range p.Funcs {
		if !p.Calls(f) {
			out = append(out, func() func() { return replace(&p.Funcs, without(p.Funcs, i)) })
		}
	}
	return out
}

// lists returns all lists of statements, the outer ones first; not those in
// statements that are dead, where each condition is needed to keep them so.
func lists(p *program.Program) []*[]program.Stmt {
	var out []*[]program.Stmt
	funcs := slices.Clone(p.Funcs)
	if p.Main != nil {
		funcs = append(funcs, p.Main)
	}
	for _, f := range funcs {
		out = append(out, &f.Body)
		for i := len(out) - 1; i < len(out); i++ {
			for _, s := range *out[i] {
				if !dead(s) {
					out = append(out, program.Blocks(s)...)
				}
			}
		}
	}
	return out
}

func dead(s program.Stmt) bool {
	branch, ok := s.(*program.If)
	return ok && branch.Dead
}

// goroutines removes one goroutine, that is no longer waited for.
func goroutines(p *program.Program) []edit {
	if p.Main == nil {
		return nil
	}
	var out []edit
	for i, s := range p.Main.Body {
		if _, ok := s.(*program.Go); !ok {
			continue
		}
		out = append(out, func() func() {
			undo := replace(&p.Main.Body, without(p.Main.Body, i))
			return both(undo, lessToWaitFor(p.Main.Body))
		})
	}
	return out
}

func both(first, second func()) func() {
	return func() {
		second()
		first()
	}
}

func lessToWaitFor(body []program.Stmt) func() {
	for _, s := range body {
		if w, ok := s.(*program.Wait); ok && w.N > 0 {
			w.N--
			return func() { w.N++ }
		}
	}
	return func() {}
}

// blocks removes one statement, or the statement around others, unless it has
// to do with locks: without them, the program would fail in another way.
func blocks(p *program.Program) []edit {
	var out []edit
	for _, list := range lists(p) {
		for i, s := range *list {
			if locks(s) {
				continue
			}
			out = append(out, func() func() { return replace(list, without(*list, i)) })
			if _, ok := s.(*program.Go); ok || dead(s) {
				continue
			}
			for _, inner := range program.Blocks(s) {
				if len(*inner) > 0 {
					out = append(out, func() func() {
						return replace(list, slices.Concat((*list)[:i], *inner, (*list)[i+1:]))
					})
				}
			}
		}
	}
	return out
}

// locks reports whether a statement takes or releases a lock.
func locks(s program.Stmt) bool {
	found := false
	program.Each([]program.Stmt{s}, func(s program.Stmt) {
		switch s.(type) {
		case *program.LockOp, *program.Within:
			found = true
		}
	})
	return found
}

// sections removes one critical section with all that it does.
func sections(p *program.Program) []edit {
	var out []edit
	for _, list := range lists(p) {
		for i, s := range *list {
			if _, ok := s.(*program.Within); ok {
				out = append(out, func() func() { return replace(list, without(*list, i)) })
			}
			if end := endOfSection(*list, i); end > i {
				out = append(out, func() func() { return replace(list, slices.Concat((*list)[:i], (*list)[end+1:])) })
			}
		}
	}
	return out
}

// endOfSection returns where the lock that is taken at i is released, in the
// same list; 0 if no lock is, or it is not.
func endOfSection(list []program.Stmt, i int) int {
	take, ok := list[i].(*program.LockOp)
	if !ok || take.Kind != program.Acquire && take.Kind != program.AcquireRead {
		return 0
	}
	for j := i + 1; j < len(list); j++ {
		op, ok := list[j].(*program.LockOp)
		if ok && op.Lock == take.Lock && !op.Deferred {
			return j
		}
	}
	return 0
}

// fields removes the last map and the last lock, where nothing names them: the
// property does not hold of what does not compile.
func fields(p *program.Program) []edit {
	var out []edit
	if n := len(p.Maps); n > 1 {
		out = append(out, func() func() { return replace(&p.Maps, p.Maps[:n-1]) })
	}
	if n := len(p.Locks); n > 0 {
		out = append(out, func() func() { return replace(&p.Locks, p.Locks[:n-1]) })
	}
	return out
}
