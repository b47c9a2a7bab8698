package fix

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/tools/go/analysis"

	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// A helper is a function of the package whose whole body is one section of the
// lock. Its variant is the body alone, for callers that hold the lock: under it,
// several helpers come to one step.
//
// The variant is safe to call where the lock is held in write mode. It does what
// the helper did, under a lock that protects no less; the helper itself becomes
// a section with a call of it. What the helper did after it had released the
// lock, and what it did under a read lock, ends by itself, and takes no lock
// that speaks against it (see holdable); what it did under the write lock is done
// under it as before.
type helper struct {
	*scene
	decl  *ast.FuncDecl  // nil for a literal
	block *ast.BlockStmt // its body
	ops   []*operation
	// head are the one or two statements that open the section.
	head []ast.Stmt
	// name is that of the variant; made says that it is there already.
	name string
	made bool
}

// helper returns the helper that a call calls, if the function takes the lock
// itself; refused if it has no variant.
func (m *Maker) helper(call *ast.CallExpr, lock *types.Var) (*helper, refusal) {
	fn := m.calleeOf(call)
	if fn == nil {
		return nil, ""
	}
	g := m.in.Pkg.Lookup(any(fn.Origin()))
	if g == nil {
		return nil, ""
	}
	if !slices.ContainsFunc(g.Locking, func(l summary.LockStep) bool { return l.Acquire && l.Lock.Location().Var == lock }) {
		return nil, ""
	}
	h := &helper{scene: m.scene(g, lock)}
	if h.scene == nil {
		return nil, refusal("the source of " + g.Name + " is generated, or not at hand")
	}
	var ok bool
	if h.decl, ok = h.root.(*ast.FuncDecl); !ok || h.decl.Type.TypeParams != nil || !h.named() {
		return nil, refusal(g.Name + " has a section of its own, and no variant without it: its parameters have no names of their own")
	}
	h.block = h.decl.Body
	if h.text = h.lockText(); h.text == "" || !h.section() {
		return nil, refusal(g.Name + " has a section of its own, which is not its whole body")
	}
	return h, h.variant()
}

// lockText returns the words for the lock in the whole of the function.
func (h *helper) lockText() string {
	if !h.lock.IsField() {
		return h.packageLevel(h.decl.Body.Lbrace + 1)
	}
	text, _ := h.ofReceiver()
	return text
}

// named reports whether the function can hand on its receiver and all of its
// parameters.
func (h *helper) named() bool {
	lists := h.decl.Type.Params.List
	if h.decl.Recv != nil {
		lists = append(slices.Clone(h.decl.Recv.List), lists...)
	}
	return !slices.ContainsFunc(lists, func(f *ast.Field) bool {
		return len(f.Names) == 0 || slices.ContainsFunc(f.Names, func(id *ast.Ident) bool { return id.Name == "_" })
	})
}

// section reports whether the lock is taken first, and released by defer at once,
// or in front of each return.
func (h *helper) section() bool {
	var ok bool
	list := h.block.List
	if h.ops, ok = h.operations(); !ok || len(list) < 2 || !h.deferrable() {
		return false
	}
	if slices.ContainsFunc(h.ops, func(o *operation) bool { return o.text != h.text }) {
		return false
	}
	first := h.opAt(list[0])
	if first == nil || !first.takes {
		return false
	}
	h.head = list[:1]
	if second := h.opAt(list[1]); second != nil && second.deferred && second.reads() == first.reads() {
		h.head = list[:2]
		return len(h.ops) == 2 && len(list) > 2
	}
	return h.releasedAtOnce()
}

// releasedAtOnce reports whether the lock is taken once, and released in front of
// each return and at the end of the body, and nowhere else.
func (h *helper) releasedAtOnce() bool {
	returns, ok := exits(h.block.List)
	if !ok {
		return false
	}
	end := h.block.List[len(h.block.List)-1]
	ways := make(map[*operation]bool)
	for _, r := range returns {
		ls := h.levels(r.Pos())
		if len(ls) == 0 || ls[len(ls)-1].at == 0 {
			return false
		}
		l := ls[len(ls)-1]
		o := h.opAt(l.list[l.at-1])
		if o == nil || !h.simple(r) {
			return false
		}
		ways[o] = true
	}
	if !terminates(end) {
		o := h.opAt(end)
		if o == nil {
			return false
		}
		ways[o] = true
	}
	for _, o := range h.ops {
		if o.deferred || o.takes != (o.level.stmt() == h.head[0]) || !o.takes && !ways[o] {
			return false
		}
	}
	return !h.defers()
}

// defers reports whether the body has deferred calls.
func (h *helper) defers() bool {
	found := false
	ast.Inspect(h.block, func(n ast.Node) bool {
		_, lit := n.(*ast.FuncLit)
		_, is := n.(*ast.DeferStmt)
		found = found || is
		return !found && !lit
	})
	return found
}

