package infer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// HandedOut reports whether v comes out of a channel that the package makes, which gives each worker objects of its own: what
// is sent there is chosen anew for each send, and is never the object that was there before.
func (p *Package) HandedOut(v ssa.Value) bool {
	if !ssautil.Received(v) {
		return false
	}
	made := p.chansOf(receivedFrom(v), 0)
	return len(made) > 0 && !slices.ContainsFunc(made, func(ch *ssa.MakeChan) bool {
		return ch == nil || !p.sendsOthers(ch)
	})
}

// SentOnly reports whether v comes out of channels that the package makes, and all that is sent to them is as asked.
func (p *Package) SentOnly(v ssa.Value, asked func(at ssa.Instruction, sent ssa.Value) bool) bool {
	if !ssautil.Received(v) {
		return false
	}
	made := p.chansOf(receivedFrom(v), 0)
	return len(made) > 0 && !slices.ContainsFunc(made, func(ch *ssa.MakeChan) bool {
		return ch == nil || slices.ContainsFunc(ssautil.ChanUses(ch.Parent(), ch), func(use ssa.Instruction) bool {
			switch use := use.(type) {
			case *ssa.Send:
				return ssautil.ChanOf(use.Chan) != ch || !asked(use, use.X)
			case *ssa.Select:
				return slices.ContainsFunc(use.States, func(st *ssa.SelectState) bool {
					return st.Dir == types.SendOnly && (ssautil.ChanOf(st.Chan) != ch || !asked(use, st.Send)) // another one may get the channel
				})
			case *ssa.UnOp: // a receive
				return false
			case ssa.CallInstruction:
				return sendsTo(use.Common(), ch)
			}
			return true
		})
	})
}

// receivedFrom returns the channel out of which a value comes; nil if it comes out of none.
func receivedFrom(v ssa.Value) ssa.Value {
	x, part := v.(*ssa.Extract)
	if part {
		v = x.Tuple
	}
	switch from := v.(type) {
	case *ssa.UnOp:
		return from.X
	case *ssa.Select:
		n := 2
		for _, st := range from.States {
			if st.Dir != types.RecvOnly {
				continue
			}
			if n == x.Index {
				return st.Chan
			}
			n++
		}
	}
	return nil
}

// chansOf returns the channels that a value can be, which are made where it stands or where its function is called; a nil
// among them is one that is not known.
func (p *Package) chansOf(v ssa.Value, depth int) []*ssa.MakeChan {
	if v == nil || depth > maxPassed {
		return []*ssa.MakeChan{nil}
	}
	param, ok := ssautil.Unwrap(v).(*ssa.Parameter)
	if !ok {
		return []*ssa.MakeChan{ssautil.ChanOf(v)}
	}
	i := slices.Index(param.Parent().Params, param)
	var out []*ssa.MakeChan
	for _, use := range p.usesOf(param.Parent()) {
		call, ok := use.(ssa.CallInstruction)
		if !ok || call.Common().IsInvoke() || i >= len(call.Common().Args) {
			return []*ssa.MakeChan{nil}
		}
		out = append(out, p.chansOf(call.Common().Args[i], depth+1)...)
	}
	return out
}

// sendsOthers reports whether all that is sent to a channel is sent by one statement, and is another object each time.
func (p *Package) sendsOthers(ch *ssa.MakeChan) bool {
	sends := 0
	for _, use := range ssautil.ChanUses(ch.Parent(), ch) {
		switch use := use.(type) {
		case *ssa.Send:
			if sends++; sends > 1 || ssautil.ChanOf(use.Chan) != ch || !p.chosenAnew(use, ch) {
				return false
			}
		case *ssa.UnOp: // a receive
		case ssa.CallInstruction:
			if sendsTo(use.Common(), ch) {
				return false
			}
		default:
			return false
		}
	}
	return sends == 1
}

// sendsTo reports whether a call may give a channel to what sends there.
func sendsTo(c *ssa.CallCommon, ch *ssa.MakeChan) bool {
	if b, ok := c.Value.(*ssa.Builtin); ok {
		return b.Name() != "close" && b.Name() != "len" && b.Name() != "cap"
	}
	return slices.ContainsFunc(c.Args, func(arg ssa.Value) bool {
		t, ok := arg.Type().Underlying().(*types.Chan)
		return ok && ssautil.ChanOf(arg) == ch && t.Dir() != types.RecvOnly
	})
}

