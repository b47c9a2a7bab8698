package depend

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// contents tells of which places a package changes an entry, itself a map, once it is put in. It goes back from each change
// to where the map that is changed can come from: what is taken out of a place is an entry of it, and one that is made and was
// put in before is one by then.
type contents struct {
	pkg      *types.Package
	changed  map[any]bool        // fields and variables that hold maps
	types    []types.Type        // see noteTypes
	kept     map[*types.Var]bool // the fields, given nothing but new maps, whose maps are changed
	untraced []types.Type        // those of which it is not seen, either, where what is changed comes from
	uses     *uses
	puts     map[ssa.Value][]putIn
	flows    map[*ssa.Function]*ssautil.Flow
	seen     map[change]bool
	work     []change
}

// A change is a value of which an instruction changes what it holds.
type change struct {
	of    ssa.Value
	below int             // how many maps lie between: 0 if it changes itself, 1 if an entry of it does
	at    ssa.Instruction // in the value's function; nil if that can be at any time
}

// A putIn is an instruction that puts a value into a map, and that map's place, nil if it is not known.
type putIn struct {
	by    ssa.Instruction
	place any
}

// findContents follows all changes of maps and lists in functions of a package. Complexity: linear in the values that
// the changed ones can come from, times the changes in one function.
func findContents(pkg *types.Package, funcs []*ssa.Function) *contents {
	c := &contents{
		pkg: pkg, changed: make(map[any]bool), kept: make(map[*types.Var]bool), uses: findUses(funcs), puts: make(map[ssa.Value][]putIn),
		flows: make(map[*ssa.Function]*ssautil.Flow), seen: make(map[change]bool),
	}
	for _, fn := range funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if of := changedBy(instr); of != nil {
					c.add(of, 0, instr)
				}
				c.noteTypes(instr)
			}
		}
	}
	for len(c.work) > 0 {
		x := c.work[len(c.work)-1]
		c.work = c.work[:len(c.work)-1]
		c.follow(x)
	}
	return c
}

// changedBy returns the map or list of which an instruction changes the elements, nil if it does not.
func changedBy(instr ssa.Instruction) ssa.Value {
	switch instr := instr.(type) {
	case *ssa.MapUpdate:
		return instr.Map
	case *ssa.Store:
		if elem, ok := instr.Addr.(*ssa.IndexAddr); ok {
			return elem.X
		}
	case ssa.CallInstruction:
		call := instr.Common()
		if b, ok := call.Value.(*ssa.Builtin); ok {
			if b.Name() == "delete" || b.Name() == "clear" || b.Name() == "copy" {
				return call.Args[0]
			}
			return nil
		}
		fn, args := ssautil.Callee(call)
		if fn == nil || len(args) == 0 {
			return nil
		}
		if does := model.Lookup(fn); does.Kind == model.MapWrite && does.Arg < len(args) {
			return args[does.Arg]
		}
		if fn.Signature().Recv() != nil && ssautil.IsMap(args[0].Type()) && performs(fn.Signature()) {
			return args[0] // as http.Header.Set does
		}
		for _, arg := range args {
			if arg = ssautil.Unwrap(arg); isMapAddr(arg) {
				return arg // as json.Unmarshal does
			}
		}
	}
	return nil
}

// isMapAddr reports whether a value is the address of a variable or a field that is a map.
func isMapAddr(v ssa.Value) bool {
	switch v.(type) {
	case *ssa.Alloc, *ssa.FieldAddr, *ssa.Global, *ssa.FreeVar:
		return ssautil.IsMap(ssautil.Pointee(v.Type()))
	}
	return false
}

// maxBelow bounds how many maps, one in the other, are told apart.
const maxBelow = 3

func (c *contents) add(of ssa.Value, below int, at ssa.Instruction) {
	x := change{ssautil.Unwrap(of), min(below, maxBelow), at}
	if _, constant := x.of.(*ssa.Const); !constant && !c.seen[x] {
		c.seen[x] = true
		c.work = append(c.work, x)
	}
}

