package prove

import (
	"go/ast"
	"slices"

	"github.com/mapguard/mapguard/analyzer/finding"
	"github.com/mapguard/mapguard/cmd/mapguard/internal/prove/mapguardprobe"
)

// A target is a finding with the operations that take part in it.
type target struct {
	*finding.Finding
	id    int
	pair  bool
	apart bool // the act is on another object than the look
	// via: a call makes the access, and operations are the finding's own while
	// their goroutine is in the function of the call.
	via bool
	why string
	// looks and acts are those of a pair, traps the accesses of the finding
	// itself, others all operations on the same map.
	looks, acts, traps, others []*operation
	// from and to are where goroutine A looks and acts: the operations, or the
	// calls that make them. body is the function that has both.
	from, to spot
	used     spot
	leave    *operation // the map is handed out here
	// keeps is where a goroutine goes on with a value of its own although the map
	// has another's.
	keeps *operation
	body  *function
}

// A spot is a place in a probed file.
type spot struct {
	file   *file
	offset int
}

// A function is a declaration or a literal of a probed file.
type function struct {
	file  *file
	node  ast.Node
	body  *ast.BlockStmt
	id    int
	async bool
	has   []int // findings
}

// targets finds the operations of each finding.
func (m *module) targets(findings []*finding.Finding, ops []*operation) []*target {
	at := make(map[spot]*operation)
	for _, op := range ops {
		at[spot{op.file, m.offset(op.at)}] = op
	}
	out := make([]*target, len(findings))
	for i, f := range findings {
		t := &target{Finding: f, id: i}
		out[i] = t
		t.steps(m, at, ops)
		t.related(m, at)
		t.rest(m, ops)
		t.check()
	}
	return out
}

// steps takes the operations of the interleaving.
func (t *target) steps(m *module, at map[spot]*operation, ops []*operation) {
	for _, s := range t.Trace {
		sp, op := m.spot(s.Pos), (*operation)(nil)
		if s.Inner != nil {
			op = at[m.spot(*s.Inner)]
		}
		if op == nil {
			op = at[sp]
		}
		if op == nil && s.Role == finding.Access {
			t.called(m, s, ops)
			continue
		}
		switch {
		case s.Role == finding.Look && s.Goroutine == "A":
			t.pair = true
			t.from = sp
			t.looks = add(t.looks, op)
		case s.Role == finding.Act && s.Goroutine == "A":
			t.to = sp
			t.acts = add(t.acts, op)
		case s.Role == finding.Leave && s.Goroutine == "A":
			t.leave = m.leaves(sp)
			t.traps = add(t.traps, t.leave)
		case s.Role == finding.Access && s.Goroutine == "A":
			t.traps = add(t.traps, op)
		case s.Role == finding.Use && s.Goroutine == "B" && t.pair && !t.twice():
			t.keeps = &operation{file: sp.file, kind: mapguardprobe.Use, form: asNothing}
			t.used = sp
		default:
			t.others = add(t.others, op)
		}
	}
}

// called takes the operations of a step that is a call.
func (t *target) called(m *module, s finding.Step, ops []*operation) {
	at := m.spot(s.Pos)
	for _, op := range t.through(m, at, ops) {
		if s.Goroutine == "A" {
			t.via, t.from = true, at
			t.traps = add(t.traps, op)
		} else {
			t.others = add(t.others, op)
		}
	}
}

// related takes the other places of a finding of one access: they are on the
// same map, and the finding stands for them, too.
func (t *target) related(m *module, at map[spot]*operation) {
	if t.pair || len(t.traps) == 0 {
		return
	}
	for _, r := range t.Related {
		if op := at[m.spot(r.Pos)]; op != nil && op.place == t.traps[0].place {
			t.traps = add(t.traps, op)
		}
	}
}

// rest adds all operations on the same variable or field.
func (t *target) rest(m *module, ops []*operation) {
	var places []place
	for _, list := range [][]*operation{t.looks, t.acts, t.traps, t.others} {
		for _, op := range list {
			if op.place.of != nil && !slices.Contains(places, op.place) {
				places = append(places, op.place)
			}
		}
	}
	if len(places) == 0 && !t.pair { // what its steps are on has no name there
		for _, o := range m.holders(t.Finding) {
			places = append(places, place{o, 0})
		}
	}
	for _, op := range ops {
		if slices.Contains(places, op.place) {
			t.others = add(t.others, op)
		}
	}
	if !t.pair || len(t.looks) == 0 || len(t.acts) == 0 {
		return
	}
	t.apart = t.looks[0].place != t.acts[0].place && !t.looks[0].place.local() && !t.acts[0].place.local()
}

// local reports whether the map is held by a variable that may be another
// name for it.
func (p place) local() bool {
	return p.of == nil || p.below > 0 || p.of.Parent() != nil && p.of.Parent() != p.of.Pkg().Scope()
}

// merged are the looks in the function of an act that a call makes: what they
// find goes into the value, while the decision to call it stands.
func (t *target) merged() (out []*operation) {
	if t.body == nil || len(t.acts) == 0 {
		return nil
	}
	inner := t.acts[0].declaration()
	for _, op := range t.others {
		if inner != nil && op.declaration() == inner && t.acts[0].file != nil && !t.body.holds(t.acts[0]) {
			out = append(out, op)
		}
	}
	return out
}

// holds reports whether an operation is in the function.
func (fn *function) holds(op *operation) bool {
	return op.file == fn.file && fn.node.Pos() <= op.at && op.at < fn.node.End()
}

// races reports whether neither look nor act has a lock.
func (t *target) races() bool { return t.pair && t.Category == "check-then-act" }

// twice reports whether both goroutines make the act, and its harm is that.
func (t *target) twice() bool {
	return slices.ContainsFunc(t.Trace, func(s finding.Step) bool { return s.Goroutine == "B" && s.Role == finding.Act })
}

