package infer

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// A message is a call: a function puts its arguments into a request, with a channel
// of its own for the answer, sends it to the goroutine that owns an object, and
// returns the answer. There, a function of the object works it out. So to call the
// one is to call the other, in the owner's turn: which is a critical section, and two
// messages are two of them.
//
// Both sides must be plain. The sender makes the request, sends it, and waits, and
// nothing else. The owner (see [owner]) sends what one call gives to the request's
// channel; the call has the request's fields and the owner's object as arguments, and
// hangs on nothing of the request but constants in its fields.

// A sender is a function that sends a request and returns the answer.
type sender struct {
	field *types.Var // that has the channel
	base  int        // the parameter that has the field
	vals  map[int]ssa.Value
}

// A service is a call by which the owner works an answer out.
type service struct {
	handler *ssa.Function
	// args are the fields of the request that are its arguments; self is the
	// owner's object.
	args []int
	when []demand
}

const self = -1

// A demand is a condition on a field of the request: that it is a constant, or is not.
type demand struct {
	field int
	is    string
	not   bool
}

// messages are the senders of a package, and the services by channel.
type messages struct {
	senders  map[*ssa.Function]*sender
	services map[*types.Var][]service
}

// findServices notes the answers that the owner works out with requests from a
// field's channel; it reports whether there are some.
func (p *Package) findServices(o *outlet, fn *ssa.Function, turn accesspath.Path) bool {
	if !slices.ContainsFunc(o.receivers[fn], ssautil.NewReach(fn).InLoop) {
		return false
	}
	reply := ssautil.ReplyField(o.field.Type().Underlying().(*types.Chan).Elem())
	r := request{p: p, got: gets(o.receivers[fn], o), base: turn.Parent()}
	var out []service
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			send, ok := instr.(*ssa.Send)
			if !ok {
				continue
			}
			if i, ok := r.field(send.Chan); !ok || i != reply {
				continue
			}
			if s, ok := r.service(send.X); ok {
				out = append(out, s)
			}
		}
	}
	if len(out) > 0 {
		p.messages.services[o.field] = out
	}
	return len(out) > 0
}

// A request is what the owner has received.
type request struct {
	p    *Package
	got  []ssa.Value
	base accesspath.Path
}

// service returns the call that gives a value.
func (r *request) service(v ssa.Value) (service, bool) {
	call, ok := v.(*ssa.Call)
	if !ok || call.Call.StaticCallee() == nil || r.p.byKey[accesspath.FuncKey(call.Call.StaticCallee())] == nil {
		return service{}, false
	}
	s := service{handler: call.Call.StaticCallee()}
	for _, arg := range call.Call.Args {
		i, ok := r.field(arg)
		if !ok && r.p.Paths.Of(arg) == r.base {
			i, ok = self, true
		}
		if !ok {
			return service{}, false
		}
		s.args = append(s.args, i)
	}
	for b := call.Block().Idom(); b != nil; b = b.Idom() {
		if d, ok := r.asked(b, call.Block()); ok {
			s.when = append(s.when, d)
		}
	}
	return s, true
}

// asked returns what the branch that ends b asks of the request on the way to at.
func (r *request) asked(b, at *ssa.BasicBlock) (demand, bool) {
	br, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok || b.Succs[0] == b.Succs[1] {
		return demand{}, false
	}
	cmp, ok := br.Cond.(*ssa.BinOp)
	if !ok || cmp.Op != token.EQL && cmp.Op != token.NEQ {
		return demand{}, false
	}
	k, ok := cmp.Y.(*ssa.Const)
	i, field := r.field(cmp.X)
	if !ok || !field || k.Value == nil {
		return demand{}, false
	}
	onTrue, onFalse := ssautil.DominatesEdge(b, 0, at), ssautil.DominatesEdge(b, 1, at)
	return demand{field: i, is: k.Value.ExactString(), not: onTrue == (cmp.Op == token.NEQ)}, onTrue != onFalse
}

