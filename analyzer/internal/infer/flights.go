package infer

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/callback"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/transfer"
)

// A board is a map in which functions put an entry of their own where there is
// none, do something, and take the entry out again. While it is there, no other
// goroutine comes that far under the same key: the entry is a lock.
type board struct {
	claims []claim
	ends   []ssa.CallInstruction // the deletions
	offs   []*ssa.MapUpdate      // the entries that are set to false, or zero
	broken bool                  // entries come and go in other ways, too
}

// A claim is an insertion that happens only where a look in the same critical
// section has found no entry: beyond the edge out of a block.
type claim struct {
	at     *ssa.MapUpdate
	m, key accesspath.Path
	look   *ssa.Lookup
	asked  ssa.Instruction // the look, or what chooses between several
	passage
}

// A passage leads from a look to what is done where it has found nothing.
type passage struct {
	from     *ssa.BasicBlock
	side     int
	released bool // a lock is given up between look and act
}

// to returns the block to which a look leads that has found nothing; nil if there is no look.
func (w passage) to() *ssa.BasicBlock {
	if w.from == nil {
		return nil
	}
	return w.from.Succs[w.side]
}

// flights finds the functions that run a function which they get for one caller
// at a time per key, as singleflight does: they claim an entry under the key
// before they do anything with the function, and take it out when it has run, or
// when they have waited for what is in the entry.
//
// A function that only takes entries out, of which the package makes no use,
// leaves it to its callers to say when two runs may overlap.
func (p *Package) flights() map[*ssa.Function]*transfer.Flight {
	boards, order := p.boards()
	if len(order) == 0 {
		return nil
	}
	out := make(map[*ssa.Function]*transfer.Flight)
	for _, v := range order {
		b := boards[v]
		if b.broken || len(b.ends) == 0 || len(b.offs) > 0 {
			continue
		}
		for i, fl := range p.settleFlights(b, p.usesOfFuncs()) {
			if fl != nil && b.claims[i].runs() {
				out[b.claims[i].at.Parent()] = fl
			}
		}
	}
	return out
}

// boards looks at all changes of unexported maps of the package.
func (p *Package) boards() (map[*types.Var]*board, []*types.Var) {
	boards := make(map[*types.Var]*board)
	var order []*types.Var
	at := func(m ssa.Value) *board {
		loc := p.Paths.Of(m).Location()
		if loc.Var == nil || loc.Elems > 0 || loc.Var.Exported() || loc.Var.Pkg() != p.Types {
			return nil
		}
		if boards[loc.Var] == nil {
			boards[loc.Var] = new(board)
			order = append(order, loc.Var)
		}
		return boards[loc.Var]
	}
	for _, f := range p.Funcs {
		for _, blk := range f.SSA.Blocks {
			for _, instr := range blk.Instrs {
				m := changedMap(instr)
				if m == nil {
					continue
				}
				if b := at(m); b != nil {
					p.changed(b, instr)
				}
			}
		}
	}
	return boards, order
}

// changedMap returns the map, or the address of its variable, that an instruction
// changes, nil if it changes none.
func changedMap(instr ssa.Instruction) ssa.Value {
	switch instr := instr.(type) {
	case *ssa.MapUpdate:
		return instr.Map
	case *ssa.Store:
		if ssautil.IsMap(instr.Val.Type()) && !madeEmpty(instr.Val) {
			return instr.Addr
		}
	case ssa.CallInstruction:
		b, ok := instr.Common().Value.(*ssa.Builtin)
		if ok && (b.Name() == "delete" || b.Name() == "clear") && ssautil.IsMap(instr.Common().Args[0].Type()) {
			return instr.Common().Args[0]
		}
	}
	return nil
}

// changed notes a change of a board.
func (p *Package) changed(b *board, by ssa.Instruction) {
	switch by := by.(type) {
	case *ssa.MapUpdate:
		if k, ok := by.Value.(*ssa.Const); ok && k.Value != nil && ssautil.IsZeroConst(k) {
			b.offs = append(b.offs, by)
			return
		}
		b.inserted(p.claim(by))
	case ssa.CallInstruction:
		if by.Common().Value.Name() == "delete" {
			b.ends = append(b.ends, by)
			return
		}
		b.broken = true
	default:
		b.broken = true
	}
}

