package fix

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
)

// leadsOn reports whether nothing but a return without calls, or the end of the function,
// follows the branch of a look that found nothing, and finds that return.
func (r *recheck) leadsOn(is *ast.IfStmt) bool {
	for _, l := range r.levels(is.Pos()) {
		if l.stmt() != ast.Stmt(is) {
			continue
		}
		rest := l.list[l.at+1:]
		if len(rest) == 0 {
			results := r.body.typ.Results
			last := r.body.block.List
			return (results == nil || len(results.List) == 0) && last[len(last)-1] == ast.Stmt(is)
		}
		ret, ok := rest[0].(*ast.ReturnStmt)
		r.ret = ret
		return ok && !r.body.calls(ret, ret.Pos(), ret.End())
	}
	return false
}

// quietBranch reports whether the section begins in the branch itself, and nothing stands
// before it there but releases of the lock, definitions without calls, and tests without calls that leave the function.
func (r *recheck) quietBranch() bool {
	for _, st := range r.branch.Body.List {
		if st.Pos() <= r.taking.Pos() && r.isOp(st) {
			if st == r.taking {
				return true
			}
			continue
		}
		if !r.quietDefinition(st) && !r.leavesBefore(st) {
			return false
		}
	}
	return false
}

// quietDefinition reports whether a statement defines variables, without a call.
func (r *recheck) quietDefinition(st ast.Stmt) bool {
	def, ok := st.(*ast.AssignStmt)
	return ok && def.Tok == token.DEFINE && !r.body.calls(def, def.Pos(), def.End())
}

// leavesBefore reports whether a statement leaves the function or does nothing: it asks without a call.
func (r *recheck) leavesBefore(st ast.Stmt) bool {
	is, ok := st.(*ast.IfStmt)
	return ok && is.Init == nil && is.Else == nil && !r.body.calls(is.Cond, is.Cond.Pos(), is.Cond.End()) && leaves(is.Body.List)
}

// own reports whether the return of the answer says all that there is to say of the look: what it
// found goes into variables that it defines, and that no literal uses; and the return names its results.
func (r *recheck) own() bool {
	results := r.body.typ.Results
	if r.ret != nil && len(r.ret.Results) == 0 && results != nil && len(results.List) > 0 {
		return false
	}
	for _, lhs := range r.def.Lhs {
		id, ok := lhs.(*ast.Ident)
		if !ok {
			return false
		}
		if id.Name == "_" {
			continue
		}
		v, ok := r.body.info.ObjectOf(id).(*types.Var)
		if !ok || v.Parent() == r.m.pass.Pkg.Scope() || slices.ContainsFunc(r.body.uses(v), func(id *ast.Ident) bool { return r.body.inLiteral(id) }) {
			return false
		}
		if (v.Pos() < r.body.block.Pos() || r.body.block.End() <= v.Pos()) && !r.answers(v) {
			return false // a result, or a variable of the function around
		}
	}
	return true
}

// answers reports whether a variable is a result of the function, which the return of the answer sets. The second look
// has a variable of its own there.
func (r *recheck) answers(v *types.Var) bool {
	results := r.body.typ.Results
	return r.ret != nil && r.branch == nil && results != nil && within(results, v.Pos())
}

// leftOpen reports what speaks against a second look because of the lock's other operations: a release
// for the function's end that does not belong to the section would come twice; and in the branch the
// section is all that there is.
func (r *recheck) leftOpen(taking *operation) refusal {
	const other = "the lock is taken or released in another way, too"
	for _, o := range r.ops {
		at := o.level.at
		belongs := at > 0 && o.level.list[at-1] == taking.level.stmt()
		if o.deferred && !belongs {
			return other
		}
		if r.branch == nil || o == taking || o.deferred || o.step.Pos < r.branch.Body.Pos() || r.branch.End() <= o.step.Pos {
			continue
		}
		if o.takes || o.step.Pos < taking.step.Pos || !r.topLevel(o) && !leaves(o.level.list) {
			return other
		}
	}
	return ""
}

