package accesspath

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// A Builder gives the path of SSA values. It memoizes; one serves all
// functions of a package. It is not safe for concurrent use.
type Builder struct {
	*Table
	// Result, when set, resolves a call's result to a path, so that accessors
	// (func (s *S) shard(k K) *shard) are transparent.
	Result func(call *ssa.Call, index int) Path
	// Drawn, when set, reports whether a function gives another value each
	// time, whatever its arguments are.
	Drawn func(fn *types.Func) bool
	// Named, when set, reports whether a method gives what its receiver is called, the same each time.
	Named func(fn *types.Func) bool

	ops  map[opKey]Path     // the first of several equal computations
	memo map[ssa.Value]Path // unknown while it is being built

	copies map[*ssa.Alloc]*ssautil.Copy // nil for a variable that is none
}

// NewBuilder returns a Builder over an empty table.
func NewBuilder() *Builder {
	return &Builder{Table: new(Table), memo: make(map[ssa.Value]Path), copies: make(map[*ssa.Alloc]*ssautil.Copy)}
}

// Of returns v's path. Every value has one: what is not a step from another
// path is a root. Cycles through phis are cut where they close; functions are
// visited in one order, so the cut is always at the same place.
// Complexity: linear in the values of a function, as each is built once.
func (b *Builder) Of(v ssa.Value) Path {
	p, ok := b.memo[v]
	switch {
	case ok && p.Known():
		return p
	case ok: // it comes back to itself
		return b.Root(Root{Kind: Value, Val: v})
	}
	b.memo[v] = Path{}
	if p = b.build(v); !p.Known() {
		p = b.Root(Root{Kind: Value, Val: v})
	}
	b.memo[v] = p
	return p
}

// zeroStruct reports whether a value is a struct without anything in it, as a
// variable is before its fields are set: it names no object.
func zeroStruct(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	if !ok || c.Value != nil {
		return false
	}
	_, ok = c.Type().Underlying().(*types.Struct)
	return ok
}

// Forget drops the memo, for when Result has learned more.
func (b *Builder) Forget() { clear(b.memo) }

func (b *Builder) build(v ssa.Value) Path {
	switch v := v.(type) {
	case *ssa.Global:
		if obj := v.Object(); obj != nil {
			return b.Root(Root{Kind: Global, Obj: obj})
		}
	case *ssa.Parameter:
		return b.param(v)
	case *ssa.Const:
		if v.Value != nil {
			return b.Root(Root{Kind: Const, Const: v.Value.ExactString()})
		}
		return b.Root(Root{Kind: Const, Const: "nil"})
	case *ssa.FreeVar:
		return b.freeVar(v)
	case *ssa.Alloc:
		if p := b.copyIn(v); p.Known() {
			return p
		}
		if b.movedTo(v) {
			return Path{}
		}
		if s := ssautil.SoleStore(v); s != nil && !zeroStruct(s) {
			return b.Of(s)
		}
		if ssautil.PointerLike(ssautil.Pointee(v.Type())) && ssautil.Captured(v) {
			return b.common(ssautil.AllStores(v, maxStored)) // it would be a phi
		}
	case *ssa.FieldAddr:
		return b.field(v.X, v.Field)
	case *ssa.Field:
		return b.field(v.X, v.Field)
	case *ssa.IndexAddr:
		return b.Elem(b.Of(v.X), b.Key(v.Index))
	case *ssa.Index:
		return b.Elem(b.Of(v.X), b.Key(v.Index))
	case *ssa.Lookup:
		if !v.CommaOk {
			return b.Elem(b.Of(v.X), b.Key(v.Index))
		}
	case *ssa.Extract:
		return b.extract(v)
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return b.load(v)
		}
	case *ssa.Phi:
		if b.movedBy(v) {
			return Path{}
		}
		return b.phi(v)
	case *ssa.Call:
		if b.Result != nil {
			return b.Result(v, 0)
		}
	case *ssa.ChangeType:
		return b.Of(v.X)
	case *ssa.ChangeInterface:
		return b.Of(v.X)
	case *ssa.MakeInterface:
		return b.Of(v.X)
	case *ssa.Convert:
		return b.Of(v.X)
	case *ssa.TypeAssert:
		if !v.CommaOk {
			return b.Of(v.X)
		}
	case *ssa.Slice:
		return b.Of(v.X)
	case *ssa.BinOp:
		return b.binOp(v)
	}
	return Path{}
}

