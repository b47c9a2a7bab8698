package infer

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// An owner is a goroutine that runs the functions which it receives, one after
// the other, or works out the answers to the requests that it receives (see
// [messages]). A channel to it is a lock: what is sent runs in turn, and no two
// runs overlap each other or what the goroutine does itself.
//
// That is so when one function alone receives from the channel, in a loop, one
// go statement alone starts it, it does nothing with what it receives but call
// it, and nothing else gets hold of the channel. A second goroutine could come
// only from a second start on one object, which a function that serves until it
// is told to stop does not have (see threads).
type owner struct {
	fn *ssa.Function
	// turn is the channel that stands for all channels of the goroutine, as
	// the function knows it.
	turn accesspath.Path
	ch   *types.Var
}

// An outlet is what the package does with the channels of one field.
type outlet struct {
	field     *types.Var
	receivers map[*ssa.Function][]ssa.Instruction
	at        []ssa.Value // the channel at each receive
	passed    []passed    // the parameters that have it
	leaks     bool        // others can get the channel
	sent      bool
}

// A passed channel goes to a goroutine as an argument, where it is made and put into
// the field of an object that is another argument.
type passed struct {
	param, object *ssa.Parameter
}

// turns finds the owners, by function and by the channels to them.
func (p *Package) turns() (byFunc map[*ssa.Function]*owner, byChan map[*types.Var]*owner) {
	outlets, order := p.outlets()
	if len(order) == 0 {
		return nil, nil
	}
	byFunc, byChan = make(map[*ssa.Function]*owner), make(map[*types.Var]*owner)
	uses := p.usesOfFuncs()
	for _, field := range order {
		o := outlets[field]
		if o.leaks || !o.sent || len(o.receivers) != 1 {
			continue
		}
		for fn, recvs := range o.receivers {
			path, ok := p.turnOf(o)
			if !ok || !p.startedOnce(fn, uses, 0) {
				continue
			}
			runs := sendsFuncs(field.Type()) && p.onlyRuns(recvs, o)
			if runs || sendsRequests(field.Type()) && p.findServices(o, fn, path) {
				own := byFunc[fn]
				if own == nil {
					own = &owner{fn: fn, turn: path, ch: field}
					byFunc[fn] = own
				}
				if own.turn.Parent() == path.Parent() {
					byChan[field] = own
					if runs {
						p.tasks[field] = toldBy(recvs, o)
					}
				}
			}
		}
	}
	p.findSenders(byChan)
	return byFunc, byChan
}

// turnOf returns the path of the one channel that all receives are from.
func (p *Package) turnOf(o *outlet) (accesspath.Path, bool) {
	path := p.pathIn(o, o.at[0])
	for _, ch := range o.at {
		if p.pathIn(o, ch) != path {
			return accesspath.Path{}, false
		}
	}
	return path, path.Known() && path.LastField() == o.field
}

// pathIn returns the path of a channel, that of the field where it comes as an argument.
func (p *Package) pathIn(o *outlet, ch ssa.Value) accesspath.Path {
	for _, arg := range o.passed {
		if ch == arg.param {
			return p.Paths.Field(p.Paths.Of(arg.object), o.field)
		}
	}
	return p.Paths.Of(ch)
}

// outlets looks at all uses of unexported fields that are channels of functions or
// of requests.
func (p *Package) outlets() (map[*types.Var]*outlet, []*types.Var) {
	outlets := make(map[*types.Var]*outlet)
	var order []*types.Var
	for _, f := range p.Funcs {
		for _, b := range f.SSA.Blocks {
			for _, instr := range b.Instrs {
				var field *types.Var
				var uses *[]ssa.Instruction
				leaks := false
				switch instr := instr.(type) {
				case *ssa.FieldAddr:
					field, _ = chanIdentity(instr).(*types.Var)
					uses = instr.Referrers()
				case *ssa.Field:
					field, _ = chanIdentity(instr).(*types.Var)
					leaks = true
				}
				if field == nil || field.Exported() || !sendsFuncs(field.Type()) && !sendsRequests(field.Type()) {
					continue
				}
				o := outlets[field]
				if o == nil {
					o = &outlet{field: field, receivers: make(map[*ssa.Function][]ssa.Instruction)}
					outlets[field] = o
					order = append(order, field)
				}
				if leaks {
					o.leaks = true
					continue
				}
				for _, r := range *uses {
					o.use(f.SSA, r)
				}
			}
		}
	}
	return outlets, order
}