// topLevel reports whether an operation stands in the list of the branch itself.
func (r *recheck) topLevel(o *operation) bool {
	return slices.Contains(r.branch.Body.List, o.level.stmt())
}

// leaves reports whether a list of statements ends by leaving the function.
func leaves(list []ast.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	_, ok := list[len(list)-1].(*ast.ReturnStmt)
	return ok
}

// wrappable asks whether what is left of the branch, from the start of the section, can stand
// in an if statement on the second look. That one assigns to the variables of the first.
func (r *recheck) wrappable() refusal {
	const more = "what follows the second look cannot stand in a branch of its own"
	release := r.release()
	if !r.deferred && (release == nil || r.releases() != 1) || r.def.Tok != token.DEFINE && r.def.Tok != token.ASSIGN {
		return more
	}
	for _, obj := range [...]types.Object{r.value, r.found} {
		if obj == nil {
			continue
		}
		own := func(o types.Object) bool { return o == obj }
		if !r.visible(obj, obj.Name()) || r.body.changes(own, r.look.Pos+1, r.taking.End()) || obj == r.found && r.body.changes(own, r.taking.End(), r.branch.End()) {
			return more
		}
	}
	if r.deferred {
		return ""
	}
	rest := r.rest(release)
	if len(rest) > 0 && (r.found == nil || r.definedFor(release, rest)) {
		return more
	}
	return ""
}

// release returns the statement of the branch with which the section ends; nil if it does not
// end in the branch, in one place of it.
func (r *recheck) release() ast.Stmt {
	list := r.branch.Body.List
	for _, st := range list[slices.Index(list, r.taking)+1:] {
		if r.isOp(st) {
			return st
		}
	}
	return nil
}

// releases counts the releases in the list of the branch.
func (r *recheck) releases() (n int) {
	for _, o := range r.ops {
		if !o.takes && !o.deferred && r.topLevel(o) {
			n++
		}
	}
	return n
}

// rest returns the statements of the branch behind the release.
func (r *recheck) rest(release ast.Stmt) []ast.Stmt {
	list := r.branch.Body.List
	return list[slices.Index(list, release)+1:]
}

// definedFor reports whether what the section defines is used behind its release.
func (r *recheck) definedFor(release ast.Stmt, rest []ast.Stmt) bool {
	inside := func(obj types.Object) bool {
		return obj != nil && r.taking.End() <= obj.Pos() && obj.Pos() < release.Pos()
	}
	return slices.ContainsFunc(rest, func(st ast.Stmt) bool {
		return r.body.mentions(st, func(id *ast.Ident) bool { return inside(r.body.info.Uses[id]) })
	})
}

// wrapped puts the second look behind the acquisition, and what is left of the branch into
// statements on what it found.
func (r *recheck) wrapped() []analysis.TextEdit {
	indent := r.src.indent(r.taking.Pos())
	nl := "\n" + indent
	look := ""
	for i, lhs := range r.def.Lhs {
		if i > 0 {
			look += ", "
		}
		look += r.src.of(lhs)
	}
	head := nl + "if " + r.src.of(r.absent) + " {"
	at := r.src.after(r.taking)
	edits := []analysis.TextEdit{{Pos: at, End: r.src.blank(at), NewText: []byte(nl + look + " = " + r.entry + head)}}
	closed := "\n" + indent + "}"
	if r.deferred {
		list := r.branch.Body.List
		return append(edits, insert(r.src.after(list[len(list)-1]), closed))
	}
	release := r.release()
	list := r.branch.Body.List
	edits = append(edits, insert(r.src.after(list[slices.Index(list, release)-1]), closed))
	if rest := r.rest(release); len(rest) > 0 {
		edits = append(edits, insert(r.src.after(release), head), insert(r.src.after(rest[len(rest)-1]), closed))
	}
	return edits
}