// follow goes from a value that is changed to what it can be.
func (c *contents) follow(x change) {
	for _, put := range c.putsOf(x.of) {
		if put.place != nil && c.precedes(put.by, x) {
			c.changed[put.place] = true
		}
	}
	switch v := x.of.(type) {
	case *ssa.Phi:
		for _, e := range v.Edges {
			c.add(e, x.below, x.at)
		}
	case *ssa.Extract:
		c.followTuple(v, x)
	case *ssa.Lookup:
		c.add(v.X, x.below+1, x.at)
	case *ssa.TypeAssert:
		c.add(v.X, x.below, x.at)
	case *ssa.Slice:
		c.add(v.X, x.below, x.at)
	case *ssa.Call:
		c.followCall(v, 0, x)
	case *ssa.UnOp:
		c.followAddr(v.X, x)
	case *ssa.FieldAddr, *ssa.Global, *ssa.Alloc:
		c.followAddr(v, x)
	case *ssa.Field:
		c.markAt(v, x)
		for _, val := range c.uses.stored[placeOf(v)] {
			c.add(val, x.below, nil)
		}
	case *ssa.MakeMap:
		c.markAt(v, x)
		c.followEntries(v, x)
	case *ssa.FreeVar:
		if of := ssautil.Binding(v); of != nil {
			c.add(of, x.below, nil)
		}
	case *ssa.Parameter:
		c.followParam(v, x)
	}
}

// markAt notes that an entry of the map at a place changes, if it is that and not the map itself.
func (c *contents) markAt(v ssa.Value, x change) {
	if place := placeOf(v); place != nil && x.below > 0 {
		c.changed[place] = true
	}
}

// followTuple is follow for one of several values.
func (c *contents) followTuple(v *ssa.Extract, x change) {
	switch of := v.Tuple.(type) {
	case *ssa.Lookup:
		c.add(of.X, x.below+1, x.at)
	case *ssa.TypeAssert:
		c.add(of.X, x.below, x.at)
	case *ssa.Next:
		if walk, ok := of.Iter.(*ssa.Range); ok {
			c.add(walk.X, x.below+1, x.at)
		}
	case *ssa.Call:
		c.followCall(of, v.Index, x)
	}
}

// followCall is follow for what a call gives: what a concurrent map has, or what a function of the package returns, which
// is changed once it has returned.
func (c *contents) followCall(call *ssa.Call, i int, x change) {
	if fn, args := ssautil.Callee(&call.Call); fn != nil && len(args) > 0 && model.IsConcurrentMap(args[0].Type()) {
		c.add(args[0], x.below+1, nil)
		return
	}
	for _, fn := range c.uses.runs(&call.Call) {
		for _, r := range Returns(fn) {
			if i < len(r.Results) {
				c.add(ssautil.ResultAt(r, i), x.below, r)
			}
		}
	}
}

// followAddr is follow for what is read from an address.
func (c *contents) followAddr(addr ssa.Value, x change) {
	switch addr := addr.(type) {
	case *ssa.IndexAddr:
		c.add(addr.X, x.below+1, x.at)
	case *ssa.Alloc:
		c.markAt(addr, x)
		for _, r := range *addr.Referrers() {
			if st, ok := r.(*ssa.Store); ok && st.Addr == ssa.Value(addr) {
				c.add(st.Val, x.below, x.at)
			}
		}
	case *ssa.FreeVar:
		if cell, ok := ssautil.Binding(addr).(*ssa.Alloc); ok {
			c.followAddr(cell, change{addr, x.below, nil})
		}
	case *ssa.FieldAddr, *ssa.Global:
		c.markAt(addr, x)
		for _, val := range c.uses.stored[placeOf(addr)] {
			c.add(val, x.below, nil)
		}
	}
}

// followEntries is follow for the entries of a map that is made.
func (c *contents) followEntries(m *ssa.MakeMap, x change) {
	if x.below == 0 {
		return
	}
	for _, r := range *m.Referrers() {
		if put, ok := r.(*ssa.MapUpdate); ok && put.Map == ssa.Value(m) {
			c.add(put.Value, x.below-1, x.at)
		}
	}
}

