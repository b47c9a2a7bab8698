package fix

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/check"
)

// recheck fixes a look and an insertion in two critical sections, where the
// second section is there from before the value is made: the look, with what the
// function does when the entry is there, stands once more at its start.
//
// It is safe. No section begins, ends or grows. The second look waits for
// nothing; if it finds the entry, the function returns as after the first look,
// with the lock released. Nothing was made by then that would have to be ended, and nothing begun that
// what the return leaves out would bring to its end.
// A look in a helper is written as the helper writes it, if it does nothing else.
// Where the insertion stands in the branch of a look that found nothing, what the
// function does when the entry is there is to go on behind that branch: it returns at once
// where that is a plain return, or else what is left of the branch is done only if the
// second look finds nothing, too. Between the look and the section nothing is called.
func (m *Maker) recheck(f check.Finding) (*analysis.SuggestedFix, refusal) {
	p, refused := m.pair(f)
	if refused != "" {
		return nil, refused
	}
	if p.act.Lifted {
		return nil, "the act is made in another function"
	}
	if !p.lookHeld || !p.actHeld || p.act.Op != access.Insert || len(p.lacking()) > 0 {
		return nil, "one of the steps is made without the lock"
	}
	r := &recheck{pair: p}
	if refused := r.read(); refused != "" {
		return nil, refused
	}
	return &analysis.SuggestedFix{Message: "look again under " + p.text, TextEdits: r.edits()}, ""
}

// A recheck is a look with its answer.
type recheck struct {
	*pair
	// entry is how the function writes what is looked up, and operands are the
	// expressions that it is made of.
	entry    string
	operands []ast.Expr
	value    types.Object // what was looked up, nil if nothing names it
	found    types.Object // whether it was there, nil if the value tells
	// ret is what answers a look that found the entry; nil where the function ends.
	ret *ast.ReturnStmt
	// absent is what the branch's condition, or a part of it, says of the entry: that it is not there.
	absent ast.Expr
	// branch is the statement in whose body the insertion stands, nil if none does.
	branch *ast.IfStmt
	// wraps: what is left of the branch stands in an if statement on the second look, which
	// is written as the first, def.
	wraps bool
	def   *ast.AssignStmt
	// taking is the statement after which the second look stands, and deferred
	// says that the section ends with the function.
	taking   ast.Stmt
	deferred bool
}

// read finds the look, its answer, and the start of the insertion's section.
func (r *recheck) read() refusal {
	const unlike = "the look is not answered by a plain return"
	def, is := r.answer()
	if def == nil || is == nil || is.Else != nil {
		return unlike
	}
	inside := within(is.Body, r.act.Pos)
	r.def = def
	switch {
	case !r.decidesIn(def, is.Cond, inside):
		return unlike
	case inside:
		r.branch = is
		r.wraps = !r.leadsOn(is) || !r.own()
	default:
		if r.ret = r.lastReturn(is.Body); r.ret == nil || !r.own() {
			return unlike
		}
	}
	if !r.looked(ast.Unparen(def.Rhs[0])) {
		return unlike
	}
	for _, x := range r.operands {
		if r.body.calls(x, x.Pos(), x.End()) || r.body.changes(r.body.variables(x), r.look.Pos, r.act.Pos) {
			return "the key can change between look and insertion"
		}
	}
	if refused := r.start(); refused != "" {
		return refused
	}
	if r.branch == nil && r.skips(is) {
		return "the return at a second look would leave out what the function must do behind it"
	}
	return ""
}

// decidesIn is decides where the condition may ask more, which needs no call: that the entry is not
// there is one of several things for the insertion.
func (r *recheck) decidesIn(def *ast.AssignStmt, cond ast.Expr, absent bool) bool {
	both, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	if !ok || both.Op != token.LAND || !absent {
		r.absent = cond
		return r.decides(def, cond, absent)
	}
	for _, way := range [...][2]ast.Expr{{both.X, both.Y}, {both.Y, both.X}} {
		if more := way[1]; r.decidesIn(def, way[0], true) && !r.body.calls(more, more.Pos(), more.End()) {
			return true
		}
	}
	return false
}

