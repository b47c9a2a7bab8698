// Package shrink makes programs smaller while they keep a property.
package shrink

import (
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/explore/program"
)

// Program removes functions, statements and locks from p, in place, as long as
// keep holds. It stops at a program of which no single part can be removed.
func Program(p *program.Program, keep func(*program.Program) bool) {
	for shrunk := true; shrunk; {
		shrunk = false
		for _, edits := range []func(*program.Program) []edit{functions, goroutines, blocks, locks, fields} {
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

// functions removes one function that nobody calls.
func functions(p *program.Program) []edit {
	var out []edit
	for i, f := range p.Funcs {
		if !p.Calls(f) {
			out = append(out, func() func() { return replace(&p.Funcs, without(p.Funcs, i)) })
		}
	}
	return out
}

// lists returns all lists of statements, the outer ones first.
func lists(p *program.Program) []*[]program.Stmt {
	var out []*[]program.Stmt
	funcs := slices.Clone(p.Funcs)
	if p.Main != nil {
		funcs = append(funcs, p.Main)
	}
	for _, f := range funcs {
		out = append(out, &f.Body)
		program.Each(f.Body, func(s program.Stmt) { out = append(out, program.Blocks(s)...) })
	}
	return out
}

// goroutines removes one goroutine, for which nobody waits any more.
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

// blocks removes one statement, or the statement around others.
func blocks(p *program.Program) []edit {
	var out []edit
	for _, list := range lists(p) {
		for i, s := range *list {
			out = append(out, func() func() { return replace(list, without(*list, i)) })
			if _, ok := s.(*program.Go); ok {
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

// locks removes all that one function does with locks, and what two statements
// of one list do with them.
func locks(p *program.Program) []edit {
	var out []edit
	isLock := func(s program.Stmt) bool { _, ok := s.(*program.LockOp); return ok }
	for _, f := range p.Funcs {
		locked := false
		program.Each(f.Body, func(s program.Stmt) { locked = locked || isLock(s) })
		if !locked {
			continue
		}
		out = append(out, func() func() {
			undo := func() {}
			for _, list := range lists(&program.Program{Funcs: []*program.Func{f}}) {
				undo = both(undo, replace(list, slices.DeleteFunc(slices.Clone(*list), isLock)))
			}
			return undo
		})
	}
	for _, list := range lists(p) {
		for i, s := range *list {
			for j := i + 1; j < len(*list); j++ {
				if isLock(s) && isLock((*list)[j]) {
					out = append(out, func() func() { return replace(list, without(without(*list, j), i)) })
				}
			}
		}
	}
	return out
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