type opKey struct {
	fn   *ssa.Function
	op   token.Token
	x, y Path
}

// binOp gives equal computations on equal operands one name, so that
// s[i%8] is one element wherever it is written.
func (b *Builder) binOp(v *ssa.BinOp) Path { return b.operation(v, v.Op) }

// Equality names what the comparison x != y denies: x == y.
func (b *Builder) Equality(v *ssa.BinOp) Path { return b.operation(v, token.EQL) }

func (b *Builder) operation(v *ssa.BinOp, op token.Token) Path {
	k := opKey{v.Parent(), op, b.Of(v.X), b.Of(v.Y)}
	if b.ops == nil {
		b.ops = make(map[opKey]Path)
	}
	p, ok := b.ops[k]
	if !ok {
		p = b.Root(Root{Kind: Value, Val: v})
		b.ops[k] = p
	}
	return p
}

func (b *Builder) param(v *ssa.Parameter) Path {
	fn := v.Parent()
	for i, p := range fn.Params {
		if p == v {
			return b.Root(Root{Kind: Param, Fn: FuncKey(fn), Index: i})
		}
	}
	return Path{}
}

// ParamOf returns the root path of fn's i-th parameter.
func (b *Builder) ParamOf(fn any, i int) Path {
	return b.Root(Root{Kind: Param, Fn: fn, Index: i})
}

// freeVar resolves a captured variable to the path it has in the function
// that made the closure, so that closure and maker speak of the same paths.
func (b *Builder) freeVar(v *ssa.FreeVar) Path {
	if bound := ssautil.Binding(v); bound != nil {
		return b.Of(bound)
	}
	return Path{}
}

func (b *Builder) field(x ssa.Value, i int) Path {
	st, ok := ssautil.Pointee(x.Type()).Underlying().(*types.Struct)
	if !ok || i >= st.NumFields() {
		return Path{} // a type parameter with a core struct type
	}
	p := b.Of(x)
	if p.Depth() >= MaxSteps {
		// Beyond the bound, the object is a root of its own, so that its fields
		// stay fields of one object: a map and the lock beside it.
		p = b.Root(Root{Kind: Value, Val: ssautil.Unwrap(x)})
	}
	return b.Field(p, st.Field(i))
}

// copyIn names a struct variable that is a copy with fields of its own: it is
// another object, whose other fields still name what the original's do.
func (b *Builder) copyIn(v *ssa.Alloc) Path {
	c := b.copyOf(v)
	if c == nil {
		return Path{}
	}
	from := b.Of(c.From)
	if from.Root().Val == ssa.Value(v) {
		return Path{} // it is copied from itself
	}
	st := ssautil.Pointee(v.Type()).Underlying().(*types.Struct)
	var apart []*types.Var
	for i := range st.NumFields() {
		if i < 64 && c.Apart&(1<<i) != 0 {
			apart = append(apart, st.Field(i).Origin())
		}
	}
	return b.Copy(v, from, apart)
}

func (b *Builder) copyOf(v *ssa.Alloc) *ssautil.Copy {
	c, ok := b.copies[v]
	if !ok {
		c = ssautil.CopyIn(v)
		b.copies[v] = c
	}
	return c
}

// load names what a pointer leads to. A field of a copy that is read before it
// has a value of its own names what the original's does; so does one of a new
// struct that was given a map or a lock of another object.
func (b *Builder) load(v *ssa.UnOp) Path {
	if fa, ok := v.X.(*ssa.FieldAddr); ok {
		if to, ok := fa.X.(*ssa.Alloc); ok {
			if c := b.copyOf(to); c != nil && c.Early[v] {
				return b.field(c.From, fa.Field)
			}
			if given := ssautil.GivenField(to, v); given != nil {
				return b.Of(given)
			}
		}
	}
	return b.Of(v.X)
}