// followParam is follow for what callers give.
func (c *contents) followParam(p *ssa.Parameter, x change) {
	for _, call := range c.uses.callsOf(p.Parent()) {
		if arg := argumentFor(call.Common(), p); arg != nil {
			at := call.(ssa.Instruction)
			if _, now := call.(*ssa.Call); !now {
				at = nil
			}
			c.add(arg, x.below, at)
		}
	}
	for _, call := range ssautil.PassedTo(p.Parent()) {
		if _, args := ssautil.Callee(&call.Call); len(args) > 0 && model.IsConcurrentMap(args[0].Type()) {
			c.add(args[0], x.below+1, nil) // it walks over the map
		}
	}
}

// argumentFor returns what a call gives for a parameter of the function that it runs, nil if it gives none.
func argumentFor(call *ssa.CallCommon, p *ssa.Parameter) ssa.Value {
	args := call.Args
	if call.IsInvoke() {
		args = append([]ssa.Value{call.Value}, args...)
	}
	for i, q := range p.Parent().Params {
		if q == p && i < len(args) {
			return args[i]
		}
	}
	return nil
}

// putsOf returns the instructions that put a value into a map, by themselves or by a call of a function of the package.
func (c *contents) putsOf(v ssa.Value) []putIn {
	if out, known := c.puts[v]; known {
		return out
	}
	c.puts[v] = nil // in a loop: the rest tells
	if v.Referrers() == nil {
		return nil
	}
	var out []putIn
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.MapUpdate:
			if r.Value == v {
				out = append(out, putIn{r, placeOf(r.Map)})
			}
		case *ssa.MakeInterface, *ssa.ChangeInterface, *ssa.ChangeType, *ssa.Phi:
			out = append(out, c.putsOf(r.(ssa.Value))...)
		case *ssa.Store:
			if cell, ok := r.Addr.(*ssa.Alloc); ok && r.Val == v {
				for _, ld := range readsOf(cell) {
					out = append(out, c.putsOf(ld)...)
				}
			}
		case ssa.CallInstruction:
			out = append(out, c.putsBy(r, v)...)
		}
	}
	c.puts[v] = out
	return out
}

// putsBy is putsOf for what a call does with a value that it gets.
func (c *contents) putsBy(call ssa.CallInstruction, v ssa.Value) (out []putIn) {
	fn, args := ssautil.Callee(call.Common())
	if fn != nil && len(args) > 0 && model.IsConcurrentMap(args[0].Type()) {
		for _, x := range args[1:] {
			if x == v {
				return []putIn{{call, placeOf(args[0])}}
			}
		}
		return nil
	}
	for _, callee := range c.uses.runs(call.Common()) {
		for _, p := range callee.Params {
			if argumentFor(call.Common(), p) != v {
				continue
			}
			for _, put := range c.putsOf(p) {
				out = append(out, putIn{call, put.place})
			}
		}
	}
	return out
}

// precedes reports whether an instruction puts a value in before it is changed: of a value that is made anew in each round of a
// loop, in the same round.
func (c *contents) precedes(put ssa.Instruction, x change) bool {
	if x.at == nil || put.Parent() != x.at.Parent() {
		return true
	}
	fn := put.Parent()
	if c.flows[fn] == nil {
		c.flows[fn] = ssautil.NewFlow(fn, nil)
	}
	var made *ssa.BasicBlock
	if v, ok := x.of.(ssa.Instruction); ok {
		made = v.Block()
	}
	return put != x.at && c.flows[fn].ReachesPast(made, ssautil.PointOf(put), ssautil.PointOf(x.at))
}

// placeOf returns the field or variable that holds a map, nil if that is not known.
func placeOf(v ssa.Value) any {
	switch v := ssautil.Unwrap(v).(type) {
	case *ssa.UnOp:
		return placeOf(v.X)
	case *ssa.FieldAddr:
		return ssautil.FieldOf(v)
	case *ssa.Field:
		if st, ok := v.X.Type().Underlying().(*types.Struct); ok {
			return st.Field(v.Field).Origin()
		}
	case *ssa.Global, *ssa.MakeMap, *ssa.Alloc:
		return v
	case *ssa.FreeVar:
		if of := ssautil.Binding(v); of != nil {
			return placeOf(of)
		}
	}
	return nil
}