// field returns which field of the request a value is.
func (r *request) field(v ssa.Value) (int, bool) {
	switch v := v.(type) {
	case *ssa.Field:
		return v.Field, slices.Contains(r.got, v.X)
	case *ssa.UnOp:
		fa, ok := v.X.(*ssa.FieldAddr)
		if !ok || v.Op != token.MUL {
			return 0, false
		}
		from := fa.X
		if cell, ok := from.(*ssa.Alloc); ok {
			from = ssautil.SoleStore(cell)
		}
		return fa.Field, from != nil && slices.Contains(r.got, from)
	}
	return 0, false
}

// findSenders finds the functions that do nothing but send a request to an owner and
// return the answer.
func (p *Package) findSenders(byChan map[*types.Var]*owner) {
	if len(p.messages.services) == 0 {
		return
	}
	for _, f := range p.Funcs {
		if len(f.SSA.Blocks) == 1 {
			if s := p.senderOf(f.SSA, byChan); s != nil {
				p.messages.senders[f.SSA] = s
			}
		}
	}
}

func (p *Package) senderOf(fn *ssa.Function, byChan map[*types.Var]*owner) *sender {
	var send *ssa.Send
	var recv *ssa.UnOp
	for _, instr := range fn.Blocks[0].Instrs {
		switch instr := instr.(type) {
		case *ssa.Send:
			if send != nil {
				return nil
			}
			send = instr
		case *ssa.UnOp:
			if instr.Op == token.ARROW {
				if send == nil || recv != nil {
					return nil
				}
				recv = instr
			}
		case *ssa.Return:
			if len(instr.Results) > 1 || len(instr.Results) == 1 && instr.Results[0] != ssa.Value(recv) {
				return nil
			}
		case *ssa.Alloc, *ssa.FieldAddr, *ssa.Store, *ssa.MakeChan, *ssa.ChangeType, *ssa.DebugRef:
		default:
			return nil
		}
	}
	if send == nil || recv == nil {
		return nil
	}
	field, _ := chanIdentity(send.Chan).(*types.Var)
	lock, ok := p.turn(byChan, send.Chan)
	base := lock.Parent().Root()
	if !ok || len(p.messages.services[field]) == 0 || base.Kind != accesspath.Param || lock.Depth() != 1 {
		return nil
	}
	s := &sender{field: field, base: base.Index, vals: ssautil.FieldsOf(send.X)}
	mk, ok := s.vals[ssautil.ReplyField(send.X.Type())].(*ssa.MakeChan)
	if !ok || len(ssautil.ChanUses(fn, mk)) > 1 || !ssautil.Answers(recv.X, mk, send.X) {
		return nil
	}
	return s
}

// served returns the function that works out the answer to what a call sends, and
// its arguments; nil if it sends nothing, or that cannot be told. Base is the object
// of the goroutine that does.
func (p *Package) served(call *ssa.CallCommon) (handler *ssa.Function, args []ssa.Value, base ssa.Value, field *types.Var) {
	fn := call.StaticCallee()
	s := p.messages.senders[fn]
	if s == nil {
		return nil, nil, nil, nil
	}
	val := func(field int) ssa.Value {
		if v, ok := s.vals[field].(*ssa.Parameter); ok {
			return call.Args[slices.Index(fn.Params, v)]
		}
		return s.vals[field]
	}
	var one *service
	for i := range p.messages.services[s.field] {
		sv := &p.messages.services[s.field][i]
		switch suits, known := sv.suits(val); {
		case !known || suits && one != nil:
			return nil, nil, nil, nil
		case suits:
			one = sv
		}
	}
	if one == nil {
		return nil, nil, nil, nil
	}
	base = call.Args[s.base]
	for _, i := range one.args {
		v := base
		if i != self {
			if v = val(i); v == nil || v.Parent() == fn {
				return nil, nil, nil, nil // the sender's own
			}
		}
		args = append(args, v)
	}
	return one.handler, args, base, s.field
}

// suits reports whether a request has what the service demands.
func (s *service) suits(val func(int) ssa.Value) (suits, known bool) {
	suits = true
	for _, d := range s.when {
		k, ok := val(d.field).(*ssa.Const)
		if !ok || k.Value == nil {
			return false, false
		}
		suits = suits && (k.Value.ExactString() == d.is) != d.not
	}
	return suits, true
}