// decides reports whether a condition is that the entry is there, or not there where absent
// asks for that: the look said so, or its value is compared with nil.
func (r *recheck) decides(def *ast.AssignStmt, cond ast.Expr, absent bool) bool {
	if id, ok := def.Lhs[0].(*ast.Ident); ok && id.Name != "_" {
		r.value = r.body.info.ObjectOf(id)
	}
	if len(def.Lhs) == 2 {
		if absent {
			not, ok := ast.Unparen(cond).(*ast.UnaryExpr)
			if !ok || not.Op != token.NOT {
				return false
			}
			cond = not.X
		}
		ok, isOk := def.Lhs[1].(*ast.Ident)
		id, isID := ast.Unparen(cond).(*ast.Ident)
		if isOk && isID && r.body.info.Uses[id] != nil {
			r.found = r.body.info.Uses[id]
		}
		return r.found != nil && r.found == r.body.info.ObjectOf(ok)
	}
	op := token.NEQ
	if absent {
		op = token.EQL
	}
	is, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	if !ok || is.Op != op || !isNil(r.body.info, is.Y) {
		return false
	}
	id, ok := ast.Unparen(is.X).(*ast.Ident)
	return ok && r.value != nil && r.body.info.Uses[id] == r.value
}

// looked finds what a look looks up: an entry by its key, or what a helper does
// whose section is that alone.
func (r *recheck) looked(x ast.Expr) bool {
	if index, ok := x.(*ast.IndexExpr); ok {
		r.entry, r.operands = r.src.of(index), []ast.Expr{index.Index}
		return r.plain(index.X)
	}
	call, ok := x.(*ast.CallExpr)
	if !ok {
		return false
	}
	h, _ := r.m.helper(call, r.lock)
	if h == nil {
		return false
	}
	index := h.lookUp()
	if index == nil {
		return false
	}
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && !r.plain(sel.X) {
		return false
	}
	r.operands = call.Args
	r.entry = h.inCaller(index, call, r.src)
	return r.entry != ""
}

// answer returns the definition that looks, and the if statement on it.
func (r *recheck) answer() (*ast.AssignStmt, *ast.IfStmt) {
	ls := r.levels(r.look.Pos)
	if len(ls) == 0 {
		return nil, nil
	}
	l := ls[len(ls)-1]
	if is, ok := l.stmt().(*ast.IfStmt); ok {
		def, ok := is.Init.(*ast.AssignStmt)
		if !ok || len(def.Lhs) > 2 || len(def.Rhs) != 1 {
			return nil, nil
		}
		return def, is
	}
	def, ok := l.stmt().(*ast.AssignStmt)
	if !ok || len(def.Lhs) > 2 || len(def.Rhs) != 1 {
		return nil, nil
	}
	for _, st := range l.list[l.at+1:] {
		if is, ok := st.(*ast.IfStmt); ok && is.Init == nil {
			return def, is
		}
		if !r.isOp(st) {
			break
		}
	}
	return nil, nil
}

func (r *recheck) isOp(st ast.Stmt) bool {
	return slices.ContainsFunc(r.ops, func(o *operation) bool { return o.level.stmt() == st })
}

// lastReturn returns the return of a body that does nothing else but release the
// lock.
func (r *recheck) lastReturn(b *ast.BlockStmt) *ast.ReturnStmt {
	if len(b.List) == 0 {
		return nil
	}
	ret, ok := b.List[len(b.List)-1].(*ast.ReturnStmt)
	if !ok || r.body.calls(ret, ret.Pos(), ret.End()) {
		return nil
	}
	for _, st := range b.List[:len(b.List)-1] {
		if !r.isOp(st) {
			return nil
		}
	}
	return ret
}

