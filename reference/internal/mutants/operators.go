package main

import (
	"go/ast"
	"strings"
)

// mutate makes the mutants of one critical section.
func (p *pkg) mutate(s section) {
	p.add("no lock", s.function, s.acquire,
		p.replace(s.file, s.acquire, ""), p.replace(s.file, s.release, ""))
	p.anotherLock(s)
	p.neverReleased(s)
	p.readLock(s)
	p.shorter(s)
	p.looks(s)
}

// acquiring returns the statement that locks, or releases, the mutex of a section.
func (s section) acquiring(method string) string {
	if s.read {
		method = "R" + method
	}
	return s.lock + "." + method + "()"
}

// anotherLock locks a mutex that no other goroutine has.
func (p *pkg) anotherLock(s section) {
	swap := func(stmt ast.Stmt) edit {
		return p.replace(s.file, stmt, strings.Replace(p.source(s.file, stmt), s.lock+".", "another.", 1))
	}
	acquire, release := swap(s.acquire), swap(s.release)
	acquire.text = "another := new(sync.RWMutex)\n" + acquire.text
	edits := []edit{acquire, release}
	if !strings.Contains(p.files[s.file], `"sync"`) {
		end := p.offset(p.trees[s.file].Name.End())
		edits = append(edits, edit{s.file, end, end, "\n\nimport \"sync\""})
	}
	p.add("another lock", s.function, s.acquire, edits...)
}

// neverReleased leaves the release out, in the first section of each package.
func (p *pkg) neverReleased(s section) {
	for _, m := range p.made {
		if m.kind == "never released" {
			return
		}
	}
	p.add("never released", s.function, s.release, p.replace(s.file, s.release, ""))
}

// readLock locks for reading where the section writes. A mutex without a read lock
// gets one.
func (p *pkg) readLock(s section) {
	writes := false
	for _, stmt := range s.body {
		writes = writes || p.writes(stmt)
	}
	if s.read || !writes {
		return
	}
	edits := []edit{
		p.replace(s.file, s.acquire, s.lock+".RLock()"),
		p.replace(s.file, s.release, strings.Replace(p.source(s.file, s.release), ".Unlock", ".RUnlock", 1)),
	}
	for name, tree := range p.trees {
		ast.Inspect(tree, func(node ast.Node) bool {
			if expr, ok := node.(*ast.SelectorExpr); ok && p.source(name, expr) == "sync.Mutex" {
				edits = append(edits, p.replace(name, expr, "sync.RWMutex"))
			}
			return true
		})
	}
	p.add("read lock for write lock", s.function, s.acquire, edits...)
}

// shorter makes the section shorter, or two of one, between the statements that
// use a map: at the first such place and at the last.
func (p *pkg) shorter(s section) {
	var uses []int
	for i, stmt := range s.body {
		if p.touches(stmt) {
			uses = append(uses, i)
		}
	}
	if len(uses) < 2 {
		return
	}
	first, last := s.body[uses[0]], s.body[uses[len(uses)-1]]
	again := s.acquiring("Unlock") + "\n" + s.acquiring("Lock")
	p.add("two sections, after the look", s.function, first, p.after(s.file, first, again))
	if uses[len(uses)-1] > uses[0]+1 {
		p.add("two sections, before the act", s.function, last, p.before(s.file, last, again))
	}
	p.releasedEarly(s, uses[0])
	late := s.acquiring("Lock")
	edits := []edit{p.replace(s.file, s.acquire, "")}
	if s.deferred {
		edits = append(edits, p.replace(s.file, s.release, ""))
		late += "\ndefer " + s.acquiring("Unlock")
	}
	p.add("locked too late", s.function, first, append(edits, p.after(s.file, first, late))...)
}

// releasedEarly releases the lock behind the statement at index, and at each
// return before it.
func (p *pkg) releasedEarly(s section, index int) {
	unlock := s.acquiring("Unlock")
	edits := []edit{p.replace(s.file, s.release, ""), p.after(s.file, s.body[index], unlock)}
	if s.deferred {
		for _, stmt := range s.body[:index+1] {
			ast.Inspect(stmt, func(node ast.Node) bool {
				if _, ok := node.(*ast.ReturnStmt); ok {
					edits = append(edits, p.before(s.file, node, unlock))
				}
				return true
			})
		}
	}
	p.add("released too early", s.function, s.body[index], edits...)
}

// looks leaves out the looks of a section, and takes the value again after the
// lock was released.
func (p *pkg) looks(s section) {
	for i, stmt := range s.body {
		value, ok, index := p.look(stmt)
		if index == nil {
			continue
		}
		again := p.source(s.file, index)
		branch, isIf := stmt.(*ast.IfStmt)
		if isIf {
			p.add("no look", s.function, stmt, p.replace(s.file, stmt, ""))
			if value != "_" && s.deferred {
				p.takenLate(s, branch, value, again)
			}
			continue
		}
		if i+1 < len(s.body) {
			if next, isIf := s.body[i+1].(*ast.IfStmt); isIf && strings.TrimPrefix(p.source(s.file, next.Cond), "!") == ok {
				p.add("no look", s.function, next, p.replace(s.file, next, "_ = "+ok))
			}
		}
		if value != "_" && !s.deferred {
			p.add("taken again after unlock", s.function, s.release, p.after(s.file, s.release, value+" = "+again))
		}
	}
}

// takenLate returns the value of the map as it is after the lock was released,
// where a section returns the one that it found.
func (p *pkg) takenLate(s section, branch *ast.IfStmt, value, again string) {
	result, ok := branch.Body.List[len(branch.Body.List)-1].(*ast.ReturnStmt)
	if !ok {
		return
	}
	for _, expr := range result.Results {
		if name, ok := expr.(*ast.Ident); ok && name.Name == value {
			p.add("taken again after unlock", s.function, result,
				p.before(s.file, result, "_ = "+value+"\n"+s.acquiring("Unlock")+"\ndefer "+s.acquiring("Lock")),
				p.replace(s.file, name, again))
		}
	}
}

// call makes the mutants of a call that is atomic, or that copies.
func (p *pkg) call(file, function string, call *ast.CallExpr) {
	selector, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return
	}
	switch target := p.source(file, selector.X); {
	case selector.Sel.Name == "LoadOrStore":
		key, value := p.source(file, call.Args[0]), p.source(file, call.Args[1])
		p.add("two steps of an atomic one", function, call, p.replace(file, call,
			"func() (any, bool) { made := any("+value+"); "+target+".Store("+key+", made); return made, false }()"))
	case target == "maps" && selector.Sel.Name == "Clone":
		p.add("no copy", function, call, p.replace(file, call, p.source(file, call.Args[0])),
			p.replace(file, p.importOf(file, "maps"), ""))
	}
}

// importOf returns the import of a package.
func (p *pkg) importOf(file, path string) ast.Node {
	for _, spec := range p.trees[file].Imports {
		if spec.Path.Value == `"`+path+`"` {
			return spec
		}
	}
	return p.trees[file].Name
}
