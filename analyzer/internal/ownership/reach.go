package ownership

import (
	"fmt"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// A Reach tells which fields a function, and all that it may run, can touch. It
// knows the functions of one package; a call into another one can come back by
// methods of what it gets as an interface, and by functions that it gets. It is
// not safe for concurrent use: one goroutine analyses a package.
type Reach struct {
	fns     []*ssa.Function
	body    map[any]*ssa.Function
	cut     map[any]bool // those that are not followed to the end
	methods map[string][]*ssa.Function
	values  []*ssa.Function // used as values
	memo    map[any]Fields
	bodies  map[*ssa.Function]*direct
	pkg     *types.Package
}

// NewReach prepares the question for a package's functions.
func NewReach(pkg *types.Package, fns []*ssa.Function) *Reach {
	return &Reach{pkg: pkg, fns: fns, body: byKey(fns), memo: make(map[any]Fields), cut: make(map[any]bool), bodies: make(map[*ssa.Function]*direct)}
}

func byKey(fns []*ssa.Function) map[any]*ssa.Function {
	out := make(map[any]*ssa.Function, len(fns))
	for _, fn := range fns {
		out[accesspath.FuncKey(fn)] = fn
	}
	return out
}

// index finds methods by name and the functions that are used as values, once
// asked for.
func (r *Reach) index() {
	if r.methods != nil {
		return
	}
	r.methods = make(map[string][]*ssa.Function)
	for _, fn := range r.fns {
		if fn.Signature.Recv() != nil {
			r.methods[fn.Name()] = append(r.methods[fn.Name()], fn)
		}
		if fn.Parent() != nil {
			r.values = append(r.values, fn)
		}
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				r.valuesIn(instr)
			}
		}
	}
}

func (r *Reach) valuesIn(instr ssa.Instruction) {
	var callee ssa.Value
	if c, ok := instr.(ssa.CallInstruction); ok {
		callee = c.Common().Value
	}
	for _, op := range instr.Operands(nil) {
		if *op == nil || *op == callee {
			continue
		}
		if fn := r.function(*op); fn != nil {
			r.values = append(r.values, fn)
		}
	}
}

// function returns the function of the package that v is, or is bound to.
func (r *Reach) function(v ssa.Value) *ssa.Function {
	switch v := v.(type) {
	case *ssa.Function:
		return r.body[accesspath.FuncKey(v)]
	case *ssa.MakeClosure:
		return r.function(v.Fn)
	}
	return nil
}

// Of returns the fields that the function of that key reaches; all of them if
// its body is not known. Complexity: linear in the functions that it may run,
// once.
func (r *Reach) Of(key any) Fields {
	if f, ok := r.memo[key]; ok {
		return f
	}
	f := AllFields
	if fn := r.body[key]; fn != nil {
		r.index()
		s := &search{Reach: r, names: make(map[string]bool), seen: map[*ssa.Function]bool{fn: true}, work: []*ssa.Function{fn}}
		f = s.run()
		r.cut[key] = s.cut
	}
	r.memo[key] = f
	return f
}

// Cuts names the bound that has cut the search of the function of that key
// short, with what is assumed beyond it; it is empty if none has.
func (r *Reach) Cuts(key any) string {
	if !r.cut[key] {
		return ""
	}
	return fmt.Sprintf("a goroutine that runs more than %d functions or touches more than %d fields: it is taken to reach all fields", maxBodies, maxFields)
}

// maxBodies bounds the functions that one goroutine is followed through.
const maxBodies = 400

// A search follows functions to what they run.
type search struct {
	*Reach
	names map[string]bool
	seen  map[*ssa.Function]bool
	work  []*ssa.Function
	cut   bool
}

func (s *search) run() Fields {
	for len(s.work) > 0 {
		fn := s.work[len(s.work)-1]
		s.work = s.work[:len(s.work)-1]
		d := s.direct(fn)
		for _, n := range d.names {
			s.names[n] = true
		}
		if s.cut = len(s.seen) > maxBodies || len(s.names) > maxFields; s.cut || d.all {
			return AllFields
		}
		for _, g := range d.runs {
			s.add(g)
		}
	}
	return FieldsOf(slices.Collect(maps.Keys(s.names)))
}

func (s *search) add(fn *ssa.Function) {
	if fn != nil && !s.seen[fn] {
		s.seen[fn] = true
		s.work = append(s.work, fn)
	}
}

// A direct is what one body touches and runs.
type direct struct {
	*Reach
	names []string
	runs  []*ssa.Function
	all   bool
}

func (r *Reach) direct(fn *ssa.Function) *direct {
	d := r.bodies[fn]
	if d != nil {
		return d
	}
	d = &direct{Reach: r}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			d.instruction(instr)
		}
	}
	r.bodies[fn] = d
	return d
}

func (d *direct) add(fn *ssa.Function) {
	if fn != nil && !slices.Contains(d.runs, fn) {
		d.runs = append(d.runs, fn)
	}
}

func (d *direct) instruction(instr ssa.Instruction) {
	switch instr := instr.(type) {
	case *ssa.FieldAddr:
		d.field(instr.X.Type(), instr.Field)
	case *ssa.Field:
		d.field(instr.X.Type(), instr.Field)
	case *ssa.MakeInterface:
		d.methodsOf(instr.X.Type())
	}
	if c, ok := instr.(ssa.CallInstruction); ok {
		d.call(c.Common())
	}
	var buf [8]*ssa.Value
	for _, op := range instr.Operands(buf[:0]) {
		if *op != nil {
			d.add(d.function(*op))
		}
	}
}

func (d *direct) field(t types.Type, i int) {
	st, ok := ssautil.Pointee(t).Underlying().(*types.Struct)
	if !ok || i >= st.NumFields() {
		d.all = true
		return
	}
	if f := st.Field(i).Origin(); holder(f.Type()) {
		if name := FieldName(f); !slices.Contains(d.names, name) {
			d.names = append(d.names, name)
		}
	}
}

// methodsOf adds the methods of a type whose values go where other code may
// call them.
func (d *direct) methodsOf(t types.Type) {
	n, ok := types.Unalias(ssautil.Pointee(t)).(*types.Named)
	if !ok || n.Obj().Pkg() != d.pkg {
		return
	}
	for i := range n.Origin().NumMethods() {
		d.add(d.body[n.Origin().Method(i)])
	}
}

func (d *direct) call(c *ssa.CallCommon) {
	switch {
	case c.IsInvoke():
		for _, m := range d.methods[c.Method.Name()] {
			d.add(m)
		}
	case c.StaticCallee() != nil:
		d.foreign(c)
	default:
		if _, builtin := c.Value.(*ssa.Builtin); builtin {
			return
		}
		for _, fn := range d.values {
			if types.Identical(fn.Signature.Params(), c.Signature().Params()) {
				d.add(fn)
			}
		}
	}
}

// foreign adds what a function of another package can touch of what it gets:
// the exported fields of its own types are its package's.
func (d *direct) foreign(c *ssa.CallCommon) {
	fn := c.StaticCallee()
	if fn.Pkg != nil && fn.Pkg.Pkg == d.pkg || fn.Object() == nil || fn.Object().Pkg() == d.pkg {
		return
	}
	for _, arg := range c.Args {
		t := types.Unalias(ssautil.Pointee(arg.Type()))
		if n, ok := t.(*types.Named); ok && n.Obj().Pkg() != nil {
			if st, ok := n.Underlying().(*types.Struct); ok {
				for i := range st.NumFields() {
					d.field(n, i)
				}
			}
		}
	}
}
