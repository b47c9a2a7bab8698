package rewrite

import (
	"math/rand/v2"
	"slices"
	"strings"
)

// An option is one rewrite. It changes a plan, and reports whether it fits.
type option struct {
	name  string
	apply func(*plan) bool
}

// axes are the independent ways to rewrite a program, in the order in which
// they apply. Of one axis a program takes one option at most.
func axes() [][]option {
	return [][]option{
		places(), locals(), holds(), reaches(), looks(), puts(), answers(), compositions(), decisions(), exits(), spawns(), layouts(),
	}
}

// A Form is a base with rewrites; it has a wrong and a right program.
type Form struct {
	base     *base
	rewrites []option
}

// String names the form: the base and its rewrites.
func (f Form) String() string {
	parts := []string{f.base.name}
	for _, o := range f.rewrites {
		parts = append(parts, o.name)
	}
	return strings.Join(parts, "+")
}

// plan returns the form's wrong or right plan, or nil if its rewrites do not
// fit together.
func (f Form) plan(wrong bool) *plan {
	p := newPlan(f.base, wrong)
	for _, o := range f.rewrites {
		if !o.apply(p) {
			return nil
		}
	}
	if !p.fits() {
		return nil
	}
	return p
}

// fits reports whether rewrites of different axes go together.
func (p *plan) fits() bool {
	rlockWrite := p.base.shape == onlyAct && p.base.act == read
	switch {
	case rlockWrite && !p.rw:
		return false // there is no read lock
	case p.place.plain && p.rw:
		return false
	case p.base.name == "sync-take" && p.parts.act && !p.parts.look:
		return false // the right twin has no use for what it has seen
	}
	return true
}

// Programs returns the programs of all forms with up to two rewrites, and some
// with three, each text once. Of the pairs of rewrites it takes every stride-th.
func Programs(stride int) []*Program {
	g := &generator{stride: stride, seen: make(map[string]bool)}
	all := axes()
	for i, b := range bases() {
		g.triples(b, rand.New(rand.NewPCG(uint64(i), triples)), all)
		g.add(Form{b, nil})
		for i, axis := range all {
			for _, o := range axis {
				g.add(Form{b, []option{o}})
				g.pairs(b, o, all[i+1:])
			}
		}
	}
	return g.programs
}

// A generator gathers programs.
type generator struct {
	stride, count int
	seen          map[string]bool // the texts so far
	programs      []*Program
}

// pairs adds the forms of a rewrite and another one of the other axes.
func (g *generator) pairs(b *base, o option, others [][]option) {
	for _, axis := range others {
		for _, second := range axis {
			f := Form{b, []option{o, second}}
			if f.plan(true) == nil {
				continue
			}
			if g.count++; g.count%g.stride == 0 {
				g.add(f)
			}
		}
	}
}

// triples is how many forms with three rewrites a base has.
const triples = 12

// triples adds forms of three rewrites at once, each of another axis. The choice is
// random, and always the same. A base that few rewrites go with has fewer.
func (g *generator) triples(b *base, r *rand.Rand, all [][]option) {
	for found, tries := 0, 0; found < triples && tries < 100*triples; tries++ {
		f := Form{base: b}
		chosen := r.Perm(len(all))[:3]
		slices.Sort(chosen)
		for _, axis := range chosen {
			f.rewrites = append(f.rewrites, all[axis][r.IntN(len(all[axis]))])
		}
		if f.plan(true) != nil {
			g.add(f)
			found++
		}
	}
}

// add adds a form's wrong and right programs, unless another form has them.
func (g *generator) add(f Form) {
	for _, wrong := range []bool{true, false} {
		p := f.plan(wrong)
		if p == nil {
			return
		}
		prog := p.program(f.String())
		if key := prog.text(); !g.seen[key] {
			g.seen[key] = true
			g.programs = append(g.programs, prog)
		}
	}
}
