package program

import (
	"fmt"
	"strings"
)

func (w *printer) block(body []Stmt) {
	for _, s := range body {
		w.src.Lines[s] = w.line
		w.statement(s)
	}
}

func (w *printer) statement(s Stmt) {
	switch s := s.(type) {
	case *Define:
		w.pf("%s", w.define(s))
	case *Var:
		w.pf("var %s %s", s.Name, s.T)
		if !w.used[decl{s, 0}] {
			w.pf("_ = %s", s.Name)
		}
	case *Assign:
		w.pf("%s = %s", strings.Join(s.Names, ", "), w.expr(s.X))
	case *Set:
		w.pf("%s[%s] = %s", w.mapName(s.Map), w.expr(s.Key), w.expr(s.X))
	case *Add:
		w.add(fmt.Sprintf("%s[%s]", w.mapName(s.Map), w.expr(s.Key)), s.X)
	case *Delete:
		w.pf("delete(%s, %s)", w.mapName(s.Map), w.expr(s.Key))
	case *Clear:
		w.pf("clear(%s)", w.mapName(s.Map))
	case *Make:
		w.pf("%s = make(map[int]%s)", w.mapName(s.Map), w.p.Maps[s.Map].Elem)
	case *SetField:
		w.add(w.expr(s.Item)+".n", s.X)
	case *LockOp:
		w.lockOp(s)
	case *Return:
		w.pf("%s", strings.TrimSpace("return "+w.exprs(s.Xs)))
	case *Do:
		w.pf("%s", w.expr(s.Call))
	case *Emit:
		w.pf("%s(%s)", w.self("notify"), w.expr(s.Key))
	default:
		w.compound(s)
	}
}

// compound prints the statements that have others inside.
func (w *printer) compound(s Stmt) {
	switch s := s.(type) {
	case *If:
		w.branch(s)
	case *Range:
		w.open("for %s {", w.rangeClause(s))
		w.block(s.Body)
		w.end("}")
	case *Loop:
		if s.Var != "" && w.used[decl{s, 0}] {
			w.open("for %s := range %d {", s.Var, s.N)
		} else {
			w.open("for range %d {", s.N)
		}
		w.block(s.Body)
		w.end("}")
	case *Within:
		w.open("%s(func() {", w.self(w.p.runner(s.Lock, s.Read)))
		w.block(s.Body)
		w.end("})")
	case *Go:
		w.spawn(s)
	case *Wait:
		w.wait(s)
	case *Unit:
		w.block(s.Body)
	default:
		panic(fmt.Sprintf("no way to print %T", s))
	}
}

// add prints an addition; that of one as an increment.
func (w *printer) add(to string, x Expr) {
	if lit, ok := x.(*Lit); ok && lit.V == 1 {
		w.pf("%s++", to)
		return
	}
	if lit, ok := x.(*Lit); ok && lit.V == -1 {
		w.pf("%s--", to)
		return
	}
	w.pf("%s += %s", to, w.expr(x))
}

// names returns the names of a declaration, those that nothing reads as
// blanks, and whether one is left.
func (w *printer) names(s Stmt, names []string) (string, bool) {
	out, left := make([]string, len(names)), false
	for i, n := range names {
		out[i] = "_"
		if w.used[decl{s, i}] {
			out[i], left = n, true
		}
	}
	return strings.Join(out, ", "), left
}

func (w *printer) define(s *Define) string {
	names, left := w.names(s, s.Names)
	op := "="
	if left {
		op = ":="
	}
	return fmt.Sprintf("%s %s %s", names, op, w.expr(s.X))
}

func (w *printer) rangeClause(s *Range) string {
	m := w.mapName(s.Map)
	k, v := w.used[decl{s, 0}], w.used[decl{s, 1}]
	switch {
	case k && v:
		return fmt.Sprintf("%s, %s := range %s", s.K, s.V, m)
	case k:
		return fmt.Sprintf("%s := range %s", s.K, m)
	case v:
		return fmt.Sprintf("_, %s := range %s", s.V, m)
	}
	return "range " + m
}

