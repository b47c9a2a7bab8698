package fix

import (
	"fmt"

	"github.com/mapguard/mapguard/analyzer/internal/check"
	"github.com/mapguard/mapguard/analyzer/internal/witness"
)

// advice says in one line what to do by hand, and why there is no fix.
func (m *Maker) advice(f check.Finding, why refusal) string {
	return "no fix, since " + string(why) + "; by hand: " + m.byHand(f)
}

// byHand says what would remove a finding.
func (m *Maker) byHand(f check.Finding) string {
	lock := m.lockOf(f)
	if v, ok := f.Of.(*witness.Verdict); ok && lock == nil {
		lock = m.lockOfPair(f, v)
	}
	name := "one lock"
	if lock != nil {
		name = lock.Name()
	}
	switch v := f.Of.(type) {
	case *witness.Verdict:
		look, act := m.in.Line(m.in.Named(v.Check)), m.in.Line(m.in.Named(v.Act))
		switch {
		case v.Concurrent() && v.NoMethod() && look == act:
			return fmt.Sprintf("hold a mutex over look and act (line %d), and for each other change that the look asks for", act)
		case v.Concurrent() && v.NoMethod():
			return fmt.Sprintf("hold a mutex from line %d to line %d, and for each other change that the look asks for", look, act)
		case v.Concurrent():
			return fmt.Sprintf("use one atomic method in place of those at lines %d and %d", look, act)
		case look == act:
			return fmt.Sprintf("hold %s over look and act (line %d)", name, act)
		case v.Act.Op.Deletes():
			return fmt.Sprintf("hold %s from line %d to line %d, or delete only what was found", name, look, act)
		case witness.KeepsOwn(v):
			return fmt.Sprintf("hold %s from line %d to line %d, or return what the second look finds", name, look, act)
		}
		return fmt.Sprintf("hold %s from line %d to line %d, or look again before line %d", name, look, act, act)
	case *witness.EntryVerdict:
		return fmt.Sprintf("hold %s from line %d to line %d, or look again whether the map still has the object", name, m.in.Line(m.in.Named(v.Look)), m.in.Line(m.in.Named(v.Act)))
	case *witness.FreedVerdict:
		return fmt.Sprintf("delete the entry before line %d, or only if the map still has the object under the key", m.in.Line(v.Mark.Pos))
	case *witness.CallVerdict:
		if v.Blame.Read {
			return fmt.Sprintf("hold %s for writing at this call", name)
		}
		return fmt.Sprintf("hold %s at this call, or take it in %s", name, v.Blame.Callee.Name)
	case *witness.AccessVerdict:
		switch {
		case v.Kind == witness.Leaves:
			return "pass on a copy"
		case v.Kind == witness.ReadLocked:
			if check.OneHold(v.Locks) {
				return "hold another lock in the goroutines"
			}
			return "take the write lock"
		case lock == nil:
			return "give the map a lock, and hold it at each access"
		}
		return fmt.Sprintf("hold %s here", name)
	}
	if lock == nil {
		return "hold one mutex at each access"
	}
	return fmt.Sprintf("hold %s at each access", name)
}