// start finds where the section of the insertion begins, and asks that what is
// inserted is made after that, or is nothing that has to be ended.
func (r *recheck) start() refusal {
	var taking *operation
	for _, o := range r.ops {
		between := r.look.Pos < o.step.Pos && o.step.Pos < r.act.Pos
		later := taking == nil || o.step.Pos > taking.step.Pos
		if o.takes && !o.reads() && between && later {
			taking = o
		}
	}
	if taking == nil {
		return "the section of the insertion begins elsewhere"
	}
	r.taking = taking.level.stmt()
	if refused := r.leftOpen(taking); refused != "" {
		return refused
	}
	if i := taking.level.at + 1; i < len(taking.level.list) {
		for _, o := range r.ops {
			if o.deferred && o.level.stmt() == taking.level.list[i] {
				r.taking, r.deferred = o.level.stmt(), true
			}
		}
	}
	if r.branch != nil && !r.quietBranch() {
		return "more is done between the look and the section than to define what needs no call"
	}
	for _, st := range r.levels(r.act.Pos) {
		if a, ok := st.stmt().(*ast.AssignStmt); ok && len(a.Rhs) == 1 && r.madeBefore(a.Rhs[0], r.taking.Pos()) {
			return "what is inserted is made before the section begins"
		}
	}
	switch {
	case r.wraps:
		return r.wrappable()
	case r.ret == nil:
		return ""
	}
	scopeOK := true
	ast.Inspect(r.ret, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if obj := r.body.info.Uses[id]; obj != nil && obj != r.value && !r.visible(obj, id.Name) {
				scopeOK = false
			}
		}
		return scopeOK
	})
	if !scopeOK && r.branch != nil {
		r.wraps = true
		return r.wrappable()
	}
	if !scopeOK {
		return "what the look's answer returns means something else there"
	}
	return ""
}

// visible reports whether a name means the same at the start of the section.
func (r *recheck) visible(obj types.Object, name string) bool {
	if _, field := obj.(*types.Var); field && obj.(*types.Var).IsField() {
		return true
	}
	scope := r.m.pass.Pkg.Scope().Innermost(r.taking.End())
	if scope == nil {
		return false
	}
	_, here := scope.LookupParent(name, r.taking.End())
	return here == obj
}

// madeBefore reports whether a value is that of a variable that gets it before a
// place, and that must be ended.
func (r *recheck) madeBefore(x ast.Expr, at token.Pos) bool {
	if sel, part := ast.Unparen(x).(*ast.SelectorExpr); part {
		return r.partMadeBefore(sel, at)
	}
	id, ok := ast.Unparen(x).(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := r.body.info.Uses[id].(*types.Var)
	if !ok || basic(v.Type()) || r.branch != nil && r.branch.Pos() <= v.Pos() && v.Pos() < at && r.m.droppable(v.Type()) {
		return false
	}
	after := false
	ast.Inspect(r.body.block, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || a.Pos() < at || a.Pos() > r.act.Pos {
			return true
		}
		for _, l := range a.Lhs {
			if id, ok := l.(*ast.Ident); ok && r.body.info.ObjectOf(id) == types.Object(v) {
				after = true
			}
		}
		return true
	})
	return !after
}

// edits puts the second look behind the acquisition.
func (r *recheck) edits() []analysis.TextEdit {
	if r.wraps {
		return r.wrapped()
	}
	indent := r.src.indent(r.taking.Pos())
	first := "_"
	named := r.value != nil && r.ret != nil && r.body.mentions(r.ret, func(id *ast.Ident) bool { return r.body.info.Uses[id] == r.value })
	if named || r.found == nil {
		first = r.fresh("first", "existing", "winner")
	}
	head := first + " := " + r.entry + "; " + first + " != nil"
	if r.found != nil {
		ok := r.fresh("present", "found", "exists")
		head = first + ", " + ok + " := " + r.entry + "; " + ok
	}
	text := "\n" + indent + "if " + head + " {"
	if !r.deferred {
		text += "\n" + indent + "\t" + r.text + ".Unlock()"
	}
	text += "\n" + indent + "\t" + r.answerText(first) + "\n" + indent + "}"
	return []analysis.TextEdit{insert(r.src.after(r.taking), text)}
}

// answerText is the return of the look's answer, with what was found now, and that it was.
func (r *recheck) answerText(first string) string {
	if r.ret == nil {
		return "return"
	}
	out, at := "", r.ret.Pos()
	ast.Inspect(r.ret, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || r.body.info.Uses[id] == nil {
			return true
		}
		switch r.body.info.Uses[id] {
		case r.value:
			out, at = out+r.src.between(at, id.Pos())+first, id.End()
		case r.found:
			out, at = out+r.src.between(at, id.Pos())+"true", id.End()
		}
		return true
	})
	return out + r.src.between(at, r.ret.End())
}
