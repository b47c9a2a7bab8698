package fix

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/check"
	"github.com/mapguard/mapguard/analyzer/internal/depend"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// lookAgain fixes an insertion of what a look found absent, where what is done
// in between is not brief enough to hold the lock: the map is looked at again in
// the insertion's own section, and the value that another goroutine has put in
// meanwhile is used in place of one's own, which is closed if its type has Close.
//
// It is safe. The section of the insertion is as long as before, or begins and
// ends around the second look and the insertion, which wait for nothing; the
// loser is closed when it has ended. No other goroutine has the loser: between
// its making and the insertion it is named only to set, read or compare its
// parts. From there on its variable holds the winner. Nothing is done after the
// insertion that only the one who inserted should do: what follows in its branch
// are releases and returns without calls, and what puts the value in other places
// (see company), which the loser leaves out, as no one is to find it. A look or another access that lacked
// the lock gets it.
func (m *Maker) lookAgain(f check.Finding) (*analysis.SuggestedFix, refusal) {
	p, refused := m.pair(f)
	if refused != "" {
		return nil, refused
	}
	edits, refused := p.again()
	if edits == nil {
		return nil, refused
	}
	return &analysis.SuggestedFix{Message: "look again under " + p.text, TextEdits: edits}, ""
}

// again makes the edits of a second look. Where both steps hold the lock already,
// no section begins that was not there.
func (p *pair) again() ([]analysis.TextEdit, refusal) {
	if !p.actHeld || len(p.lacking()) > 0 {
		if refused := p.enterable(); refused != "" {
			return nil, refused
		}
	}
	a := &again{pair: p}
	if refused := a.read(); refused != "" {
		return nil, refused
	}
	edits, refused := a.insertion()
	if edits == nil {
		return nil, refused
	}
	more, refused := a.others()
	if refused != "" {
		return nil, refused
	}
	return append(edits, more...), ""
}

// again is an insertion with the statement that makes it.
type again struct {
	*pair
	stmt  *ast.AssignStmt
	index *ast.IndexExpr
	value *types.Var // the variable that is inserted
	level level      // the list in which it stands
	sign  presence   // how the look tells that the entry is there
	close string     // how the loser is closed, "" if it need not be
	// along are the statements behind the insertion that put the value in other places, in the same section.
	along []ast.Stmt
	// later are the places at which the function reads the entry once more,
	// after the insertion; blank is where the look drops its value. A variable
	// called entry takes the place of both.
	later []ast.Expr
	blank *ast.Ident
	entry string
}

// read finds the insertion in the source, and asks what must hold of it.
func (a *again) read() refusal {
	if a.look.Lifted || a.act.Lifted {
		return "a step is made in another function"
	}
	if a.act.Op != access.Insert || a.v.Pair.Polarity != depend.Absent {
		return "the step does not insert what was found absent"
	}
	ls := a.levels(a.act.Pos)
	a.level = ls[len(ls)-1]
	st, ok := a.level.stmt().(*ast.AssignStmt)
	if !ok || len(st.Lhs) != 1 || len(st.Rhs) != 1 || st.Tok != token.ASSIGN {
		return "the insertion is no plain assignment"
	}
	a.stmt = st
	if a.index, ok = ast.Unparen(st.Lhs[0]).(*ast.IndexExpr); !ok || !a.body.same(a.index, a.index) && !a.pure(a.index) {
		return "the insertion's key is computed"
	}
	id, ok := ast.Unparen(st.Rhs[0]).(*ast.Ident)
	if !ok {
		return "what is inserted has no name"
	}
	if a.value, ok = a.body.info.Uses[id].(*types.Var); !ok || a.value.Parent() == a.m.pass.Pkg.Scope() {
		return "what is inserted is no variable of the function"
	}
	if !types.Identical(a.value.Type(), a.body.info.TypeOf(a.index)) {
		return "what is inserted has another type than the map's values"
	}
	a.along = a.company()
	if !a.ownKey() {
		return "the key can change between look and insertion"
	}
	var refused refusal
	if a.sign, refused = a.presence(); refused != "" {
		return refused
	}
	if refused := a.readLater(); refused != "" {
		return refused
	}
	return a.loser()
}