// sendsFuncs reports whether t is a channel of functions, or of tasks: structs that bring some.
func sendsFuncs(t types.Type) bool {
	ch, ok := t.Underlying().(*types.Chan)
	if !ok {
		return false
	}
	_, fn := ch.Elem().Underlying().(*types.Signature)
	return fn || len(ssautil.FuncFields(ch.Elem())) > 0
}

// sendsRequests reports whether t is a channel of requests: structs, or pointers to
// them, that bring a channel for the answer.
func sendsRequests(t types.Type) bool {
	ch, ok := t.Underlying().(*types.Chan)
	return ok && ssautil.ReplyField(ch.Elem()) >= 0
}

// use notes what fn does with the address of the field.
func (o *outlet) use(fn *ssa.Function, r ssa.Instruction) {
	switch r := r.(type) {
	case *ssa.Store:
		o.leaks = o.leaks || !o.fill(r)
	case *ssa.UnOp:
		for _, u := range *r.Referrers() {
			o.useValue(fn, r, u)
		}
	case *ssa.DebugRef:
	default:
		o.leaks = true
	}
}

// fill notes the channel that is put into the field; it reports whether that is made there,
// and goes nowhere else but to a goroutine that gets the object, too.
func (o *outlet) fill(store *ssa.Store) bool {
	made := store.Val
	if conv, ok := made.(*ssa.ChangeType); ok {
		made = conv.X
	}
	if _, ok := made.(*ssa.MakeChan); !ok {
		return false
	}
	object := store.Addr.(*ssa.FieldAddr).X
	for _, r := range *made.Referrers() {
		conv, converted := r.(*ssa.ChangeType)
		switch {
		case r == ssa.Instruction(store):
		case converted && !slices.ContainsFunc(*conv.Referrers(), func(r ssa.Instruction) bool { return r != ssa.Instruction(store) && !o.pass(r, conv, object) }):
		case o.pass(r, made, object):
		default:
			return false
		}
	}
	return true
}

// pass notes that a go statement passes a channel, and the object that has it, to a function.
func (o *outlet) pass(r ssa.Instruction, ch, object ssa.Value) bool {
	start, ok := r.(*ssa.Go)
	if !ok {
		_, debug := r.(*ssa.DebugRef)
		return debug
	}
	fn, args := start.Call.StaticCallee(), start.Call.Args
	at, with := slices.Index(args, ch), slices.Index(args, object)
	if fn == nil || len(fn.Params) != len(args) || at < 0 || with < 0 || slices.Contains(args[at+1:], ch) {
		return false
	}
	o.passed = append(o.passed, passed{fn.Params[at], fn.Params[with]})
	for _, u := range *fn.Params[at].Referrers() {
		o.useValue(fn, fn.Params[at], u)
	}
	return true
}

func (o *outlet) useValue(fn *ssa.Function, ch ssa.Value, u ssa.Instruction) {
	receive := func() {
		o.receivers[fn] = append(o.receivers[fn], u)
		o.at = append(o.at, ch)
	}
	switch u := u.(type) {
	case *ssa.Send:
		o.sent = true
		o.leaks = o.leaks || u.X == ch
	case *ssa.UnOp:
		if u.Op == token.ARROW {
			receive()
		}
	case *ssa.Select:
		for _, st := range u.States {
			switch {
			case st.Chan == ch && st.Dir == types.RecvOnly:
				receive()
			case st.Chan == ch:
				o.sent = true
			}
			o.leaks = o.leaks || st.Send == ch
		}
	case *ssa.Call:
		b, ok := u.Call.Value.(*ssa.Builtin)
		o.leaks = o.leaks || !ok || b.Name() != "close" && b.Name() != "len" && b.Name() != "cap"
	case *ssa.BinOp, *ssa.DebugRef:
	default:
		o.leaks = true
	}
}

// gets returns the values that some instructions receive from a field's channel.
func gets(recvs []ssa.Instruction, o *outlet) []ssa.Value {
	var got []ssa.Value
	for _, r := range recvs {
		switch r := r.(type) {
		case *ssa.UnOp:
			if r.CommaOk {
				got = append(got, received(r, 0, 0)...)
			} else {
				got = append(got, r)
			}
		case *ssa.Select:
			n := 2
			for _, st := range r.States {
				if st.Dir != types.RecvOnly {
					continue
				}
				if chanIdentity(st.Chan) == any(o.field) || slices.Contains(o.at, st.Chan) {
					got = append(got, received(r, n, n)...)
				}
				n++
			}
		}
	}
	return got
}

