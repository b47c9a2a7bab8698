package suppress

import (
	"go/ast"
	"go/token"
)

// A layout knows where code and declarations stand in one file. Lines are
// those of the file itself, whatever its line directives say.
type layout struct {
	file *ast.File
	tok  *token.File

	// code are the lines on which syntax starts or ends, decls the
	// declarations by their comments, first the outermost syntax that starts
	// on a line.
	code  map[int]bool
	decls map[*ast.CommentGroup][]ast.Node
	first map[int]ast.Node
}

// index reads the file's syntax, when a directive first asks.
func (l *layout) index() {
	if l.code != nil {
		return
	}
	l.code = make(map[int]bool)
	l.decls = make(map[*ast.CommentGroup][]ast.Node)
	l.first = make(map[int]ast.Node)
	ast.Inspect(l.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case nil, *ast.CommentGroup:
			return false
		case *ast.File:
			line := l.lineOf(n.Package)
			l.code[line], l.first[line] = true, n
			return true
		case *ast.FuncDecl:
			l.declare(n, n.Doc)
		case *ast.GenDecl:
			l.declare(n, n.Doc)
		case *ast.TypeSpec:
			l.declare(n, n.Doc, n.Comment)
		case *ast.ValueSpec:
			l.declare(n, n.Doc, n.Comment)
		case *ast.Field:
			l.declare(n, n.Doc, n.Comment)
		}
		if !n.Pos().IsValid() || !n.End().IsValid() {
			return true // a field list without parentheses
		}
		start := l.lineOf(n.Pos())
		l.code[start], l.code[l.lineOf(n.End()-1)] = true, true
		if l.first[start] == nil {
			l.first[start] = n
		}
		return true
	})
}

func (l *layout) declare(n ast.Node, comments ...*ast.CommentGroup) {
	for _, c := range comments {
		if c != nil {
			l.decls[c] = append(l.decls[c], n)
		}
	}
}

func (l *layout) lineOf(pos token.Pos) int { return l.tok.PositionFor(pos, false).Line }

// lines returns the span from one line to another, both included.
func (l *layout) lines(from, to int) span {
	if from > l.tok.LineCount() {
		return span{}
	}
	s := span{from: l.tok.LineStart(from), to: token.Pos(l.tok.Base() + l.tok.Size() + 1)}
	if to < l.tok.LineCount() {
		s.to = l.tok.LineStart(to + 1)
	}
	return s
}

// line returns the line that a comment speaks of: its own, behind code, or the
// next one.
func (l *layout) line(group *ast.CommentGroup) span {
	l.index()
	line := l.lineOf(group.Pos())
	if !l.code[line] {
		line = l.lineOf(group.End()-1) + 1
	}
	return l.lines(line, line)
}

// declaration returns the declarations that a comment belongs to.
func (l *layout) declaration(group *ast.CommentGroup) []span {
	l.index()
	var out []span
	for _, n := range l.decls[group] {
		out = append(out, span{from: n.Pos(), to: n.End(), declares: true})
	}
	return out
}

// below returns the line of a comment behind code, or else the whole statement
// or declaration under it, if that is indented alike: golangci-lint's rule.
func (l *layout) below(group *ast.CommentGroup) span {
	l.index()
	own := l.lineOf(group.Pos())
	if l.code[own] {
		return l.lines(own, own)
	}
	last := l.lineOf(group.End() - 1)
	n := l.first[last+1]
	if n == nil || l.column(n.Pos()) != l.column(group.Pos()) {
		return l.lines(own, last)
	}
	return l.lines(own, l.lineOf(n.End()-1))
}

func (l *layout) column(pos token.Pos) int { return l.tok.PositionFor(pos, false).Column }

// all returns the whole file.
func (l *layout) all() span { return l.lines(1, l.tok.LineCount()) }