// readLater finds the places at which the entry is read once more: by then
// another goroutine can have deleted it, so the value that was looked up or
// inserted is used there.
func (a *again) readLater() refusal {
	for i := range a.f.Accesses {
		x := &a.f.Accesses[i]
		if x.Pos < a.stmt.End() || x.Op != access.Lookup || x.Lifted || x.Path != a.act.Path {
			continue
		}
		for _, n := range a.path(x.Pos) {
			if e, ok := n.(*ast.IndexExpr); ok && a.body.same(e.Index, a.index.Index) && a.body.same(e.X, a.index.X) {
				if _, tuple := a.body.info.TypeOf(e).(*types.Tuple); !tuple {
					a.later = append(a.later, e)
				}
			}
		}
	}
	if len(a.later) == 0 {
		return ""
	}
	for _, n := range a.path(a.look.Pos) {
		if def, ok := n.(*ast.AssignStmt); ok && def.Tok == token.DEFINE && len(def.Lhs) == 2 {
			if id, ok := def.Lhs[0].(*ast.Ident); ok && id.Name == "_" {
				a.blank = id
			}
			break
		}
	}
	if a.blank == nil || a.branch() == nil || a.body.changes(a.body.variables(a.index.Index), a.stmt.End(), a.body.block.End()) {
		return "the entry is read once more after the insertion"
	}
	a.entry = a.fresh("entry", "current", "kept")
	return ""
}

// pure reports whether the operands of an index are plain names.
func (a *again) pure(x *ast.IndexExpr) bool {
	return a.plain(x.X) && (a.plain(x.Index) || a.body.info.Types[x.Index].Value != nil)
}

// ownKey reports whether the key is the same words at the look, for the same
// things.
func (a *again) ownKey() bool {
	key := a.index.Index
	if a.body.changes(a.body.variables(key), a.look.Pos, a.stmt.End()) {
		return false
	}
	same := false
	for _, n := range a.path(a.look.Pos) {
		if x, ok := n.(*ast.IndexExpr); ok {
			same = a.body.same(x.Index, key) || a.body.info.Types[x.Index].Value != nil && a.body.same(x.Index, key)
			break
		}
		if _, ok := n.(ast.Stmt); ok {
			break
		}
	}
	return same
}

// loser asks whether the value can be dropped, and how.
func (a *again) loser() refusal {
	if a.body.inLiteral(a.stmt) || a.captured() || a.addressed() {
		return "what is inserted is used in a function literal, or its address is taken"
	}
	if !a.ofItsOwn() {
		return "what is inserted may be in use already when it is inserted"
	}
	if !a.quietAfter() {
		return "more is done after the insertion than to return, which only the one who inserted should do"
	}
	if a.tells() {
		return "what is returned tells who inserted"
	}
	if a.bareReturn() {
		return "a bare return behind the insertion gives results that the look may have set"
	}
	t := a.value.Type()
	if a.m.droppable(t) || basic(t) {
		return ""
	}
	obj, _, _ := types.LookupFieldOrMethod(t, true, a.m.pass.Pkg, "Close")
	fn, ok := obj.(*types.Func)
	if !ok || fn.Signature().Params().Len() > 0 || fn.Signature().Results().Len() > 1 {
		if a.m.bareInsert(a.f, a.act.Pos) {
			return ""
		}
		return "the value that loses must be ended, and has no plain Close"
	}
	a.close = a.value.Name() + ".Close()"
	if fn.Signature().Results().Len() == 1 {
		a.close = "_ = " + a.close
	}
	return ""
}

// bareReturn reports whether the function returns its named results behind the insertion without
// naming them.
func (a *again) bareReturn() bool {
	results := a.body.typ.Results
	if results == nil || len(results.List) == 0 {
		return false
	}
	found := false
	ast.Inspect(a.body.block, func(n ast.Node) bool {
		ret, ok := n.(*ast.ReturnStmt)
		found = found || ok && len(ret.Results) == 0 && ret.Pos() > a.stmt.End() && !a.body.inLiteral(ret)
		return !found
	})
	return found
}

func (a *again) captured() bool {
	return slices.ContainsFunc(a.body.uses(a.value), func(id *ast.Ident) bool { return a.body.inLiteral(id) })
}

