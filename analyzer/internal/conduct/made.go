package conduct

import (
	"go/token"
	"go/types"
	"maps"
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
)

// A Section is a stretch of a function's source over which a fix holds a lock that is not held there today.
type Section struct {
	In       *infer.Func
	Lock     *types.Var
	From, To token.Pos
	// Skip, which may be nil, accepts places in the stretch at which the fix makes something else of what stands there.
	Skip func(token.Pos) bool
}

func (s *Section) has(at token.Pos) bool {
	return s.From <= at && at < s.To && (s.Skip == nil || !s.Skip(at))
}

func (s *Section) is(o *Section) bool {
	return s.In == o.In && s.Lock == o.Lock && s.From == o.From && s.To == o.To
}

// Make adds the sections of a fix: all that is asked later is answered as if they were there. Several fixes are applied at
// once, so what is right for one of them must be right beside the others. Complexity: what was answered before is
// worked out anew.
func (t *Theory) Make(sections []Section) {
	changed := false
	for i := range sections {
		s := sections[i]
		if t.madeAlready(&s) {
			continue
		}
		changed = true
		t.made[s.In] = append(t.made[s.In], s)
		delete(t.steps, s.In)
	}
	if changed {
		t.starts, t.locks = nil, nil
		clear(t.under)
		clear(t.leads)
		clear(t.calm)
		clear(t.awaited)
	}
}

func (t *Theory) madeAlready(s *Section) bool {
	return slices.ContainsFunc(t.made[s.In], func(m Section) bool { return m.is(s) })
}

// Meets returns a section that was made in the same function, beside which one of some sections would be wrong: it has the
// same lock, or a lock that would then be taken under the other one and before it. nil if there is none. The same section
// once more is the same edit.
func (t *Theory) Meets(sections []Section) *Section {
	for i := range sections {
		s := &sections[i]
		if t.madeAlready(s) {
			continue
		}
		made := t.made[s.In]
		for j := range made {
			m := &made[j]
			if s.To <= m.From || m.To <= s.From {
				continue
			}
			around := m.has(s.From) && t.Leads(s.Lock, m.Lock)
			within := s.has(m.From) && t.Leads(m.Lock, s.Lock)
			if m.Lock == s.Lock || around || within {
				return m
			}
		}
	}
	return nil
}

// Makes reports whether a fix takes a lock.
func (t *Theory) Makes(lock *types.Var) bool {
	for sections := range maps.Values(t.made) {
		if slices.ContainsFunc(sections, func(s Section) bool { return s.Lock == lock }) {
			return true
		}
	}
	return false
}

// Takes returns the locks that a function takes itself, today or by a fix.
func (t *Theory) Takes(f *infer.Func) (out []*types.Var) {
	for i := range f.Locking {
		if v := f.Locking[i].Lock.Location().Var; f.Locking[i].Acquire && v != nil {
			out = append(out, v)
		}
	}
	for i := range t.made[f] {
		out = append(out, t.made[f][i].Lock)
	}
	return out
}

// withMade adds to the steps of a function what its made sections do: each takes its lock, and holds it at what stands in it.
func (t *Theory) withMade(f *infer.Func, steps []step) []step {
	made := t.made[f]
	for i := range made {
		steps = append(steps, step{pos: made[i].From, held: heldIn(f, &made[i]), takes: made[i].Lock})
	}
	for i := range steps {
		for j := range made {
			m := &made[j]
			if steps[i].takes != m.Lock && m.has(steps[i].pos) && !slices.Contains(steps[i].held, m.Lock) {
				steps[i].held = append(slices.Clone(steps[i].held), m.Lock)
			}
		}
	}
	return steps
}

// heldIn returns the locks that a function may hold today at what a made section covers.
func heldIn(f *infer.Func, m *Section) (out []*types.Var) {
	add := func(at token.Pos, state locks.State) {
		for _, v := range taken(state) {
			if m.has(at) && v != m.Lock && !slices.Contains(out, v) {
				out = append(out, v)
			}
		}
	}
	for i := range f.Accesses {
		add(f.Accesses[i].Pos, f.Accesses[i].Held)
	}
	for i := range f.Calls {
		add(f.Calls[i].Pos, f.Calls[i].Held)
	}
	return out
}
