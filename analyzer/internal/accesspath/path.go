// Package accesspath names storage: an access path is a root followed by
// field and element steps, as in c.shards[i].entries.
//
// Dereferences are implicit, as they are in a Go selector: a pointer and what
// it points to have the same path, so that c.mu names one lock whether mu is a
// sync.Mutex or a *sync.Mutex. Paths are interned in a [Table]; two paths of
// one table are the same instance exactly when they are equal with ==.
//
// There are two equalities. Paths that are equal (==) denote the same
// instance, as far as a path can tell. Paths with equal [Location] denote the
// same variable or field, perhaps of different objects.
package accesspath

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// MaxSteps bounds the number of steps of a path. A longer path is not built:
// its value becomes a root of its own, so depth and memory stay bounded.
const MaxSteps = 6

// A RootKind says what kind of storage a path starts at.
type RootKind uint8

const (
	// Global is a package-level variable.
	Global RootKind = iota + 1
	// Param is a parameter of a function; the receiver is parameter 0.
	Param
	// Value is the result of an instruction: an allocation, a call, a phi.
	Value
	// Const is a constant; it appears only in keys.
	Const
	// Place is some instance of a field: what a function knows of a lock that
	// its callers hold and that it cannot name itself.
	Place
	// Result is a result of a function: what callers know of a lock that it
	// leaves held in what it gives, where that has no other name for them.
	Result
)

// A Root is where a path starts. Only the fields of its kind are set.
type Root struct {
	Kind  RootKind
	Obj   types.Object // Global: the variable; Place: the field
	Fn    any          // Param, Result: the function, as FuncKey gives it
	Index int          // Param, Result: the position
	Val   ssa.Value    // Value: the value
	Const string       // Const: its exact text
}

// FuncKey returns the comparable identity under which fn's parameters are
// rooted: the declared function's generic origin, or the function itself when
// it has no declaration.
func FuncKey(fn *ssa.Function) any {
	if fn.Origin() != nil {
		fn = fn.Origin()
	}
	if obj, ok := fn.Object().(*types.Func); ok && obj != nil {
		return obj.Origin()
	}
	return fn
}

// A Path is an interned access path. The zero Path is unknown.
type Path struct{ n *node }

type node struct {
	id     int // creation order in the table, from 1
	depth  int // number of steps
	root   *Root
	parent *node
	field  *types.Var // the step's field; nil for an element step
	key    Path       // element step: the key or index, if it is known
	op     any        // a computed value: the function or operator
	copy   *copyOf    // root: it is a copy of a struct
	each   bool       // a step stands for all elements of something
}

// A copyOf says of a struct, or of a pointer to one, where the original is, and which
// fields hold values of their own. The others name what the original's do.
type copyOf struct {
	from  Path
	apart []*types.Var
}

// A Table interns paths. The zero Table is ready to use. It is not safe for
// concurrent use; each analysed package has its own.
type Table struct {
	roots  map[Root]*node
	values map[ssa.Value]*node // the roots that are values, by far the most
	params map[paramKey]*node  // those that are parameters
	steps  map[stepKey]*node   // element steps and computed values
	fields map[fieldKey]*node  // the other steps, by far the most
	next   int
}

type paramKey struct {
	fn    any
	index int
}

type fieldKey struct {
	parent *node
	field  *types.Var
}

type stepKey struct {
	parent *node
	key    *node
	op     any
}

// Root returns the path of r without steps.
func (t *Table) Root(r Root) Path {
	if n := t.known(r); n != nil {
		return Path{n}
	}
	if t.roots == nil {
		t.roots = make(map[Root]*node)
		t.values = make(map[ssa.Value]*node)
		t.params = make(map[paramKey]*node)
		t.steps = make(map[stepKey]*node)
		t.fields = make(map[fieldKey]*node)
	}
	t.next++
	own := r // r itself stays off the heap where the path is known
	n := &node{id: t.next, root: &own}
	switch r.Kind {
	case Value:
		t.values[r.Val] = n
	case Param:
		t.params[paramKey{r.Fn, r.Index}] = n
	default:
		t.roots[r] = n
	}
	return Path{n}
}

func (t *Table) known(r Root) *node {
	switch r.Kind {
	case Value:
		return t.values[r.Val]
	case Param:
		return t.params[paramKey{r.Fn, r.Index}]
	}
	return t.roots[r]
}

// Field returns p.f on f's generic origin, or the unknown path when p is
// unknown or at the depth bound. Where p is a copy of a struct and f holds what
// it holds in the original, it is the original's path.
func (t *Table) Field(p Path, f *types.Var) Path {
	return t.step(p, f.Origin(), Path{}, nil)
}

// OwnField is Field, but for the copy's field itself, whatever it holds.
func (t *Table) OwnField(p Path, f *types.Var) Path {
	return t.raw(p, f.Origin(), Path{}, nil)
}