func (a *again) addressed() bool {
	t := &twoStep{m: a.m, body: a.body}
	return t.addressed(a.value)
}

// ofItsOwn reports whether the variable is made in this function, and only
// looked at, or its parts set, before the insertion.
func (a *again) ofItsOwn() bool {
	if a.value.Pos() < a.body.block.Pos() || a.body.block.End() <= a.value.Pos() {
		result := a.body.typ.Results
		if result == nil || a.value.Pos() < result.Pos() || result.End() <= a.value.Pos() {
			return false // a parameter: the caller goes on with its own
		}
	}
	if basic(a.value.Type()) {
		return true
	}
	t := &twoStep{m: a.m, body: a.body}
	for _, id := range a.body.uses(a.value) {
		if id.Pos() < a.stmt.Pos() && a.look.Pos < id.Pos() && !t.harmless(id) {
			return false
		}
	}
	for _, l := range a.levels(a.stmt.Pos()) {
		switch l.stmt().(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			if a.value.Pos() < l.stmt().Pos() {
				return false
			}
		}
	}
	return true
}

// quietAfter reports whether nothing follows the insertion, in its branch and
// where the look found nothing, but releases of the lock, returns and definitions
// without calls.
func (a *again) quietAfter() bool {
	found := a.branch()
	for _, l := range slices.Backward(a.levels(a.stmt.Pos())) {
		if found != nil && l.stmt().Pos() <= found.Pos() && found.End() <= l.stmt().End() && l.stmt() != ast.Stmt(a.stmt) {
			return true // what follows runs in any case
		}
		for _, st := range l.list[l.at+1:] {
			if !a.quiet(st) && !slices.Contains(a.along, st) {
				return false
			}
		}
	}
	return true
}

// branch returns the if statement on the look in whose body the insertion
// stands, nil if a return of the other branch leads to it.
func (a *again) branch() ast.Stmt {
	for _, l := range a.levels(a.stmt.Pos()) {
		if st, ok := l.stmt().(*ast.IfStmt); ok && a.look.Pos < st.Body.Pos() && a.stmt.Pos() > st.Body.Pos() && !a.errorTest(st) {
			return st
		}
	}
	return nil
}

func (a *again) errorTest(st *ast.IfStmt) bool {
	b, ok := st.Cond.(*ast.BinaryExpr)
	return ok && isNil(a.body.info, b.Y) && ssautil.IsError(a.body.info.TypeOf(b.X))
}

func (a *again) quiet(st ast.Stmt) bool {
	if slices.ContainsFunc(a.ops, func(o *operation) bool { return o.level.stmt() == st }) {
		return true
	}
	switch st := st.(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return !a.body.calls(st, st.Pos(), st.End())
	}
	return false
}

// insertion replaces the insertion.
func (a *again) insertion() ([]analysis.TextEdit, refusal) {
	indent := a.src.indent(a.stmt.Pos())
	after := slices.ContainsFunc(a.body.uses(a.value), func(id *ast.Ident) bool { return id.Pos() > a.last().End() })
	entry := a.src.of(a.index)
	name := a.value.Name()
	if a.actHeld && a.close == "" && a.entry == "" {
		if !after {
			return append(a.deeper(),
				insert(a.stmt.Pos(), "if "+a.absent(entry)+" {\n"+indent+"\t"),
				insert(a.src.after(a.last()), "\n"+indent+"}"),
			), ""
		}
		first := a.fresh("first", "existing", "winner")
		return append(a.deeper(),
			insert(a.stmt.Pos(), "if "+a.there(first, entry)+" {\n"+indent+"\t"+name+" = "+first+"\n"+indent+"} else {\n"+indent+"\t"),
			insert(a.src.after(a.last()), "\n"+indent+"}"),
		), ""
	}
	return a.shortSection(entry, indent, after)
}