// chosenAnew reports whether a statement that sends an object comes again, with the same channel, only when it has got
// another one: the element of a round, one that the round makes or receives, or the parameter of a literal.
func (p *Package) chosenAnew(send *ssa.Send, ch *ssa.MakeChan) bool {
	x := ssautil.Unwrap(send.X)
	if param, ok := x.(*ssa.Parameter); ok {
		return param.Parent() == send.Parent() && !ssautil.Again(send.Block(), nil) && givenOnce(send.Parent(), ch)
	}
	if send.Parent() != ch.Parent() {
		return false
	}
	var chosen ssa.Instruction
	switch path := p.Paths.Of(x); {
	case path.IsElem():
		chosen, _ = path.Key().Root().Val.(ssa.Instruction)
	case path.Depth() == 0:
		chosen, _ = x.(ssa.Instruction)
	}
	if chosen == nil || chosen.Block() == nil {
		return !ssautil.Again(send.Block(), map[*ssa.BasicBlock]bool{ch.Block(): true})
	}
	// A loop around the one that chooses would come to the same elements again.
	loops := ssautil.Loops(send.Block())
	around := slices.DeleteFunc(loops, func(l ssautil.Loop) bool { return l.In[ch.Block()] })
	return len(around) <= 1 && !ssautil.Again(send.Block(), map[*ssa.BasicBlock]bool{chosen.Block(): true, ch.Block(): true})
}

// givenOnce reports whether a literal is given to one call, which does not come again with the same channel: it is to
// come to each object once.
func givenOnce(lit *ssa.Function, ch *ssa.MakeChan) bool {
	if lit.Parent() != ch.Parent() {
		return false
	}
	calls := ssautil.PassedTo(lit)
	return len(calls) == 1 && !ssautil.Again(calls[0].Block(), map[*ssa.BasicBlock]bool{ch.Block(): true})
}

// HasOwnMap reports whether the map in a field is that of one object alone at a time: others cannot name the field, it is
// set to new maps, or to that of an object of the same kind whose place in a map the object takes, in one section.
func (p *Package) HasOwnMap(field *types.Var) bool {
	if field == nil || !field.IsField() || field.Exported() || field.Pkg() != p.Types {
		return false
	}
	return !slices.ContainsFunc(p.Funcs, func(f *Func) bool {
		return ssautil.Some(f.SSA, func(instr ssa.Instruction) bool {
			addr, ok := instr.(*ssa.FieldAddr)
			return ok && ssautil.FieldOf(addr) == field.Origin() && !p.keepsMap(f, addr)
		})
	})
}

// keepsMap reports whether what is done with the map at the address of a field leaves it with its object, or gives it to the
// successor of that.
func (p *Package) keepsMap(f *Func, addr *ssa.FieldAddr) bool {
	return !slices.ContainsFunc(*addr.Referrers(), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.DebugRef:
			return false
		case *ssa.Store:
			return !newMap(r.Val) && !p.succeeds(f, r)
		case *ssa.UnOp:
			return slices.ContainsFunc(*r.Referrers(), func(use ssa.Instruction) bool {
				st, stores := use.(*ssa.Store)
				return !usedInPlace([]ssa.Instruction{use}) && !(stores && p.succeeds(f, st))
			})
		}
		return true
	})
}

// newMap reports whether a value is no map yet, or one that is made for it.
func newMap(v ssa.Value) bool {
	switch v := ssautil.Unwrap(v).(type) {
	case *ssa.MakeMap:
		return len(*v.Referrers()) == 1
	case *ssa.Const:
		return true
	case *ssa.Call:
		fn, _ := ssautil.Callee(&v.Call)
		return model.Copies(fn) && len(*v.Referrers()) == 1
	}
	return false
}

// succeeds reports whether an object that is given the map of another one then takes the place of that in a map, in the
// section in which it was found there.
func (p *Package) succeeds(f *Func, given *ssa.Store) bool {
	to, ok := given.Addr.(*ssa.FieldAddr)
	read, isRead := given.Val.(*ssa.UnOp)
	if !ok || !isRead {
		return false
	}
	from, ok := read.X.(*ssa.FieldAddr)
	if !ok || ssautil.FieldOf(from) != ssautil.FieldOf(to) {
		return false
	}
	place := p.Paths.Of(from.X)
	return place.IsElem() && ssautil.Some(f.SSA, func(instr ssa.Instruction) bool {
		put, ok := instr.(*ssa.MapUpdate)
		if !ok || ssautil.Unwrap(put.Value) != ssautil.Unwrap(to.X) || p.Paths.Elem(p.Paths.Of(put.Map), p.Paths.Key(put.Key)) != place {
			return false
		}
		return ssautil.Always(given, put) && inOneSection(f, place, put)
	})
}

// inOneSection reports whether a function looks an entry up, and puts another one there, in one section of a lock.
func inOneSection(f *Func, place accesspath.Path, put *ssa.MapUpdate) bool {
	var at []locks.Held
	for i := range f.Accesses {
		if a := &f.Accesses[i]; a.Point.Instr(f.SSA) == ssa.Instruction(put) {
			at = f.Effective(a)
		}
	}
	looks := false
	for i := range f.Accesses {
		a := &f.Accesses[i]
		if _, look := a.Point.Instr(f.SSA).(*ssa.Lookup); !look || a.Path != place.Parent() {
			continue
		}
		looks = true
		if !slices.ContainsFunc(f.Effective(a), func(h locks.Held) bool {
			return h.Mode == locks.Write && slices.ContainsFunc(at, func(o locks.Held) bool { return o.Lock == h.Lock && o.Mode == h.Mode && o.Sec.Same(h.Sec) })
		}) {
			return false
		}
	}
	return looks
}