// opAt returns the operation that a statement is, nil if it is none.
func (h *helper) opAt(st ast.Stmt) *operation {
	i := slices.IndexFunc(h.ops, func(o *operation) bool { return o.level.stmt() == st })
	if i < 0 {
		return nil
	}
	return h.ops[i]
}

// writes reports whether the helper takes the write lock.
func (h *helper) writes() bool { return !h.ops[0].reads() }

// variant names the variant, and asks whether the body may run under a lock that
// is held for longer.
func (h *helper) variant() refusal {
	if h.name = h.delegate(); h.name != "" {
		h.made = true
	} else if h.name = unexported(h.decl.Name.Name) + "Locked"; h.taken() {
		return refusal(h.f.Name + " has a section of its own, and " + h.name + " is something else already")
	}
	return h.lasting()
}

// lasting reports what speaks against running the body under a write lock that is held
// for longer.
func (h *helper) lasting() refusal {
	if h.writes() && len(h.head) == 2 {
		return ""
	}
	return h.holdable(h.head[0].End(), h.block.End(), func(pos token.Pos) bool {
		return slices.ContainsFunc(h.ops, func(o *operation) bool { return o.step.Pos == pos })
	})
}

// delegate returns the name of the function that is the whole section, called
// with all parameters; "" if there is none.
func (h *helper) delegate() string {
	rest := h.decl.Body.List[len(h.head):]
	if len(rest) != 1 || len(h.head) != 2 {
		return ""
	}
	var call *ast.CallExpr
	switch st := rest[0].(type) {
	case *ast.ReturnStmt:
		if len(st.Results) == 1 {
			call, _ = ast.Unparen(st.Results[0]).(*ast.CallExpr)
		}
	case *ast.ExprStmt:
		call, _ = st.X.(*ast.CallExpr)
	}
	if call == nil || h.src.of(call) != h.calling(calledName(call)) {
		return ""
	}
	return calledName(call)
}

func calledName(call *ast.CallExpr) string {
	if id := calledIdent(call); id != nil {
		return id.Name
	}
	return ""
}

// calledIdent returns the name of the function in a call.
func calledIdent(call *ast.CallExpr) *ast.Ident {
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		return fun
	case *ast.SelectorExpr:
		return fun.Sel
	}
	return nil
}

// taken reports whether the name of the variant means something.
func (h *helper) taken() bool {
	if h.decl.Recv == nil {
		return h.m.pass.Pkg.Scope().Lookup(h.name) != nil || !h.m.freeInFile(h.src.file, h.name) || !h.unused(h.name)
	}
	t := h.f.Obj.Signature().Recv().Type()
	if _, pointer := types.Unalias(t).(*types.Pointer); !pointer {
		t = types.NewPointer(t)
	}
	obj, _, _ := types.LookupFieldOrMethod(t, true, h.m.pass.Pkg, h.name)
	return obj != nil
}

// calling returns the words for a call with the helper's own receiver and
// parameters.
func (h *helper) calling(name string) string {
	if h.decl.Recv != nil {
		name = h.decl.Recv.List[0].Names[0].Name + "." + name
	}
	var args []string
	for _, f := range h.decl.Type.Params.List {
		for _, id := range f.Names {
			args = append(args, id.Name)
			if _, variadic := f.Type.(*ast.Ellipsis); variadic {
				args[len(args)-1] += "..."
			}
		}
	}
	return name + "(" + strings.Join(args, ", ") + ")"
}

// edits makes the variant of the helper's body, and lets the helper call it.
func (h *helper) edits() []analysis.TextEdit {
	if h.made {
		return nil
	}
	if h.decl == nil {
		return h.bare()
	}
	d := h.decl
	call := h.calling(h.name)
	if d.Type.Results != nil {
		call = "return " + call
	}
	signature := "func "
	if d.Recv != nil {
		signature += h.src.of(d.Recv) + " "
	}
	signature += h.name + h.src.between(d.Name.End(), d.Body.Lbrace+1)
	last := h.head[len(h.head)-1]
	text := ""
	if len(h.head) == 1 {
		release := "Unlock"
		if !h.writes() {
			release = "RUnlock"
		}
		text = "\n\tdefer " + h.text + "." + release + "()"
	}
	held := h.text
	if h.lock.Embedded() {
		held += "'s lock"
	}
	text += "\n\t" + call + "\n}\n\n// " + h.name + " is " + d.Name.Name + " for callers that hold " + held + ".\n" + signature
	at := h.src.after(last)
	out := []analysis.TextEdit{{Pos: at, End: h.src.blank(at), NewText: []byte(text)}}
	for _, o := range h.ops {
		if len(h.head) == 1 && !o.takes {
			out = append(out, h.without(o))
		}
	}
	return out
}

// unexported returns a name with its first word in lower case.
func unexported(name string) string {
	rs := []rune(name)
	for i := range rs {
		if !unicode.IsUpper(rs[i]) || i > 0 && i+1 < len(rs) && unicode.IsLower(rs[i+1]) {
			break
		}
		rs[i] = unicode.ToLower(rs[i])
	}
	return string(rs)
}