// shortSection makes a section of the second look and the insertion alone. What
// the loser needs is done after it.
func (a *again) shortSection(entry, indent string, after bool) ([]analysis.TextEdit, refusal) {
	var taking, release *operation
	if a.actHeld {
		var refused refusal
		if taking, release, refused = a.extent(); refused != "" {
			return nil, refused
		}
	}
	ok, first := a.fresh("present", "found", "exists"), "_"
	if after || a.entry != "" {
		first = a.fresh("first", "existing", "winner")
	}
	nl := "\n" + indent
	look := a.second(first, ok, entry, nl) + nl + "if !" + ok + " {" + nl + "\t"
	loser := ""
	if a.close != "" || after {
		loser = nl + "if " + ok + " {"
		if a.close != "" {
			loser += nl + "\t" + a.closing(nl+"\t")
		}
		if after {
			loser += nl + "\t" + a.value.Name() + " = " + first
		}
		loser += nl + "}"
	}
	inserted := ""
	if a.entry != "" {
		inserted = nl + "\t" + first + " = " + a.value.Name()
		loser += nl + a.entry + " = " + first
	}
	unlock := nl + a.text + ".Unlock()"
	end := a.src.after(a.last())
	switch {
	case taking == nil:
		a.opens(a.stmt.Pos(), a.stmt.End(), true)
		return []analysis.TextEdit{insert(a.stmt.Pos(), a.text+".Lock()"+nl+look), insert(end, inserted+nl+"}"+unlock+loser)}, ""
	case release.deferred:
		return append(a.deeper(), a.without(release), insert(a.stmt.Pos(), look), insert(end, inserted+nl+"}"+unlock+loser)), ""
	}
	edits := append(a.deeper(), insert(a.stmt.Pos(), look), insert(end, inserted+nl+"}"))
	if loser != "" {
		edits = append(edits, insert(a.src.after(release.level.stmt()), loser))
	}
	return edits, ""
}

// extent returns the acquisition before the insertion and the release after it,
// if nothing else stands between.
func (a *again) extent() (taking, release *operation, why refusal) {
	const more = "the section does more than to insert"
	at := func(i int) *operation {
		if i < 0 || i >= len(a.level.list) {
			return nil
		}
		for _, o := range a.ops {
			if o.level.stmt() == a.level.list[i] {
				return o
			}
		}
		return nil
	}
	before, after := at(a.level.at-1), at(a.level.at+1+len(a.along))
	switch {
	case before == nil:
		return nil, nil, more
	case before.takes && after != nil && !after.takes && !after.deferred:
		return before, after, ""
	case before.deferred:
		if taking = at(a.level.at - 2); taking != nil && taking.takes && !a.needsAfter() {
			return taking, before, ""
		}
	}
	return nil, nil, more
}

// needsAfter reports whether the function uses what the lock guards after the
// insertion.
func (a *again) needsAfter() bool {
	for i := range a.f.Accesses {
		if x := &a.f.Accesses[i]; x.Pos > a.last().End() && a.guards(x.Path.Location()) {
			return true
		}
	}
	return a.levelsBelow()
}

// levelsBelow reports whether anything but returns follows: with the lock still
// held it may have been meant to be covered.
func (a *again) levelsBelow() bool {
	for _, l := range a.levels(a.stmt.Pos()) {
		for _, st := range l.list[l.at+1:] {
			if !a.quiet(st) && !slices.Contains(a.along, st) {
				return true
			}
		}
	}
	return false
}

// others takes the lock for the look, and for other accesses that lack it.
func (a *again) others() ([]analysis.TextEdit, refusal) {
	var points []point
	var edits []analysis.TextEdit
	if a.entry != "" {
		edits = append(edits, replace(a.blank, a.entry))
		for _, e := range a.later {
			edits = append(edits, replace(e, a.entry))
		}
	}
	for _, x := range a.lacking() {
		if x.Pos == a.act.Pos {
			continue
		}
		if x.Pos >= a.stmt.Pos() && x.Pos < a.stmt.End() {
			continue
		}
		if slices.ContainsFunc(a.later, func(e ast.Expr) bool { return within(e, x.Pos) }) {
			continue
		}
		points = append(points, point{x.Pos, x.Op.Writes()})
	}
	if len(points) == 0 {
		return edits, ""
	}
	within := func(r region) bool {
		return slices.ContainsFunc(a.ops, func(o *operation) bool { return r.has(o.step.Pos) }) || r.has(a.stmt.Pos())
	}
	more, refused := a.apart(points, within)
	return append(edits, more...), refused
}
