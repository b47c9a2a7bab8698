package infer

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/depend"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// An idling is a field with a channel that is closed when nothing runs any more of what an object was given to run: each goroutine
// that runs some counts itself down when it has, and closes the channel where the count has come to zero; who asks for
// the channel gets it closed if the count is zero by then. Where the count leaves zero, the channel goes: one that was closed
// says nothing of what is run later.
type idling struct {
	field *types.Var
	// count is the field with the number of goroutines.
	count  *types.Var
	closes []*ssa.Call
	gives  []*ssa.Function
	// runners are what the goroutines run, counts the methods that start them.
	runners []*ssa.Function
	counts  []*ssa.Function
	// other: the channel may come from elsewhere, or get to what may close it.
	other bool
	// seen are the variables through which the channel was followed.
	seen map[*ssa.Alloc]bool
}

// idlings returns what methods do that go with such fields.
func (p *Package) idlings() map[any]summary.Work {
	fields := make(map[*types.Var]*idling)
	for _, f := range p.Funcs {
		ssautil.Some(f.SSA, func(instr ssa.Instruction) bool {
			switch x := instr.(type) {
			case *ssa.FieldAddr:
				if u := p.idlingOf(fields, ssautil.FieldOf(x)); u != nil {
					u.used(x)
				}
			case *ssa.Field:
				if st, ok := x.X.Type().Underlying().(*types.Struct); ok {
					if u := p.idlingOf(fields, st.Field(x.Field).Origin()); u != nil {
						u.goes(x)
					}
				}
			}
			return false
		})
	}
	out := make(map[any]summary.Work)
	for _, u := range fields {
		if !p.idles(u) {
			continue
		}
		for _, fn := range u.gives {
			out[accesspath.FuncKey(fn)] = summary.GivesEnd
		}
		for _, fn := range u.counts {
			out[accesspath.FuncKey(fn)] = summary.Counted
		}
	}
	return out
}

// idlingOf returns what is known of a field; nil if it holds no channel that the package alone can close.
func (p *Package) idlingOf(fields map[*types.Var]*idling, field *types.Var) *idling {
	if field == nil || field.Exported() || field.Pkg() != p.Types || !ssautil.IsChan(field.Type()) {
		return nil
	}
	if fields[field] == nil {
		fields[field] = &idling{field: field}
	}
	return fields[field]
}

// used notes what is done with the address of the field: it is read, and set to nil or a new channel.
func (u *idling) used(addr *ssa.FieldAddr) {
	for _, r := range *addr.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.UnOp:
			u.goes(r)
		case *ssa.Store:
			u.other = u.other || r.Addr != ssa.Value(addr) || !fresh(r.Val)
		default:
			u.other = true
		}
	}
}

// fresh reports whether a channel is nil or has just been made.
func fresh(ch ssa.Value) bool {
	_, made := ssautil.Unwrap(ch).(*ssa.MakeChan)
	return made || ssautil.IsNil(ch)
}

// goes notes where the channel goes: it is closed, given by a method, compared, or waited for.
func (u *idling) goes(ch ssa.Value) {
	for _, r := range *ch.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.BinOp:
		case *ssa.UnOp: // a receive
		case *ssa.ChangeType:
			u.goes(r)
		case *ssa.Return:
			if fn := r.Parent(); !slices.Contains(u.gives, fn) {
				u.gives, u.other = append(u.gives, fn), u.other || !givesOnly(fn, u.field)
			}
		case *ssa.Call:
			if ssautil.Closed(r) == nil {
				u.other = true
				return
			}
			u.closes = append(u.closes, r)
		case *ssa.Store:
			u.through(r)
		default:
			u.other = true
		}
	}
}

// through follows the channel through a variable of the function, as that of a result is where something is deferred.
func (u *idling) through(st *ssa.Store) {
	cell, ok := st.Addr.(*ssa.Alloc)
	if !ok || u.seen[cell] {
		u.other = u.other || !ok
		return
	}
	if u.seen == nil {
		u.seen = make(map[*ssa.Alloc]bool)
	}
	u.seen[cell] = true
	for _, r := range *cell.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.UnOp:
			u.goes(r)
		case *ssa.Store:
			u.other = u.other || r.Addr != ssa.Value(cell)
		default:
			u.other = true
		}
	}
}

// givesOnly reports whether a method without parameters gives the channel in a field, and nothing else.
func givesOnly(fn *ssa.Function, field *types.Var) bool {
	sig := fn.Signature
	if sig.Recv() == nil || sig.Params().Len() > 0 || sig.Results().Len() != 1 {
		return false
	}
	return !slices.ContainsFunc(depend.Returns(fn), func(r *ssa.Return) bool {
		return chanIdentity(ssautil.Unwrap(ssautil.Returned(r, 0))) != any(field)
	})
}

// idles reports whether all that closes the channel does so where the count is zero: who asks for the channel, and goroutines that
// have run something, and run nothing more.
func (p *Package) idles(u *idling) bool {
	if u.other || len(u.gives) == 0 {
		return false
	}
	for _, c := range u.closes {
		count := zeroAt(c)
		if count == nil || u.count != nil && u.count != count {
			return false
		}
		u.count = count
		if !slices.Contains(u.gives, c.Parent()) && !p.closesLast(u, c) {
			return false
		}
	}
	return len(u.counts) > 0 && p.countsAll(u) && p.runsAll(u)
}

// zeroAt returns the field with a number that was found to be zero on the way to an instruction, in one go.
func zeroAt(instr ssa.Instruction) *types.Var {
	b := instr.Block()
	if stirs(b, instr) {
		return nil
	}
	for len(b.Preds) == 1 {
		from := b.Preds[0]
		br, ok := from.Instrs[len(from.Instrs)-1].(*ssa.If)
		if !ok {
			return nil
		}
		if ld := countAsked(br, b); ld != nil {
			return ssautil.FieldOf(ld.X.(*ssa.FieldAddr))
		}
		if stirs(from, nil) {
			return nil
		}
		b = from
	}
	return nil
}

// countAsked returns the read of a field which a branch finds to be zero where it goes to a block; nil if it does not. Nothing
// stirs between the two.
func countAsked(br *ssa.If, to *ssa.BasicBlock) *ssa.UnOp {
	left, side := noneLeft(br.Cond)
	if left == nil || br.Block().Succs[side] != to || br.Block().Succs[1-side] == to {
		return nil
	}
	ld, ok := left.(*ssa.UnOp)
	if !ok || ld.Op != token.MUL || ld.Block() != br.Block() {
		return nil
	}
	if _, ok := ld.X.(*ssa.FieldAddr); !ok {
		return nil
	}
	after := br.Block().Instrs[slices.Index(br.Block().Instrs, ssa.Instruction(ld)):]
	if slices.ContainsFunc(after, speaksTo) {
		return nil
	}
	return ld
}

// stirs reports whether a block, up to an instruction, does what others may see, as to let a lock go, or what takes long.
func stirs(b *ssa.BasicBlock, upTo ssa.Instruction) bool {
	for _, instr := range b.Instrs {
		if instr == upTo {
			return false
		}
		if speaksTo(instr) {
			return true
		}
	}
	return false
}

func speaksTo(instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.Send, *ssa.Select, ssa.CallInstruction, *ssa.RunDefers:
		return true
	case *ssa.UnOp:
		return instr.Op == token.ARROW
	}
	return false
}

// isField reports whether an address is that of a field.
func isField(addr ssa.Value, field *types.Var) bool {
	f, ok := addr.(*ssa.FieldAddr)
	return ok && ssautil.FieldOf(f) == field
}