// InCopy returns the path of a field that one function writes as in, and another one, in
// whose terms the object of the field is, as p: the field itself where the object is a copy
// of a struct, else p.
func (t *Table) InCopy(p, object, in Path) Path {
	if from, _ := object.CopyOf(); from.Known() && in.LastField() != nil {
		return t.OwnField(object, in.LastField())
	}
	return p
}

// Copy returns the path of v, a variable or a result, as a copy of the struct at
// from, which differs in the fields apart. Of two that are copies of each other, in turn, the
// second is taken for an object of its own. Complexity: linear in the copies on the way.
func (t *Table) Copy(v ssa.Value, from Path, apart []*types.Var) Path {
	p := t.Root(Root{Kind: Value, Val: v})
	for of := from; of.Known(); of, _ = of.CopyOf() {
		if of == p {
			return p
		}
	}
	p.n.copy = &copyOf{from, apart}
	return p
}

// CopyOf returns the path of the struct of which p, a local variable or a
// result, is a copy, and the fields that hold values of their own; the unknown
// path if it is none, or one that is not told apart from the original.
func (p Path) CopyOf() (from Path, apart []*types.Var) {
	if p.n == nil || p.n.copy == nil {
		return Path{}, nil
	}
	return p.n.copy.from, p.n.copy.apart
}

// Elem returns p[key], or the unknown path when p is unknown or at the depth
// bound. An unknown key is allowed: it stands for some element.
func (t *Table) Elem(p Path, key Path) Path {
	return t.step(p, nil, key, nil)
}

// Apply returns what a function or an operator, a comparable value, makes of p
// and of key, which may be unknown. Such a path is no storage: it appears only
// in keys, where it names equal computations.
func (t *Table) Apply(p Path, op any, key Path) Path { return t.step(p, nil, key, op) }

func (t *Table) step(p Path, f *types.Var, key Path, op any) Path {
	if p.n != nil && p.n.copy != nil && f != nil && !slices.Contains(p.n.copy.apart, f) {
		return t.step(p.n.copy.from, f, key, op)
	}
	return t.raw(p, f, key, op)
}

func (t *Table) raw(p Path, f *types.Var, key Path, op any) Path {
	if p.n == nil || p.n.depth >= MaxSteps {
		return Path{}
	}
	if f != nil {
		k := fieldKey{p.n, f}
		n := t.fields[k]
		if n == nil {
			n = t.extend(p, f, Path{}, nil)
			t.fields[k] = n
		}
		return Path{n}
	}
	k := stepKey{p.n, key.n, op}
	n := t.steps[k]
	if n == nil {
		n = t.extend(p, nil, key, op)
		t.steps[k] = n
	}
	return Path{n}
}

// extend makes the path of p and one more step.
func (t *Table) extend(p Path, f *types.Var, key Path, op any) *node {
	t.next++
	n := &node{id: t.next, depth: p.n.depth + 1, root: p.n.root, parent: p.n, field: f, key: key, op: op}
	n.each = p.n.each || n.isEach()
	return n
}

// Known reports whether p denotes anything.
func (p Path) Known() bool { return p.n != nil }

// ID returns a number that orders the paths of one table by creation, 0 for
// the unknown path. It is deterministic because a package is analysed by one
// goroutine in one order.
func (p Path) ID() int {
	if p.n == nil {
		return 0
	}
	return p.n.id
}

// Root returns where p starts.
func (p Path) Root() Root {
	if p.n == nil {
		return Root{}
	}
	return *p.n.root
}

// InConst reports whether p starts at a constant.
func (p Path) InConst() bool { return p.n != nil && p.n.root.Kind == Const }

// Depth returns the number of steps.
func (p Path) Depth() int {
	if p.n == nil {
		return 0
	}
	return p.n.depth
}

// Parent returns p without its last step; the unknown path for a root.
func (p Path) Parent() Path {
	if p.n == nil || p.n.parent == nil {
		return Path{}
	}
	return Path{p.n.parent}
}

// LastField returns the field of the last step, nil for an element or a root.
func (p Path) LastField() *types.Var {
	if p.n == nil {
		return nil
	}
	return p.n.field
}

// IsElem reports whether the last step is an element step.
func (p Path) IsElem() bool {
	return p.n != nil && p.n.parent != nil && p.n.field == nil && p.n.op == nil
}

// IsComputed reports whether p is what a computation gives, see [Table.Apply].
func (p Path) IsComputed() bool { return p.n != nil && p.n.op != nil }

// Computed returns the function or operator that gives p, nil if none does.
func (p Path) Computed() any {
	if p.n == nil {
		return nil
	}
	return p.n.op
}

// Key returns the key of the last step, if that is an element with a known key.
func (p Path) Key() Path {
	if p.n == nil {
		return Path{}
	}
	return p.n.key
}