func (w *printer) branch(s *If) {
	init := ""
	if s.Init != nil {
		init = w.define(s.Init) + "; "
	}
	w.open("if %s%s {", init, w.expr(s.Cond))
	w.block(s.Then)
	if len(s.Else) > 0 {
		w.indent--
		w.open("} else {")
		w.block(s.Else)
	}
	w.end("}")
}

func (w *printer) lockOp(s *LockOp) {
	defered := ""
	if s.Deferred {
		defered = "defer "
	}
	w.pf("%s%s.%s()", defered, w.self(w.p.Locks[s.Lock].Name), s.Kind)
}

func (w *printer) spawn(s *Go) {
	lit := s.Call.F.Literal
	if s.Join == NoJoin && !lit {
		w.pf("go %s", w.expr(s.Call))
		return
	}
	if s.Join == WaitGroup {
		w.pf("wg.Add(1)")
	}
	start, end := w.line, "}()"
	if s.Join == WaitGroupGo {
		w.open("wg.Go(func() {")
		end = "})"
	} else {
		w.open("go func() {")
	}
	if s.Join == WaitGroup {
		w.pf("defer wg.Done()")
	}
	if lit {
		w.block(s.Call.F.Body)
	} else {
		w.pf("%s", w.expr(s.Call))
	}
	if s.Join == Channel {
		w.pf("done <- struct{}{}")
	}
	w.end("%s", end)
	if lit {
		w.src.Funcs[s.Call.F] = [2]int{start, w.line - 1}
	}
}

func (w *printer) wait(s *Wait) {
	switch {
	case s.Join != Channel:
		w.pf("wg.Wait()")
	case s.N == 1:
		w.pf("<-done")
	default:
		w.open("for range %d {", s.N)
		w.pf("<-done")
		w.end("}")
	}
}

func (w *printer) mapName(m int) string { return w.self(w.p.Maps[m].Name) }

func (w *printer) exprs(xs []Expr) string {
	var out []string
	for _, x := range xs {
		out = append(out, w.expr(x))
	}
	return strings.Join(out, ", ")
}

func (w *printer) expr(x Expr) string {
	switch x := x.(type) {
	case *Lit:
		return x.text()
	case *Ref:
		return x.Name
	case *Not:
		if _, ok := x.X.(*Bin); ok {
			return "!(" + w.expr(x.X) + ")"
		}
		return "!" + w.expr(x.X)
	case *Bin:
		return w.operand(x, x.X) + " " + x.Op + " " + w.operand(x, x.Y)
	case *Index:
		return w.mapName(x.Map) + "[" + w.expr(x.Key) + "]"
	case *Len:
		return "len(" + w.mapName(x.Map) + ")"
	case *IsNil:
		return w.mapName(x.Map) + " == nil"
	case *NewItem:
		return "&item{n: " + w.expr(x.N) + "}"
	case *Field:
		return w.expr(x.X) + ".n"
	case *Call:
		return w.call(x)
	}
	panic(fmt.Sprintf("no way to print %T", x))
}

// operand prints an operand; one that binds weaker gets parentheses.
func (w *printer) operand(of *Bin, x Expr) string {
	if b, ok := x.(*Bin); ok && of.Op == "&&" && b.Op == "||" {
		return "(" + w.expr(x) + ")"
	}
	return w.expr(x)
}

func (x *Lit) text() string {
	switch {
	case x.T == Item:
		return "nil"
	case x.T == Bool:
		return fmt.Sprint(x.V != 0)
	}
	return fmt.Sprint(x.V)
}

func (w *printer) call(x *Call) string {
	switch {
	case x.F.Handler:
		args := append([]Expr(nil), x.Args...)
		for len(args) < 2 {
			args = append(args, &Lit{})
		}
		return fmt.Sprintf("%s(%q, %s)", w.self("ask"), x.F.Name, w.exprs(args))
	case w.inMain && !w.p.Global:
		return fmt.Sprintf("%s.%s(%s)", objects[x.Obj], x.F.Name, w.exprs(x.Args))
	}
	return fmt.Sprintf("%s(%s)", w.self(x.F.Name), w.exprs(x.Args))
}
