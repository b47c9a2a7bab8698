package depend

import (
	"go/token"
	"maps"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// A Polarity is what the look found on the path on which the act runs. It says
// which step of another goroutine makes the look out of date.
type Polarity uint8

const (
	// Any: nothing is known; any change counts.
	Any Polarity = iota
	// Absent: there was no entry. An insertion makes it out of date.
	Absent
	// Present: there was an entry. Its removal or replacement does.
	Present
	// Count: the length decides. What changes the length does.
	Count
	// Room: the length was found to be below a bound. What adds to the map makes it
	// out of date.
	Room
	// Value: the content decides, or is computed with. Any change of the
	// entry does.
	Value
)

func (p Polarity) String() string {
	return [...]string{"any", "absent", "present", "count", "room", "value"}[p]
}

// Join returns what is known when either holds: p and q are ordered below
// [Any], the top, and are else unrelated.
func (p Polarity) Join(q Polarity) Polarity {
	if p == q {
		return p
	}
	return Any
}

// A Sense says how a value tells presence.
type Sense uint8

const (
	// NoSense: it tells no presence.
	NoSense Sense = iota
	// TrueIfPresent: a truth value that is true when the entry is there, or a
	// reference that is then not nil.
	TrueIfPresent
	// TrueIfAbsent is the opposite: an error that says "not found".
	TrueIfAbsent
	// TrueIfFound is a comparison in a walk over the map: true says that the
	// entry is there; false says nothing before the walk has ended.
	TrueIfFound
	// FalseIfFound is the opposite.
	FalseIfFound
)

// Not returns the opposite sense.
func (s Sense) Not() Sense {
	switch s {
	case TrueIfPresent:
		return TrueIfAbsent
	case TrueIfAbsent:
		return TrueIfPresent
	case TrueIfFound:
		return FalseIfFound
	case FalseIfFound:
		return TrueIfFound
	}
	return NoSense
}

// If returns s where cond holds, else the opposite.
func (s Sense) If(cond bool) Sense {
	if cond {
		return s
	}
	return s.Not()
}

// Tell gives the senses of what a look-up finds: it is the zero value when the
// entry is absent.
func Tell(outcomes []ssa.Value) map[ssa.Value]Sense {
	senses := make(map[ssa.Value]Sense, len(outcomes))
	for _, v := range outcomes {
		senses[v] = TrueIfPresent
	}
	return senses
}

// SenseOfResult says how result i of a function tells presence: by its value at
// the returns, or by the value itself.
func (f *Func) SenseOfResult(senses map[ssa.Value]Sense, rets []*ssa.Return, i int) Sense {
	common := NoSense
	for _, r := range rets {
		v := ssautil.ResultAt(r, i)
		s := senses[r.Results[i]] // the variable in which literals leave it
		if s == NoSense {
			s = f.senseOf(senses, ssautil.Unwrap(v), 0)
		}
		if s == NoSense {
			s = f.senseWhere(senses, v, r)
		}
		if s == NoSense || common != NoSense && s != common {
			return NoSense
		}
		common = s
	}
	return common
}

// senseWhere says how a value that is plainly zero, or plainly not, tells what the
// branches to the return that gives it, or to the store that keeps it, know.
func (f *Func) senseWhere(senses map[ssa.Value]Sense, v ssa.Value, r ssa.Instruction) Sense {
	return senseIn(f.polarityAt(senses, r), v)
}

// senseIn says how a value that is plainly zero, or plainly not, tells presence where the look is known to have found an
// entry, or none.
func senseIn(p Polarity, v ssa.Value) Sense {
	set := NonNil(v)
	if c, ok := v.(*ssa.Const); ok {
		set = !ssautil.IsZeroConst(c)
	} else if !set {
		return NoSense
	}
	switch p {
	case Present:
		return TrueIfPresent.If(set)
	case Absent:
		return TrueIfAbsent.If(set)
	}
	return NoSense
}

// SenseOfMiss says how result i of a function would tell presence by its value where the look is known to have found
// nothing; whether it is the same elsewhere is left open.
func (f *Func) SenseOfMiss(senses map[ssa.Value]Sense, rets []*ssa.Return, i int) Sense {
	common := NoSense
	for _, r := range rets {
		if f.polarityAt(senses, r) != Absent {
			continue
		}
		s := senseIn(Absent, ssautil.ResultAt(r, i))
		if s == NoSense || common != NoSense && s != common {
			return NoSense
		}
		common = s
	}
	return common
}

// polarityAt returns what the branches on the way to instr say of the look
// whose outcomes have the given senses.
func (f *Func) polarityAt(senses map[ssa.Value]Sense, instr ssa.Instruction) Polarity {
	return f.polarityIn(senses, instr.Block())
}

func (f *Func) polarityIn(senses map[ssa.Value]Sense, at *ssa.BasicBlock) Polarity {
	for b := at.Idom(); b != nil; b = b.Idom() {
		br := f.branch(b.Index)
		if br == nil || b.Succs[0] == b.Succs[1] {
			continue
		}
		onTrue, onFalse := ssautil.DominatesEdge(b, 0, at), ssautil.DominatesEdge(b, 1, at)
		if onTrue == onFalse {
			continue
		}
		if p := found(f.senseOf(senses, br.Cond, 0), onTrue); p != Any {
			return p
		}
	}
	if f.walkedIn(senses, at) {
		return Absent
	}
	return Any
}

// polarityFrom returns what the branches between a look and instr say of it: on ways
// that do not come by the look, the two have nothing to do with each other.
func (f *Func) polarityFrom(l *Look, instr ssa.Instruction) Polarity {
	p := f.polarityAt(l.Senses, instr)
	switch {
	case p != Any || f.Reach == nil:
	case !f.passes(l, instr.Block(), Absent):
		return Absent
	case !f.passes(l, instr.Block(), Present):
		return Present
	}
	return p
}

// passes reports whether control can go from a look to a block without an answer to
// the look, given by a branch, on the way.
func (f *Func) passes(l *Look, to *ssa.BasicBlock, answer Polarity) bool {
	from := l.Instr.Block()
	if from == to {
		return true
	}
	var start []*ssa.BasicBlock
	for i, next := range from.Succs {
		if f.says(l, from, i) != answer {
			start = append(start, next)
		}
	}
	return f.comesTo(l, start, to, answer)
}

// regardless reports whether what the look decides leaves the way to an instruction open
// where it has found nothing: a branch that tells so leads there, and none says the opposite then. A callee's
// result may tell so by what it is then, although it is the same for some of the entries.
func (f *Func) regardless(l *Look, instr ssa.Instruction) bool {
	if l.Op != access.Lookup && l.Op != access.Load {
		return false
	}
	l = l.missed()
	var start []*ssa.BasicBlock
	for _, b := range f.Fn.Blocks {
		for i, next := range b.Succs {
			if f.says(l, b, i) == Absent && f.leads(l.Instr.Block(), b) {
				start = append(start, next)
			}
		}
	}
	return f.comesTo(l, start, instr.Block(), Present)
}

// missed is the look as its outcomes are where it has found nothing.
func (l *Look) missed() *Look {
	senses := maps.Clone(l.Senses)
	for v, s := range l.Misses {
		if senses[v] == NoSense {
			senses[v] = s
		}
	}
	return &Look{Instr: l.Instr, Op: l.Op, Senses: senses}
}

// says is what a side of the branch that ends a block says of the look.
func (f *Func) says(l *Look, b *ssa.BasicBlock, side int) Polarity {
	br := f.branch(b.Index)
	if br == nil || b.Succs[0] == b.Succs[1] {
		return Any
	}
	return found(f.senseOf(l.Senses, br.Cond, 0), side == 0)
}

// comesTo reports whether control can go on from some blocks to another one without an answer to
// the look, and without looking once more.
func (f *Func) comesTo(l *Look, work []*ssa.BasicBlock, to *ssa.BasicBlock, answer Polarity) bool {
	seen := make([]bool, len(f.Fn.Blocks))
	seen[l.Instr.Block().Index] = true
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b.Index] {
			continue
		}
		if b == to {
			return true
		}
		seen[b.Index] = true
		for i, next := range b.Succs {
			if f.says(l, b, i) != answer {
				work = append(work, next)
			}
		}
	}
	return false
}