// Entry returns the innermost element of a map or slice on the way to p that
// lies above p's own container, so that x.m[k].inner and x.m[k][j] give x.m[k];
// the unknown path if there is none.
func (p Path) Entry() Path {
	if p.n == nil {
		return Path{}
	}
	for n := p.n; n != nil; n = n.parent {
		if n.parent != nil && n.field == nil {
			return Path{n}
		}
	}
	return Path{}
}

// ByValue reports whether p starts at a struct that was passed by value: a copy
// of the caller's.
func (p Path) ByValue() bool {
	t := p.Root().paramType()
	if t == nil {
		return false
	}
	_, ok := types.Unalias(t).Underlying().(*types.Struct)
	return ok
}

// Passed reports whether p is a map that was passed by value: the variable is another one than the caller's, the map is
// the same.
func (p Path) Passed() bool {
	t := p.Root().paramType()
	if t == nil || p.Depth() > 0 {
		return false
	}
	_, ok := types.Unalias(t).Underlying().(*types.Map)
	return ok
}

// paramType returns the type of the parameter that r is, nil if it is none.
func (r Root) paramType() types.Type {
	if r.Kind != Param {
		return nil
	}
	switch fn := r.Fn.(type) {
	case *types.Func:
		return nthParam(fn.Signature(), r.Index)
	case *ssa.Function:
		return nthParam(fn.Signature, r.Index)
	}
	return nil
}

// nthParam returns the type of a parameter, the receiver, if there is one, being the first; nil if there is no such one.
func nthParam(sig *types.Signature, i int) types.Type {
	if recv := sig.Recv(); recv != nil {
		if i == 0 {
			return recv.Type()
		}
		i--
	}
	if i < 0 || i >= sig.Params().Len() {
		return nil
	}
	return sig.Params().At(i).Type()
}

// HasPrefix reports whether q is p or an ancestor of p.
func (p Path) HasPrefix(q Path) bool {
	for n := p.n; n != nil; n = n.parent {
		if n == q.n {
			return true
		}
	}
	return false
}

// Mirrors reports whether p is to q what x is to y: below them, both take the same steps, or x and y are the keys of one.
func (p Path) Mirrors(q, x, y Path) bool {
	for p != q && (p != x || q != y) {
		if p.Depth() == 0 || q.Depth() == 0 || p.n.field != q.n.field || p.n.op != q.n.op {
			return false
		}
		if p.n.key != q.n.key && (p.n.key != x || q.n.key != y) {
			return false
		}
		p, q = p.Parent(), q.Parent()
	}
	return true
}

// Substitute replaces each root for which subst returns a known path, in p
// and in its keys. It returns the unknown path when the root cannot be
// expressed or the result would be too deep; a key that cannot be expressed
// becomes fallback, which may be unknown. Complexity: the size of p.
func (t *Table) Substitute(p Path, fallback Path, subst func(Root) (Path, bool)) Path {
	if p.n == nil {
		return Path{}
	}
	if p.n.parent == nil {
		q, ok := subst(*p.n.root)
		if !ok {
			return Path{}
		}
		return q
	}
	base := t.Substitute(Path{p.n.parent}, fallback, subst)
	if !base.Known() {
		return Path{}
	}
	if p.n.field != nil {
		return t.Field(base, p.n.field)
	}
	key := t.Substitute(p.n.key, fallback, subst)
	if p.n.op != nil {
		if p.n.key.Known() && !key.Known() {
			return Path{}
		}
		return t.Apply(base, p.n.op, key)
	}
	if !key.Known() {
		key = fallback
	}
	return t.Elem(base, key)
}

// Rekey replaces the keys of the elements on p. Complexity: the size of p.
func (t *Table) Rekey(p Path, of func(key Path) Path) Path {
	if p.n == nil || p.n.parent == nil {
		return p
	}
	base := t.Rekey(Path{p.n.parent}, of)
	switch {
	case p.n.field != nil:
		return t.Field(base, p.n.field)
	case p.n.op != nil:
		return t.Apply(base, p.n.op, p.n.key)
	}
	return t.Elem(base, of(p.n.key))
}

// Base returns the instance that holds p's location: the path before its last
// field. For a package-level variable it is the unknown path.
func (p Path) Base() Path {
	for n := p.n; n != nil; n = n.parent {
		if n.field != nil {
			return Path{n.parent}
		}
	}
	return Path{}
}

// Trunk returns p without trailing element steps.
func (p Path) Trunk() Path {
	n := p.n
	for n != nil && n.parent != nil && n.field == nil {
		n = n.parent
	}
	return Path{n}
}

// Rebase replaces the prefix from of p by to. It returns the unknown path
// when from is no prefix of p or the result would be too deep.
func (t *Table) Rebase(p, from, to Path) Path {
	if p == from {
		return to
	}
	if p.n == nil || p.n.parent == nil {
		return Path{}
	}
	base := t.Rebase(Path{p.n.parent}, from, to)
	if !base.Known() {
		return Path{}
	}
	if p.n.field != nil {
		return t.Field(base, p.n.field)
	}
	return t.step(base, nil, p.n.key, p.n.op)
}
