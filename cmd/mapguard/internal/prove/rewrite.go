package prove

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/mapguard/mapguard/cmd/mapguard/internal/prove/mapguardprobe"
)

// probes is the name by which probed files import the hooks.
const probes = "mapguardprobe"

// An edit replaces the bytes from start up to end. Of edits at one place those
// that close come first, the inner ones before the outer ones, then those that
// open, the outer ones first.
type edit struct {
	start, end int
	text       string
	opens      bool
	size       int // of the node that it surrounds
	op         int // the operation, or -1
}

// apply makes the edits. Lines keep their numbers: no edit adds or removes one.
func (f *file) apply(without map[int]bool) []byte {
	edits := slices.Clone(f.edits)
	slices.SortStableFunc(edits, func(a, b edit) int {
		if c := cmp.Compare(a.start, b.start); c != 0 {
			return c
		}
		switch {
		case a.opens != b.opens && a.opens:
			return 1
		case a.opens != b.opens:
			return -1
		case a.opens:
			return cmp.Compare(b.size, a.size)
		}
		return cmp.Compare(a.size, b.size)
	})
	var out []byte
	last := 0
	for _, e := range edits {
		if without[e.op] || e.start < last {
			continue
		}
		out = append(out, f.src[last:e.start]...)
		out = append(out, e.text...)
		for range strings.Count(string(f.src[e.start:e.end]), "\n") - strings.Count(e.text, "\n") {
			out = append(out, '\n')
		}
		last = e.end
	}
	return append(out, f.src[last:]...)
}

// rewriter makes the edits of operations.
type rewriter struct {
	*module
	op *operation
}

// size orders edits at one place; what belongs to no operation is outside.
func (w *rewriter) size(n ast.Node) int {
	size := 2 * int(n.End()-n.Pos())
	if w.op.id < 0 {
		size++
	}
	return size
}

func (w *rewriter) open(at token.Pos, n ast.Node, text string) {
	w.op.file.edits = append(w.op.file.edits, edit{w.offset(at), w.offset(at), text, true, w.size(n), w.op.id})
}

func (w *rewriter) close(at token.Pos, n ast.Node, text string) {
	w.op.file.edits = append(w.op.file.edits, edit{w.offset(at), w.offset(at), text, false, w.size(n), w.op.id})
}

func (w *rewriter) replace(from, to token.Pos, text string) {
	w.op.file.edits = append(w.op.file.edits, edit{w.offset(from), w.offset(to), text, true, 0, w.op.id})
}

// around puts hooks around a node.
func (w *rewriter) around(n ast.Node, before, after string) {
	w.open(n.Pos(), n, before)
	w.close(n.End(), n, after)
}

// rewrite puts hooks around an operation.
func (m *module) rewrite(op *operation) {
	w := &rewriter{m, op}
	f := op.file
	ref, of := "&", ""
	if !f.addressable(op.object) {
		ref, of = "", "Of"
	}
	object := ref + f.text(m, op.object)
	kind := fmt.Sprintf("%s.%s", probes, constants[op.kind])
	switch op.form {
	case asGet, asGet2:
		n := op.node.(*ast.IndexExpr)
		name := "Get"
		if op.form == asGet2 {
			name = "Get2"
		}
		w.open(n.Pos(), n, fmt.Sprintf("%s.%s%s(%d, %s", probes, name, of, op.id, ref))
		w.replace(n.Lbrack, n.Lbrack+1, ")(")
		w.replace(n.Rbrack, n.Rbrack+1, ")")
	case asPut:
		n := op.node.(*ast.IndexExpr)
		s := op.path[len(op.path)-1].(*ast.AssignStmt)
		w.open(n.Pos(), s, fmt.Sprintf("%s.Put%s(%d, %s", probes, of, op.id, ref))
		w.replace(n.Lbrack, n.Lbrack+1, ")(")
		w.replace(n.Rbrack, s.Rhs[0].Pos(), ", ")
		w.close(s.End(), s, ")")
	case asDrop:
		n := op.node.(*ast.CallExpr)
		w.replace(n.Pos(), n.Args[0].Pos(), fmt.Sprintf("%s.Drop(%d, ", probes, op.id))
		w.replace(n.Args[0].End(), n.Args[1].Pos(), ")(")
	case asBlock:
		s := op.path[len(op.path)-1]
		begin := fmt.Sprintf("%s.All%s(%d, %s, %s)", probes, of, op.id, kind, object)
		if op.key != nil {
			begin = fmt.Sprintf("%s.At%s(%d, %s, %s)(%s)", probes, of, op.id, kind, object, f.text(m, op.key))
		}
		w.around(s, fmt.Sprintf("{ %sOp := %s; ", probes, begin), fmt.Sprintf("; %sOp.Done() }", probes))
	case asValue:
		w.around(op.node, fmt.Sprintf("%s.Val(%s.All%s(%d, %s, %s), ", probes, probes, of, op.id, kind, object), ")")
	case asRange:
		w.loop(ref, of)
	case asAssign:
		s := op.node.(*ast.AssignStmt)
		w.around(s.Rhs[0], fmt.Sprintf("%s.Last(%d, %s, ", probes, op.id, object), ")")
		w.close(s.End(), s, fmt.Sprintf("; %s.End0()", probes))
	case asMethod:
		w.method(kind)
	case asUse:
		w.open(op.at, op.node, fmt.Sprintf("%s.Own(%d); ", probes, op.id))
	}
}