// found is what the side of a branch that is taken where its condition is true,
// or where it is not, says of the look.
func found(s Sense, onTrue bool) Polarity {
	if !onTrue {
		s = s.Not()
	}
	switch s {
	case TrueIfPresent, TrueIfFound:
		return Present
	case TrueIfAbsent:
		return Absent
	}
	return Any
}

// walkedIn reports whether a block is reached only when a walk over the map has
// ended and its comparison has found nothing.
func (f *Func) walkedIn(senses map[ssa.Value]Sense, at *ssa.BasicBlock) bool {
	for v, s := range senses {
		if s != TrueIfFound && s != FalseIfFound {
			continue
		}
		for _, r := range *v.Referrers() {
			br, ok := r.(*ssa.If)
			if !ok || f.Reach == nil || f.leads(at, br.Block()) {
				continue
			}
			hit, miss := br.Block().Succs[0], br.Block().Succs[1]
			if s == FalseIfFound {
				hit, miss = miss, hit
			}
			if f.leads(miss, at) && !f.leads(hit, at) {
				return true
			}
		}
	}
	return false
}

// BehindNil reports whether a store to a field or variable runs only where that
// was found to be nil.
func (f *Func) BehindNil(st *ssa.Store) bool {
	senses := make(map[ssa.Value]Sense)
	at := f.Paths.Of(st.Addr)
	for _, b := range f.Fn.Blocks {
		for _, instr := range b.Instrs {
			if ld, ok := instr.(*ssa.UnOp); ok && ld.Op == token.MUL && f.Paths.Of(ld.X) == at {
				senses[ld] = TrueIfPresent
			}
		}
	}
	return f.polarityAt(senses, st) == Absent
}
