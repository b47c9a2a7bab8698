package main

import (
	"go/ast"
	"go/token"
	"strings"
)

// section is a critical section: the statements of one block between a lock and
// its release.
type section struct {
	file, function string
	// lock is the mutex as the source names it, read whether it is locked for
	// reading.
	lock string
	read bool
	// acquire and release are the statements; the release may be deferred.
	acquire, release ast.Stmt
	deferred         bool
	body             []ast.Stmt
}

// file makes the mutants of one file.
func (p *pkg) file(name string) {
	for _, decl := range p.trees[name].Decls {
		function, ok := decl.(*ast.FuncDecl)
		if !ok || function.Body == nil {
			continue
		}
		ast.Inspect(function.Body, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.BlockStmt:
				for _, s := range p.sections(name, function.Name.Name, node.List) {
					p.mutate(s)
				}
			case *ast.CallExpr:
				p.call(name, function.Name.Name, node)
			}
			return true
		})
	}
}

// sections returns the critical sections of a block.
func (p *pkg) sections(file, function string, block []ast.Stmt) (found []section) {
	for i, stmt := range block {
		lock, method := p.lockCall(file, stmt)
		if method != "Lock" && method != "RLock" {
			continue
		}
		s := section{file: file, function: function, lock: lock, read: method == "RLock", acquire: stmt}
		for j := i + 1; j < len(block) && s.release == nil; j++ {
			if deferred, ok := block[j].(*ast.DeferStmt); ok && j == i+1 {
				if of, _ := p.lockOf(file, deferred.Call); of == lock {
					s.release, s.deferred, s.body = deferred, true, block[j+1:]
				}
			}
			if of, method := p.lockCall(file, block[j]); of == lock && strings.HasSuffix(method, "Unlock") {
				s.release, s.body = block[j], block[i+1:j]
			}
		}
		if s.release != nil {
			found = append(found, s)
		}
	}
	return found
}

// lockCall returns the mutex and the method that a statement calls on it.
func (p *pkg) lockCall(file string, stmt ast.Stmt) (lock, method string) {
	expr, ok := stmt.(*ast.ExprStmt)
	if !ok {
		return "", ""
	}
	return p.lockOf(file, expr.X)
}

func (p *pkg) lockOf(file string, expr ast.Expr) (lock, method string) {
	call, ok := expr.(*ast.CallExpr)
	if !ok {
		return "", ""
	}
	selector, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return "", ""
	}
	switch method := selector.Sel.Name; method {
	case "Lock", "RLock", "Unlock", "RUnlock":
		return p.source(file, selector.X), method
	}
	return "", ""
}

// isMap reports whether expr is one of the package's maps.
func (p *pkg) isMap(expr ast.Expr) bool {
	switch expr := expr.(type) {
	case *ast.SelectorExpr:
		return p.maps[expr.Sel.Name]
	case *ast.Ident:
		return p.maps[expr.Name]
	}
	return false
}

// touches reports whether a statement uses one of the package's maps.
func (p *pkg) touches(stmt ast.Stmt) (found bool) {
	ast.Inspect(stmt, func(node ast.Node) bool {
		if expr, ok := node.(ast.Expr); ok && p.isMap(expr) {
			found = true
		}
		return !found
	})
	return found
}

// writes reports whether a statement changes one of the package's maps.
func (p *pkg) writes(stmt ast.Stmt) (found bool) {
	ast.Inspect(stmt, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.AssignStmt:
			for _, left := range node.Lhs {
				if index, ok := left.(*ast.IndexExpr); ok && p.isMap(index.X) {
					found = true
				}
			}
		case *ast.CallExpr:
			if name, ok := node.Fun.(*ast.Ident); ok && (name.Name == "delete" || name.Name == "clear") {
				found = found || p.isMap(node.Args[0])
			}
		}
		return !found
	})
	return found
}

// look returns the variables and the look-up of a statement that is
// "value, ok := map[key]", or of an if that begins with one.
func (p *pkg) look(stmt ast.Stmt) (value, ok string, index *ast.IndexExpr) {
	if branch, isIf := stmt.(*ast.IfStmt); isIf {
		stmt = branch.Init
	}
	assign, isAssign := stmt.(*ast.AssignStmt)
	if !isAssign || assign.Tok != token.DEFINE || len(assign.Lhs) != 2 || len(assign.Rhs) != 1 {
		return "", "", nil
	}
	index, isIndex := assign.Rhs[0].(*ast.IndexExpr)
	if !isIndex || !p.isMap(index.X) {
		return "", "", nil
	}
	first, second := assign.Lhs[0].(*ast.Ident), assign.Lhs[1].(*ast.Ident)
	return first.Name, second.Name, index
}
