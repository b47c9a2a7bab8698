package fix

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/check"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/witness"
)

// advice says in one line what to do by hand, and why there is no fix.
func (m *Maker) advice(f check.Finding, why refusal) string {
	return "no fix, since " + string(why) + "; by hand: " + m.byHand(f)
}

// byHand says what would remove a finding. It is right as it stands: a lock is to be taken, or held for longer, only where the
// questions that a fix asks are answered; where one is not, the advice says what has to be seen to, or what has to stay
// outside of the section.
func (m *Maker) byHand(f check.Finding) string {
	lock := m.lockOf(f)
	if v, ok := f.Of.(*witness.Verdict); ok && lock == nil {
		lock = m.lockOfPair(f, v)
	}
	if v, ok := f.Of.(*witness.CallVerdict); ok && lock == nil {
		lock = v.Lock
	}
	if lock != nil && !m.seen(lock) {
		return m.offeredByHand(f, lock)
	}
	switch v := f.Of.(type) {
	case *witness.Verdict:
		switch {
		case v.Concurrent():
			return m.oneStepByHand(f, v)
		case lock == nil:
			return m.pairWithoutLock(f, v)
		}
		return m.pairByHand(f, v, lock)
	case *witness.EntryVerdict:
		return m.entryByHand(f, v, lock)
	case *witness.FreedVerdict:
		return fmt.Sprintf("delete the entry before line %d, or only if the map still has the object under the key", m.in.Line(v.Mark.Pos))
	case *witness.CallVerdict:
		return m.callByHand(f, v, lock)
	case *witness.AccessVerdict:
		return m.accessByHand(f, v, lock)
	}
	if lock == nil {
		return "hold one mutex at each access"
	}
	h := m.hand(f.Func, m.scene(f.Func, lock), nil, []token.Pos{f.Pos}, nil)
	return h.but.say("hold " + lock.Name() + " at each access that lacks it")
}

// pairByHand says how a look and an act become one step under a lock: by one section over both, if all that runs in between can run
// under the lock; else by a second look in the section of the act, which needs no lock that is not held there today.
func (m *Maker) pairByHand(f check.Finding, v *witness.Verdict, lock *types.Var) string {
	look, act, name := m.in.Line(m.in.Named(v.Check)), m.in.Line(m.in.Named(v.Act)), lock.Name()
	lookHeld, actHeld := under(v.CheckLocks, lock), under(v.ActLocks, lock)
	var bare []token.Pos
	if !lookHeld {
		bare = append(bare, v.Check.Pos)
	}
	if !actHeld {
		bare = append(bare, v.Act.Pos)
	}
	s := m.scene(f.Func, lock)
	if s != nil {
		s.vars, s.across = []*types.Var{f.Loc.Var}, f.Guard != nil && f.Guard.Across
	}
	h := m.hand(f.Func, s, stepsOf(v), bare, ownSections(f.Func, lock, v))
	over := fmt.Sprintf("hold %s from line %d to line %d", name, look, act)
	if look == act {
		over = fmt.Sprintf("hold %s over look and act (line %d)", name, act)
	}
	if !actHeld {
		if h.out == "" {
			return h.but.say(over)
		}
		return h.but.say(fmt.Sprintf("look again and change in one section of %s, %s", name, h.without(v.Act)), "look again and change in one section of "+name)
	}
	again := secondLook(v)
	there := fmt.Sprintf("in the section of line %d", act)
	if v.Act.Lifted && len(v.Act.Held.Held()) > 0 {
		there = "in the section of " + v.Act.InnerFunc
	}
	switch {
	case h.out == "" && h.but == (proviso{}) && look == act:
		return check.Fit(over)
	case h.out == "" && h.but == (proviso{}):
		return check.Fit(over+", or "+again+" "+there, over+", or "+again)
	case lookHeld:
		return check.Fit(again + " " + there)
	case h.but.instead != "":
		return check.Fit(again+" "+there+"; "+h.but.instead, again+" "+there)
	}
	return h.but.say(fmt.Sprintf("%s %s, and hold %s at line %d, too", again, there, name, look), again+" "+there)
}

// stepsOf returns where the two steps of a pair stand.
func stepsOf(v *witness.Verdict) []token.Pos { return []token.Pos{v.Check.Pos, v.Act.Pos} }