// own are the operations that the finding itself is about.
func (t *target) own() []*operation {
	if t.pair {
		return slices.Concat(t.looks, t.acts)
	}
	return t.traps
}

// assumed reports whether only an assumption says that goroutines meet at the
// finding: then calls that are made to meet show nothing.
func (t *target) assumed() bool { return t.Confidence == "low" }

func (t *target) actKind() mapguardprobe.Kind {
	if len(t.acts) == 0 {
		return 0
	}
	return t.acts[0].kind
}

// uses finds the statement by which a goroutine goes on with a value of its own.
func (m *module) uses(t *target) {
	if t.keeps == nil || t.body == nil || t.why != "" {
		t.keeps = nil
		return
	}
	g := &gapper{module: m}
	s := g.statement(t.body, t.used)
	if s == nil || t.used.file != t.body.file {
		t.keeps = nil
		return
	}
	t.keeps.node, t.keeps.at, t.keeps.object, t.keeps.form = s, s.Pos(), t.looks[0].object, asUse
}

// leaves finds a return of a map: what callers do with it has no hook but in
// calls that are made for it.
func (m *module) leaves(at spot) (op *operation) {
	if at.file == nil {
		return nil
	}
	var path []ast.Node
	ast.Inspect(at.file.ast, func(n ast.Node) bool {
		if n == nil {
			path = path[:len(path)-1]
			return true
		}
		if r, ok := n.(*ast.ReturnStmt); ok && m.offset(r.Pos()) == at.offset && len(r.Results) == 1 && at.file.isMap(r.Results[0]) {
			op = &operation{file: at.file, at: r.Pos(), kind: mapguardprobe.Iterate, object: r.Results[0], node: r, form: asNothing, path: slices.Clone(path), place: at.file.place(r.Results[0])}
		}
		path = append(path, n)
		return true
	})
	return op
}

// leaves reports whether a call of an entry hands out the map of a finding, and
// gives the number of what its caller does.
func (s *session) leaves(e *entry, t *target) (id int, ok bool) {
	if t.leave == nil || t.leave.declaration() != e.fn {
		return 0, false
	}
	for _, n := range t.leave.path {
		if _, lit := n.(*ast.FuncLit); lit {
			return 0, false
		}
	}
	return t.leave.id, true
}

// check says why a finding cannot be probed.
func (t *target) check() {
	switch {
	case t.pair && len(t.looks) == 0:
		t.why = "the look is of a kind that cannot be probed"
	case t.pair && len(t.acts) == 0:
		t.why = "the act is of a kind that cannot be probed"
	case t.leave == nil && slices.ContainsFunc(t.Trace, func(s finding.Step) bool { return s.Role == finding.Leave }):
		t.why = "what is done with the map elsewhere has no probe"
	case !t.pair && len(t.traps) == 0:
		t.why = "the access is of a kind that cannot be probed"
	}
}

func add(list []*operation, op *operation) []*operation {
	if op == nil || slices.Contains(list, op) {
		return list
	}
	return append(list, op)
}

func (m *module) spot(p finding.Position) spot { return spot{m.files[p.File], p.Offset} }

// functions finds the function in which each pair is.
func (m *module) functions(targets []*target) []*function {
	known := make(map[ast.Node]*function)
	var out []*function
	for _, t := range targets {
		if !t.pair && !t.via || t.why != "" {
			continue
		}
		if t.via {
			t.to, t.from = m.runs(t.from), m.runs(t.from)
		}
		node, body := m.enclosing(t.from, t.to)
		if body == nil {
			t.why = "look and act are in different functions"
			continue
		}
		fn := known[node]
		if fn == nil {
			fn = &function{file: t.from.file, node: node, body: body, id: len(out)}
			known[node] = fn
			out = append(out, fn)
		}
		fn.has = append(fn.has, t.id)
		t.body = fn
	}
	return out
}

// runs is the place of a call; of one that gets a function, it is in that.
func (m *module) runs(at spot) spot {
	call := m.call(at)
	if call == nil {
		return at
	}
	for _, fn := range handed(at.file, call) {
		for _, f := range sorted(m.files) {
			for _, d := range f.ast.Decls {
				if decl, ok := d.(*ast.FuncDecl); ok && decl.Body != nil && f.pkg.TypesInfo.Defs[decl.Name] == fn {
					return spot{f, m.offset(decl.Body.Lbrace)}
				}
			}
		}
	}
	return at
}

// enclosing returns the innermost function that has both places.
func (m *module) enclosing(a, b spot) (node ast.Node, body *ast.BlockStmt) {
	if a.file == nil || a.file != b.file {
		return nil, nil
	}
	ast.Inspect(a.file.ast, func(n ast.Node) bool {
		if n == nil {
			return true
		}
		from, to := m.offset(n.Pos()), m.offset(n.End())
		if a.offset < from || a.offset >= to || b.offset < from || b.offset >= to {
			return false
		}
		switch n := n.(type) {
		case *ast.FuncDecl:
			node, body = n, n.Body
		case *ast.FuncLit:
			node, body = n, n.Body
		}
		return true
	})
	return node, body
}

var done = map[mapguardprobe.Kind]string{
	mapguardprobe.Entry: "read", mapguardprobe.Length: "measured with len", mapguardprobe.Nil: "compared with nil",
	mapguardprobe.Iterate: "ranged over", mapguardprobe.Set: "written", mapguardprobe.Delete: "deleted from",
	mapguardprobe.Use:   "left as it is, and an own value used instead",
	mapguardprobe.Clear: "changed as a whole", mapguardprobe.Assign: "assigned", mapguardprobe.Swap: "looked up and written in one",
}