func (w *rewriter) loop(ref, of string) {
	n := w.op.node.(*ast.RangeStmt)
	w.open(n.X.Pos(), n.X, fmt.Sprintf("%s.Each%s(%d, %s", probes, of, w.op.id, ref))
	w.close(n.X.End(), n.X, ")")
	step := fmt.Sprintf("%s.Step(%d)", probes, w.op.id)
	w.open(n.Body.Lbrace+1, n.Body, step+";")
	if s, ok := w.op.path[len(w.op.path)-1].(*ast.LabeledStmt); ok || listed(n, w.op.path) {
		if ok && !listed(s, w.op.path[:len(w.op.path)-1]) {
			return
		}
		w.close(n.End(), n, "; "+step)
	}
}

// method puts a hook around the last argument of a concurrent map's method,
// and one around the call for its results.
func (w *rewriter) method(kind string) {
	n := w.op.node.(*ast.CallExpr)
	sel := ast.Unparen(n.Fun).(*ast.SelectorExpr)
	object := w.op.file.text(w.module, sel.X)
	if !isPointer(w.op.file.pkg.TypesInfo.TypeOf(sel.X)) {
		object = "&" + object
	}
	last := n.Args[len(n.Args)-1]
	switch {
	case w.op.key == nil:
		w.around(last, fmt.Sprintf("%s.Func(%d, %s, %s, ", probes, w.op.id, kind, object), ")")
		if lit, ok := last.(*ast.FuncLit); ok {
			w.open(lit.Body.Lbrace+1, lit.Body, fmt.Sprintf("%s.Turn(%d);", probes, w.op.id))
		}
	case len(n.Args) == 1:
		w.around(last, fmt.Sprintf("%s.Key(%d, %s, %s, ", probes, w.op.id, kind, object), ")")
	default:
		w.around(last, fmt.Sprintf("%s.Arg(%d, %s, %s, %s, ", probes, w.op.id, kind, object, w.op.file.text(w.module, w.op.key)), ")")
	}
	if s, ok := w.op.path[len(w.op.path)-1].(*ast.ExprStmt); ok {
		w.close(s.End(), s, fmt.Sprintf("; %s.End0()", probes))
		return
	}
	results := 1
	if t := w.op.file.pkg.TypesInfo.TypeOf(n); t != nil && strings.HasPrefix(t.String(), "(") {
		results = 2
	}
	w.around(n, fmt.Sprintf("%s.End%d(", probes, results), ")")
}

// constants are the names of kinds.
var constants = map[mapguardprobe.Kind]string{
	mapguardprobe.Entry: "Entry", mapguardprobe.Length: "Length", mapguardprobe.Nil: "Nil", mapguardprobe.Iterate: "Iterate",
	mapguardprobe.Set: "Set", mapguardprobe.Use: "Use", mapguardprobe.Delete: "Delete", mapguardprobe.Clear: "Clear", mapguardprobe.Assign: "Assign", mapguardprobe.Swap: "Swap",
}