// secondLook says what a second look is to do.
func secondLook(v *witness.Verdict) string {
	switch {
	case v.Act.Op.Deletes():
		return "delete only what is found once more"
	case witness.KeepsOwn(v):
		return "return what a second look finds"
	}
	return "look again"
}

// under reports whether a lock is among those held.
func under(held []locks.Held, lock *types.Var) bool {
	return slices.ContainsFunc(held, func(h locks.Held) bool { return h.Lock.Location().Var == lock })
}

// ownSections accepts the places where a function takes or releases the lock of the object that a pair is about.
func ownSections(f *infer.Func, lock *types.Var, v *witness.Verdict) func(token.Pos) bool {
	held := slices.Concat(v.CheckLocks, v.ActLocks)
	var own []token.Pos
	for i := range f.Locking {
		l := &f.Locking[i]
		same := func(h locks.Held) bool { return h.Lock == l.Lock }
		if l.Lock.Location().Var == lock && slices.ContainsFunc(held, same) {
			own = append(own, l.Pos)
		}
	}
	return func(pos token.Pos) bool { return slices.Contains(own, pos) }
}

// entryByHand says how a change of an object that a map holds becomes one step with its look-up.
func (m *Maker) entryByHand(f check.Finding, v *witness.EntryVerdict, lock *types.Var) string {
	const again = "look again, in one section with the change, whether the map still has the object"
	if lock == nil {
		return again
	}
	h := m.hand(f.Func, m.scene(f.Func, lock), []token.Pos{v.Look.Pos, v.Act.Pos}, []token.Pos{v.Look.Pos}, nil)
	if h.out != "" || h.but != (proviso{}) {
		return again
	}
	return fmt.Sprintf("hold %s from line %d to line %d, or look again whether the map still has the object", lock.Name(), m.in.Line(m.in.Named(v.Look)), m.in.Line(m.in.Named(v.Act)))
}

// callByHand says how a call gets the lock that its callee needs. The callee cannot take it: its other callers hold it.
func (m *Maker) callByHand(f check.Finding, v *witness.CallVerdict, lock *types.Var) string {
	name := "the lock"
	var s *scene
	if lock != nil {
		name, s = lock.Name(), m.scene(f.Func, lock)
	}
	at := v.Blame.Pos
	h := m.hand(f.Func, s, []token.Pos{at}, []token.Pos{at}, func(pos token.Pos) bool { return pos == at })
	switch {
	case v.Blame.Read:
		return check.Fit(fmt.Sprintf("hold %s for writing in place of reading at this call", name))
	case h.out == "":
		return h.but.say(fmt.Sprintf("hold %s at this call", name))
	}
	return h.but.say(fmt.Sprintf("hold %s for this call alone, with %s outside it", name, h.out), fmt.Sprintf("hold %s for this call alone", name))
}

// accessByHand says how one access gets the lock, or what else removes the finding.
func (m *Maker) accessByHand(f check.Finding, v *witness.AccessVerdict, lock *types.Var) string {
	switch {
	case v.Kind == witness.Leaves:
		return "pass on a copy"
	case v.Kind == witness.MadeAnyway:
		return "end the value that was made where the map has another one already"
	case v.Kind == witness.ReadLocked && check.OneHold(v.Locks):
		return "hold another lock in the goroutines"
	case v.Kind == witness.ReadLocked:
		return "take the write lock in place of the read lock, in a section that does not take it again"
	case lock == nil:
		return "give the map a lock, and hold it at each access"
	}
	name, at := lock.Name(), f.Pos
	if a := v.Site.Acc; v.Site.Func == f.Func && a.Pos.IsValid() {
		at = a.Pos
	}
	s := m.scene(f.Func, lock)
	h := m.hand(f.Func, s, []token.Pos{at}, []token.Pos{at}, nil)
	switch {
	case h.out == "":
		return h.but.say("hold " + name + " here")
	case s != nil && s.loopsAt(at) && v.Site.Acc.Op == access.Range:
		return h.but.say("copy it under " + name + ", and range over the copy")
	}
	return h.but.say(fmt.Sprintf("hold %s for this access alone, %s", name, h.without(v.Site.Acc)), "hold "+name+" for this access alone")
}