// received returns the parts of a tuple with those indices.
func received(tuple ssa.Value, from, to int) []ssa.Value {
	var out []ssa.Value
	for _, x := range ssautil.Extracts(tuple) {
		if e, ok := x.(*ssa.Extract); ok && e.Index >= from && e.Index <= to {
			out = append(out, x)
		}
	}
	return out
}

// usesOfFuncs returns, for each function of the package, the instructions that
// name it. They are kept until all protocols of the package are found.
func (p *Package) usesOfFuncs() map[*ssa.Function][]ssa.Instruction {
	if p.uses == nil {
		p.uses = p.findUses()
	}
	return p.uses
}

func (p *Package) findUses() map[*ssa.Function][]ssa.Instruction {
	uses := make(map[*ssa.Function][]ssa.Instruction)
	var ops []*ssa.Value
	for _, f := range p.Funcs {
		for _, b := range f.SSA.Blocks {
			for _, instr := range b.Instrs {
				if c, ok := instr.(ssa.CallInstruction); ok && c.Common().IsInvoke() {
					for _, impl := range p.implementers(c.Common().Method) {
						uses[impl] = append(uses[impl], instr)
					}
				}
				ops = instr.Operands(ops[:0])
				for _, op := range ops {
					fn, ok := (*op).(*ssa.Function)
					if !ok {
						continue
					}
					if own := p.byKey[accesspath.FuncKey(fn)]; own != nil {
						fn = own.SSA
					}
					uses[fn] = append(uses[fn], instr)
				}
			}
		}
	}
	return uses
}

// maxStarters bounds the functions through which a go statement leads to an
// owner, and the variables and functions by which a task gets to where it is run.
const maxStarters = 3

// startedOnce reports whether one go statement alone, outside of loops, leads to
// a function, directly or through functions that nothing else runs.
func (p *Package) startedOnce(fn *ssa.Function, uses map[*ssa.Function][]ssa.Instruction, depth int) bool {
	return p.startOf(fn, uses, depth) != nil
}

// startOf returns that go statement, nil if there is none.
func (p *Package) startOf(fn *ssa.Function, uses map[*ssa.Function][]ssa.Instruction, depth int) *ssa.Go {
	if depth > maxStarters || len(uses[fn]) != 1 || fn.Object() != nil && fn.Object().Exported() {
		return nil
	}
	use := uses[fn][0]
	if mk, ok := use.(*ssa.MakeClosure); ok {
		refs := *mk.Referrers()
		if len(refs) != 1 {
			return nil
		}
		use = refs[0]
	}
	c, ok := use.(ssa.CallInstruction)
	if !ok || c.Common().IsInvoke() || ssautil.NewReach(use.Parent()).InLoop(use) {
		return nil
	}
	if callee := c.Common().StaticCallee(); callee == nil || callee != fn && callee.Origin() != fn {
		return nil
	}
	switch use := use.(type) {
	case *ssa.Go:
		return use
	case *ssa.Call, *ssa.Defer:
		return p.startOf(use.Parent(), uses, depth+1)
	}
	return nil
}

// turn returns the lock that a channel to an owner is, in the terms of the
// function that has the channel.
func (p *Package) turn(byChan map[*types.Var]*owner, ch ssa.Value) (accesspath.Path, bool) {
	field, ok := chanIdentity(ch).(*types.Var)
	if !ok || byChan[field] == nil {
		return accesspath.Path{}, false
	}
	path := p.Paths.Of(ch)
	if !path.Known() || path.LastField() != field {
		return accesspath.Path{}, false
	}
	return p.Paths.Field(path.Parent(), byChan[field].ch), true
}

// taskTurn is turn for a channel over which functions run in turn, and returns the field of tasks by which
// it is told that one has run; -1 if none is.
func (p *Package) taskTurn(byChan map[*types.Var]*owner, ch ssa.Value) (lock accesspath.Path, told int, ok bool) {
	field, _ := chanIdentity(ch).(*types.Var)
	if told, ok = p.tasks[field]; !ok {
		return lock, -1, false
	}
	lock, ok = p.turn(byChan, ch)
	return lock, told, ok
}
