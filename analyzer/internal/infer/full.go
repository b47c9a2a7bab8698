package infer

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// A limit is what the size of a map is compared with: a number, or the value of a field beside the map, or of a variable of the
// package, that never changes; and what is added to it.
type limit struct {
	field *types.Var // nil if it is a number
	n     int
}

// within reports whether a size that is below l is below m, too.
func (l limit) within(m limit) bool { return l.field == m.field && l.n <= m.n }

// A measured is what a branch tells of the size of a map.
type measured struct {
	of   ssa.Value // the map
	read ssa.Instruction
	// least and below are the limits that the size has reached, or is below, on each side; nil where it tells none.
	least, below [2]*limit
}

// fullSeals returns what seals a map by its size, as a flag does that is set when the size comes to a limit: each change
// has found it below that in the same section of a lock, so that none follows once it is there when the lock is free. The variable
// keeps its map, since a look at the size of another one tells nothing. The answer is kept for each place.
func (p *Package) fullSeals(loc accesspath.Location) []*seal {
	return p.sealsBy(&p.fulls, loc, p.addFull)
}

// addFull adds the limit below which a branch may have found a map's size, with each of some locks.
func (p *Package) addFull(out []*seal, b *ssa.BasicBlock, loc accesspath.Location, held []locks.Held) []*seal {
	m := p.measures(b)
	if m == nil || p.Paths.Of(m.of).Location() != loc {
		return out
	}
	for _, full := range m.below {
		for _, h := range held {
			lock := h.Lock.Location().Var
			same := func(s *seal) bool { return *s.full == *full && s.lock == lock }
			if full == nil || lock == nil || slices.ContainsFunc(out, same) {
				continue
			}
			s := p.newSeal(loc.Var, "", lock)
			s.full, s.plain = full, true
			out = append(out, s)
		}
	}
	return out
}

// measures returns what the branch at the end of a block tells of the size of a map; nil if it tells nothing.
func (p *Package) measures(b *ssa.BasicBlock) *measured {
	br, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok {
		return nil
	}
	cond, not := ssautil.Unnegated(br.Cond)
	cmp, ok := cond.(*ssa.BinOp)
	if !ok {
		return nil
	}
	size, with, op := cmp.X, cmp.Y, cmp.Op
	if _, ok := ssautil.LenOf(size); !ok {
		size, with, op = with, size, mirrored[op]
	}
	of, ok := ssautil.LenOf(size)
	if !ok {
		return nil
	}
	object, owned := ownerOf(p.Paths.Of(of))
	l, ok := p.limitOf(with, object)
	if !owned || !ok {
		return nil
	}
	out := &measured{of: of, read: size.(*ssa.Call)}
	out.compare(op, l)
	if not {
		slices.Reverse(out.least[:])
		slices.Reverse(out.below[:])
	}
	return out
}

// mirrored are the comparisons with their sides exchanged.
var mirrored = map[token.Token]token.Token{
	token.LSS: token.GTR, token.LEQ: token.GEQ, token.GTR: token.LSS, token.GEQ: token.LEQ,
	token.EQL: token.EQL, token.NEQ: token.NEQ,
}

// compare notes what a comparison of the size with a limit tells on each side.
func (m *measured) compare(op token.Token, l limit) {
	over := limit{l.field, l.n + 1}
	switch op {
	case token.GEQ:
		m.least[0], m.below[1] = &l, &l
	case token.LSS:
		m.least[1], m.below[0] = &l, &l
	case token.GTR:
		m.least[0], m.below[1] = &over, &over
	case token.LEQ:
		m.least[1], m.below[0] = &over, &over
	case token.EQL, token.NEQ:
		same := 0
		if op == token.NEQ {
			same = 1
		}
		m.least[same], m.below[same] = &l, &over
		if l == (limit{}) {
			m.least[1-same] = &over
		}
	}
}

// limitOf returns the limit that a value is, for a map of an object: a field must be the object's own, and keep the value that it
// has when others come to know the object, as a variable keeps its first one.
func (p *Package) limitOf(v ssa.Value, object accesspath.Path) (limit, bool) {
	if n, ok := ssautil.IntOf(v); ok {
		return limit{n: n}, true
	}
	ld, ok := v.(*ssa.UnOp)
	if !ok || ld.Op != token.MUL {
		return limit{}, false
	}
	field := flagVar(ld.X)
	if field == nil || field.Exported() {
		return limit{}, false
	}
	of, ok := ownerOf(p.Paths.Of(ld.X))
	changes := func(c change) bool { return !p.inTheMaking(c) && !setAtInit(c.at) }
	return limit{field: field}, ok && (of == object || !of.Known()) && !slices.ContainsFunc(p.changes()[field], changes)
}

// filled returns what one side of the branch at the end of a block says of the size of an object's map: that it has come to the
// seal's limit, or is below it; and what reads it.
func (s *seal) filled(b *ssa.BasicBlock, side int, object accesspath.Path) (read ssa.Instruction, set, ok bool) {
	m := s.p.measures(b)
	if m == nil {
		return nil, false, false
	}
	at := s.p.Paths.Of(m.of)
	of, known := ownerOf(at)
	if !known || of != object || at.Location().Var != s.flag {
		return nil, false, false
	}
	if least := m.least[side]; least != nil && s.full.within(*least) {
		return m.read, true, true
	}
	below := m.below[side]
	return m.read, false, below != nil && below.within(*s.full)
}