func (b *board) inserted(c claim, ok bool) {
	b.broken = b.broken || !ok || c.released
	b.claims = append(b.claims, c)
}

// madeEmpty reports whether a map is new, or nil.
func madeEmpty(v ssa.Value) bool {
	_, made := v.(*ssa.MakeMap)
	return made || ssautil.IsNil(v)
}

// claim finds the look on which an insertion depends; false if there is none.
func (p *Package) claim(at *ssa.MapUpdate) (claim, bool) {
	c := claim{at: at, m: p.Paths.Of(at.Map), key: p.Paths.Key(at.Key)}
	c.asked, c.passage = p.lookBefore(at, func(cond ssa.Value) (ssa.Instruction, int) {
		if looks, by, side := p.absent(cond); len(looks) > 0 && !slices.ContainsFunc(looks, c.elsewhere(p)) {
			c.look = looks[0]
			return by, side
		}
		return nil, 0
	})
	return c, c.asked != nil
}

// elsewhere tells of a look whether it is at another entry than that of the claim.
func (c *claim) elsewhere(p *Package) func(*ssa.Lookup) bool {
	return func(look *ssa.Lookup) bool { return p.Paths.Of(look.X) != c.m || p.Paths.Key(look.Index) != c.key }
}

// absent returns the look that a condition asks for presence, and the side of the branch on which it has found nothing. A loop
// that looks again each time it has waited has a look on each way to the condition, behind which nothing is called on that way, which
// might let a lock go; the second result then chooses between them.
func (p *Package) absent(cond ssa.Value) (looks []*ssa.Lookup, by ssa.Instruction, side int) {
	if look, side := ssautil.Absence(cond); look != nil {
		return []*ssa.Lookup{look}, look, side
	}
	v, not := ssautil.Unnegated(cond)
	phi, ok := v.(*ssa.Phi)
	if !ok {
		return nil, nil, 0
	}
	for i, way := range phi.Edges {
		look, found := ssautil.Absence(way)
		if look == nil || look.Block() != phi.Block().Preds[i] || i > 0 && found != side {
			return nil, nil, 0
		}
		later := look.Block().Instrs[slices.Index(look.Block().Instrs, ssa.Instruction(look)):]
		if slices.ContainsFunc(later, calls) {
			return nil, nil, 0
		}
		looks, side = append(looks, look), found
	}
	if not {
		side = 1 - side
	}
	return looks, phi, side
}

// calls reports whether an instruction calls a function that is not built in.
func calls(instr ssa.Instruction) bool {
	call, ok := instr.(*ssa.Call)
	if !ok {
		return false
	}
	_, builtin := call.Call.Value.(*ssa.Builtin)
	return !builtin
}

// lookBefore finds the look on which an act depends: asks tells of a condition which look it asks for absence, and the
// side of the branch on which that has found nothing. It returns nil if there is none.
func (p *Package) lookBefore(at ssa.Instruction, asks func(cond ssa.Value) (look ssa.Instruction, side int)) (ssa.Instruction, passage) {
	for b := at.Block().Idom(); b != nil; b = b.Idom() {
		br, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		look, side := asks(br.Cond)
		if look != nil && ssautil.DominatesEdge(b, side, at.Block()) && look.Block() == b {
			return look, passage{b, side, p.env.Releases(look, b.Succs[side], at)}
		}
	}
	return nil, passage{}
}

// settleFlights finds out which functions with claims are flights. An entry may go only
// where one of them, or what it calls, takes its own out.
func (p *Package) settleFlights(b *board, uses map[*ssa.Function][]ssa.Instruction) []*transfer.Flight {
	flights := make([]*transfer.Flight, len(b.claims))
	for _, d := range b.ends {
		holder, known := callback.Outermost(d.Parent()), false
		for i := range b.claims {
			c := &b.claims[i]
			if !p.ends(d, c) {
				continue
			}
			known = true
			if flights[i] == nil {
				flights[i] = &transfer.Flight{Param: soleFunction(c.at.Parent()), Lock: p.Paths.Elem(c.m, c.key)}
			}
			if p.awaits(d, c) {
				continue
			}
			at := soleFunction(holder)
			if at < 0 || !deferredIn(d) && !runsBefore(holder.Params[at], d) {
				return nil
			}
			flights[i].Holders = append(flights[i].Holders, p.Paths.ParamOf(accesspath.FuncKey(holder), at))
		}
		if !known && !(isExported(holder) && len(uses[holder]) == 0) {
			return nil
		}
	}
	return flights
}

