package ownership

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

func tuple(v ssa.Value) bool {
	_, ok := v.Type().(*types.Tuple)
	return ok
}

// Of returns the value, just before instr, of the map at p.
func (r *Result) Of(p accesspath.Path, instr ssa.Instruction) Value {
	return r.before(instr).Lookup(p)
}

// Holder returns the value of what the map at p is a part of, whatever map that holds.
func (r *Result) Holder(p accesspath.Path, instr ssa.Instruction) Value {
	return r.before(instr).storage(p)
}

// Storage returns the value of the field or variable at p itself, whose address
// is addr: a part of a struct that this function has a copy of is its own,
// whatever it holds.
func (r *Result) Storage(p accesspath.Path, addr ssa.Value, instr ssa.Instruction) Value {
	if r.ownCopy(addr, instr) {
		return Owned
	}
	return r.Holder(p, instr)
}

// ownCopy reports whether addr lies in a local struct variable, or in one that
// came by value, whose address goes nowhere before instr.
func (r *Result) ownCopy(addr ssa.Value, instr ssa.Instruction) bool {
	v, ok := ssautil.Local(addr).(*ssa.Alloc)
	if !ok || v.Parent() != r.fn {
		return false
	}
	if _, isStruct := ssautil.Pointee(v.Type()).Underlying().(*types.Struct); !isStruct {
		return false
	}
	for _, ref := range *v.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Store:
			if ref.Val == ssa.Value(v) {
				return false
			}
		case *ssa.FieldAddr, *ssa.UnOp, *ssa.DebugRef:
		default:
			if walk(ref, v, func(i ssa.Instruction) bool { return i == instr }) {
				return false
			}
		}
	}
	return true
}

// Taken returns the value of the map v, or of a container that it is in, where
// it was read from its place: owned if the place has been given another since,
// or if a function around this one has taken it out. Shared where nothing tells.
func (r *Result) Taken(v ssa.Value, instr ssa.Instruction) Value {
	for range accesspath.MaxSteps {
		if v == nil {
			break
		}
		if m := readFrom(v); m != nil {
			if got := r.takenOut(m, instr); got != Shared {
				return got
			}
			v = m
		}
		v = outer(v)
	}
	return Shared
}

func (r *Result) takenOut(m ssa.Value, instr ssa.Instruction) Value {
	if m.Parent() == r.fn {
		if !r.plain && r.takenOutIn(r.before(instr), m) {
			return Owned
		}
		if x, part := partRead(m); part && !r.plain && r.takenOutAt(r.before(instr), x) {
			return Owned
		}
		return Shared
	}
	if i := slices.Index(r.captured, r.nameOf(m)); i >= 0 {
		return OwnedIfInput(len(r.fn.Params) + i)
	}
	return Shared
}

// Args gives the fates of a callee's arguments just before instr: who owns
// them, and where they lead to others.
func (r *Result) Args(instr ssa.Instruction, args []ssa.Value) []Fate {
	s := r.before(instr)
	out := make([]Fate, len(args))
	for i, v := range args {
		out[i] = s.fate(r.Paths.Of(v))
	}
	return out
}

// Captures gives the fates of what a literal captures.
func (r *Result) Captures(instr ssa.Instruction, captured []accesspath.Path) []Fate {
	s := r.before(instr)
	out := make([]Fate, len(captured))
	for i, p := range captured {
		out[i] = s.fate(p)
		if m := p.Root().Val; m != nil && tracked(m) && m.Parent() == r.fn && p.Depth() == 0 {
			out[i] = Fate{Own: Shared}
			if r.takenOutIn(s, m) {
				out[i] = Fate{Own: Owned}
			}
		}
	}
	return out
}

// fate sums up an object and its parts.
func (s *State) fate(p accesspath.Path) Fate {
	if !p.Known() || !s.reached || s.lost {
		return Fate{Own: Shared}
	}
	o := s.find(rootOf(p))
	if o == nil {
		return Fate{Own: s.base(p.Root())}
	}
	f := Fate{Own: o.lookup(p)}
	for _, r := range o.at {
		if p.HasPrefix(r.path) || r.path.HasPrefix(p) {
			f.At = f.At.Union(r.fields)
		}
	}
	var foreign []string
	for _, x := range o.parts {
		if x.path == p || !x.path.HasPrefix(p) || x.val.Leq(f.Own) {
			continue
		}
		switch field := x.path.LastField(); {
		case field != nil:
			foreign = append(foreign, FieldName(field))
		case x.path.Parent() != p:
		case x.val == Shared:
			foreign = append(foreign, elements) // the container itself is still its owner's
		default:
			f.Own = Join(f.Own, x.val)
		}
	}
	f.Foreign = FieldsOf(foreign)
	return f
}