func (b *Builder) extract(v *ssa.Extract) Path {
	switch t := v.Tuple.(type) {
	case *ssa.Lookup:
		if v.Index == 0 {
			return b.Elem(b.Of(t.X), b.Key(t.Index))
		}
	case *ssa.TypeAssert:
		if v.Index == 0 {
			return b.Of(t.X)
		}
	case *ssa.Next:
		if r, ok := t.Iter.(*ssa.Range); ok && v.Index == 2 && !t.IsString {
			return b.Elem(b.Of(r.X), b.rangeKey(t))
		}
	case *ssa.Call:
		if b.Result != nil {
			return b.Result(t, v.Index)
		}
	}
	return Path{}
}

// rangeKey names the key of the current iteration, so that v and m[k] agree.
func (b *Builder) rangeKey(n *ssa.Next) Path {
	for _, r := range *n.Referrers() {
		if e, ok := r.(*ssa.Extract); ok && e.Index == 1 {
			return b.Root(Root{Kind: Value, Val: e})
		}
	}
	return b.Root(Root{Kind: Value, Val: n})
}

// maxStored bounds the values of a captured variable that are compared.
const maxStored = 4

// phi is transparent when all its edges agree. An edge that carries a fresh
// object counts as the place where that object is stored, which makes
// "inner := m[k]; if inner == nil { inner = new; m[k] = inner }" one path.
//
// A map that a loop descends from, to the maps in it, is named by the one that it begins with: that is what the
// first round works on, and what the others come to is a part of it.
func (b *Builder) phi(v *ssa.Phi) Path {
	if p := b.common(v.Edges); p.Known() || !ssautil.IsMap(v.Type()) {
		return p
	}
	var outer ssa.Value
	for _, e := range v.Edges {
		switch {
		case e == ssa.Value(v), ssautil.Within(e, v):
		case outer != nil && outer != e:
			return Path{}
		default:
			outer = e
		}
	}
	if outer == nil {
		return Path{}
	}
	return b.Of(outer) // and not where it will be stored: see common
}

// common returns the path that all of some values have, in this sense.
func (b *Builder) common(vals []ssa.Value) Path {
	var common Path
	for _, e := range vals {
		if c, ok := e.(*ssa.Const); ok && c.Value == nil {
			continue // nil denotes nothing
		}
		p := b.Of(e)
		if at := b.storedAt(e); at.Known() {
			p = at
		}
		if common.Known() && p != common {
			return Path{}
		}
		common = p
	}
	return common
}

// storedAt returns the path at which the fresh value v is stored, if there is
// exactly one such place.
func (b *Builder) storedAt(v ssa.Value) Path {
	switch v.(type) {
	case *ssa.MakeMap, *ssa.Alloc, *ssa.Call:
	default:
		return Path{}
	}
	refs := v.Referrers()
	if refs == nil {
		return Path{}
	}
	var at Path
	for _, r := range *refs {
		p, ok := b.puts(r, v)
		switch {
		case !ok:
		case at.Known() && at != p:
			return Path{}
		default:
			at = p
		}
	}
	return at
}

// puts returns the path at which an instruction stores v, itself or as the local variable that it sets to it
// is stored next.
func (b *Builder) puts(r ssa.Instruction, v ssa.Value) (p Path, ok bool) {
	switch r := r.(type) {
	case *ssa.MapUpdate:
		if r.Value == v {
			return b.Elem(b.Of(r.Map), b.Key(r.Key)), true
		}
	case *ssa.Store:
		if r.Val != v {
			return Path{}, false
		}
		local, is := r.Addr.(*ssa.Alloc)
		if !is {
			return b.Of(r.Addr), true
		}
		for _, use := range *local.Referrers() {
			ld, is := use.(*ssa.UnOp)
			if !is || ssautil.LastStore(ld) != r {
				continue
			}
			for _, next := range *ld.Referrers() {
				if p, ok := b.puts(next, ld); ok {
					return p, true
				}
			}
		}
	}
	return Path{}, false
}

// Renames reports whether addr is a local variable that only gives another
// name to what lies at a path: using it touches the variable, not the place.
func Renames(addr ssa.Value, at Path) bool {
	v, ok := addr.(*ssa.Alloc)
	return ok && (at.Depth() > 0 || at.Root().Val != ssa.Value(v))
}