// runs reports whether a function with a claim does nothing with the one function
// that it gets before it has made the claim.
func (c *claim) runs() bool {
	fn := c.at.Parent()
	param := soleFunction(fn)
	named := c.key.Root().Kind == accesspath.Param && c.m.Root().Kind != accesspath.Value
	return param >= 0 && named && c.precedes(fn.Params[param])
}

// ends reports whether a deletion takes out the entry of a claim: in its function, or
// in one that gets the key from it.
func (p *Package) ends(d ssa.CallInstruction, c *claim) bool {
	fn, holder := c.at.Parent(), callback.Outermost(d.Parent())
	if holder != fn {
		return p.passesKey(fn, holder, d, c.key)
	}
	args := d.Common().Args
	return p.Paths.Of(args[0]) == c.m && p.Paths.Key(args[1]) == c.key
}

func isExported(fn *ssa.Function) bool { return fn.Object() != nil && fn.Object().Exported() }

// soleFunction returns the position of the only parameter that is a function, -1
// if there is none or another one.
func soleFunction(fn *ssa.Function) int {
	only := -1
	for i, p := range fn.Params {
		if _, ok := p.Type().Underlying().(*types.Signature); ok {
			if only >= 0 {
				return -1
			}
			only = i
		}
	}
	return only
}

// precedes reports whether everything that is done with a parameter comes after
// the look has found no entry.
func (c *claim) precedes(param *ssa.Parameter) bool {
	for _, r := range givenUses(param) {
		if !ssautil.DominatesEdge(c.from, c.side, r.Block()) {
			return false
		}
	}
	return true
}

// passesKey reports whether fn calls holder, in which an entry is deleted, with the
// key of a claim.
func (p *Package) passesKey(fn, holder *ssa.Function, d ssa.CallInstruction, key accesspath.Path) bool {
	k := p.Paths.Key(d.Common().Args[1])
	if r := k.Root(); r.Kind != accesspath.Param || r.Fn != accesspath.FuncKey(holder) || k.Depth() > 0 {
		return false
	}
	i := k.Root().Index
	for _, f := range p.Funcs {
		if callback.Outermost(f.SSA) != fn {
			continue
		}
		for _, b := range f.SSA.Blocks {
			for _, instr := range b.Instrs {
				c, ok := instr.(ssa.CallInstruction)
				if !ok || c.Common().StaticCallee() == nil || accesspath.FuncKey(c.Common().StaticCallee()) != accesspath.FuncKey(holder) {
					continue
				}
				if args := c.Common().Args; i < len(args) && p.Paths.Key(args[i]) == key {
					return true
				}
			}
		}
	}
	return false
}

// awaits reports whether a deletion comes only after a wait for what is in the
// entry: a channel of it, or a group.
func (p *Package) awaits(d ssa.CallInstruction, c *claim) bool {
	entry, own := p.Paths.Elem(c.m, c.key), p.Paths.Of(c.at.Value)
	for _, b := range d.Parent().Blocks {
		for _, instr := range b.Instrs {
			var on ssa.Value
			switch instr := instr.(type) {
			case *ssa.UnOp:
				if instr.Op == token.ARROW {
					on = instr.X
				}
			case *ssa.Call:
				if fn, args := ssautil.Callee(&instr.Call); len(args) > 0 && p.Does(fn).Kind == model.Join {
					on = args[0]
				}
			}
			if on == nil || !ssautil.Dominates(instr, d) {
				continue
			}
			if path := p.Paths.Of(on); path.HasPrefix(entry) || path.HasPrefix(own) {
				return true
			}
		}
	}
	return false
}