// Summary sums up the function for its callers. A result that no path gives is
// unreached, see [Func.Filled].
func (r *Result) Summary() *Func {
	f := &Func{Fills: r.fills, Key: accesspath.FuncKey(r.fn), Captured: r.captured, Inputs: make([]Fate, len(r.fn.Params)+len(r.captured))}
	f.Results = make([]Fate, r.fn.Signature.Results().Len())
	var exits []*ssa.Return
	for _, b := range r.fn.Blocks {
		if len(b.Instrs) > 0 {
			if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && b != r.fn.Recover {
				exits = append(exits, ret)
			}
		}
	}
	f.Moved = r.moved(exits)
	for _, ret := range exits {
		s := r.before(ret)
		r.noteCuts(s)
		for i := range f.Inputs {
			p := r.inputPath(i)
			fate := s.fate(p)
			if r.containerAt(i) && s.Lookup(p) == Shared {
				fate.Own = Shared // a goroutine reaches the container itself, which no field tells
			}
			f.Inputs[i] = f.Inputs[i].join(fate)
		}
		for i := range ret.Results {
			if v := ssautil.Returned(ret, i); i < len(f.Results) && !ssautil.IsNil(ssautil.Unwrap(v)) {
				f.Results[i] = f.Results[i].join(s.result(r, v))
			}
		}
	}
	r.fillUnreached(f)
	f.Renews = r.renews(exits)
	return f
}

// result is the fate of what is returned: a map that was taken out is owned.
func (s *State) result(r *Result, v ssa.Value) Fate {
	if m := readFrom(v); m != nil && m.Parent() == r.fn && r.takenOutIn(s, m) {
		return Fate{Own: Owned}
	}
	return s.withoutTaken(r, v, s.fate(r.Paths.Of(v)))
}

// fillUnreached gives what no path leads to a value: a function that never
// returns keeps what it has.
func (r *Result) fillUnreached(f *Func) {
	for i := range f.Inputs {
		f.Inputs[i].Foreign = f.Inputs[i].Foreign.onlyElements()
		if f.Inputs[i].Own == Unreached {
			f.Inputs[i].Own = OwnedIfInput(i)
		}
	}
}

func (r *Result) inputPath(i int) accesspath.Path {
	if n := len(r.fn.Params); i >= n {
		return r.captured[i-n]
	}
	return r.Paths.ParamOf(accesspath.FuncKey(r.fn), i)
}

// containerAt reports whether the i-th input is a map or a slice, or a variable that holds one.
func (r *Result) containerAt(i int) bool {
	if i < len(r.fn.Params) {
		return container(r.fn.Params[i].Type())
	}
	p := r.inputPath(i)
	v := p.Root().Val
	return v != nil && p.Depth() == 0 && container(ssautil.Pointee(v.Type()))
}

// renews finds the places of maps that a store before every return has given
// another map.
func (r *Result) renews(exits []*ssa.Return) []accesspath.Path {
	var out []accesspath.Path
	add := func(p accesspath.Path, instr ssa.Instruction) {
		k := p.Root().Kind
		callers := k == accesspath.Global || k == accesspath.Param && p.Depth() > 0
		if !p.Known() || !callers || slices.Contains(out, p) {
			return
		}
		for _, ret := range exits {
			if !ssautil.Dominates(instr, ret) {
				return
			}
		}
		out = append(out, p)
	}
	for i := range r.steps {
		for _, instr := range r.steps[i] {
			switch instr := instr.(type) {
			case *ssa.Store:
				if ssautil.IsMap(instr.Val.Type()) && !r.ownCopy(instr.Addr, instr) {
					add(r.Paths.Of(instr.Addr), instr)
				}
			case *ssa.Call:
				for _, p := range r.renewedBy(instr) {
					add(p, instr)
				}
			}
		}
	}
	return out
}

// renewedBy returns the places that the only callee of a call renews.
func (r *Result) renewedBy(c *ssa.Call) []accesspath.Path {
	if r.isBuiltin(c) {
		return nil
	}
	k := r.call(c)
	if k == nil || len(k.Callees) != 1 || k.Callees[0].Sum == nil || k.Callees[0].How != Runs || k.Callees[0].Passed {
		return nil
	}
	var out []accesspath.Path
	for _, p := range k.Callees[0].Sum.Renews {
		out = append(out, r.inCaller(&k.Callees[0], p))
	}
	return out
}

func (r *Result) isBuiltin(c *ssa.Call) bool {
	_, ok := c.Call.Value.(*ssa.Builtin)
	return ok
}

// around adds the roots that lead to, or are, the given one.
func (l *links) around(root accesspath.Root, out map[accesspath.Root]bool) {
	work := []accesspath.Root{root}
	for len(work) > 0 {
		at := work[0]
		work = work[1:]
		for _, s := range l.same[at] {
			if o := s[1].Root(); !out[o] && s[0].Depth() == 0 {
				out[o] = true
				work = append(work, o)
			}
		}
		for o, hs := range l.holds {
			for _, h := range hs {
				if h[1].Root() == at && !out[o] {
					out[o] = true
					work = append(work, o)
				}
			}
		}
	}
}

// Leaves reports whether others can come to know the object v, which is made
// here, before the function returns.
func (r *Result) Leaves(v ssa.Value) bool { return r.left[r.nameOf(v)] }
