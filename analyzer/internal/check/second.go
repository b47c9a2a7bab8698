package check

import (
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/depend"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/witness"
)

// second finds what another goroutine does between check and act, which is another step than those of the pair; nil where two goroutines
// that both make the pair tell best what is wrong. Message and interleaving are both made from it.
func (t *pairTrace) second() *infer.Site {
	v := t.v
	one := t.in.Single(v)
	if one || t.in.Alone(v) {
		return t.elses(one)
	}
	switch {
	case v.Pair.Has(depend.Ensured):
		return t.find(func(s *infer.Site) bool { return witness.Removes(s.Acc) })
	case v.Grade == witness.ToldTwice || v.Grade == witness.TakenTwice:
		return nil
	case v.Grade == witness.Revived:
		if other := t.find(func(s *infer.Site) bool { return t.in.RemovedBy(v, s) }); other != nil {
			return other
		}
	}
	if deletes(v.Act) {
		if other := t.refill(); other != nil {
			return other
		}
	}
	return t.met()
}

// elses finds the step where a lock, or who runs the pair, lets one goroutine alone be between check and act. One that makes the look out
// of date serves best, since it does the harm.
func (t *pairTrace) elses(one bool) *infer.Site {
	not := func(s *infer.Site) bool { return one && t.in.SameThread(t.v, s) }
	steps := t.in.Steps(t.v)
	if other := t.plainly(func(s *infer.Site) bool { return slices.Contains(steps, s) && !not(s) }); other != nil {
		return other
	}
	return t.plainly(func(s *infer.Site) bool { return (s.Acc.Op.Writes() || s.Acc.Op == access.Atomic) && !not(s) })
}

// met finds a step of another goroutine that meets the pair, where goroutines of the package are all that show a second one, and
// none of them makes the pair beside another that does.
func (t *pairTrace) met() *infer.Site {
	pl := t.in.Place(t.v.Act.Path.Location())
	meets := func(b *access.Access) bool {
		return t.in.Sharing.Met(pl, t.v.Act, b) || t.in.Sharing.Met(pl, t.v.Check, b)
	}
	if meets(t.v.Act) {
		return nil
	}
	steps := t.in.Steps(t.v)
	return t.plainly(func(s *infer.Site) bool { return meets(s.Acc) && slices.Contains(steps, s) })
}

// refill finds an insert of the same map, best in another function.
func (t *pairTrace) refill() *infer.Site {
	return t.plainly(func(s *infer.Site) bool {
		return puts(s.Acc) || s.Acc.Op == access.Atomic && witness.Inserts(s.Acc)
	})
}

// plainly is find, and prefers what changes the map in any case: a method of a concurrent map that looks by itself may find that there is
// nothing to do.
func (t *pairTrace) plainly(suits func(*infer.Site) bool) *infer.Site {
	if s := t.find(func(s *infer.Site) bool { return s.Acc.Op != access.Atomic && suits(s) }); s != nil {
		return s
	}
	return t.find(suits)
}

// find chooses among the accesses that suit, and that no lock keeps out while the
// goroutine of the pair is between its check and its act. One that comes to the map by the same field serves best: of a map type, a struct may
// have several.
func (t *pairTrace) find(suits func(*infer.Site) bool) *infer.Site {
	free := func(s *infer.Site) bool { return suits(s) && !t.in.Shut(t.v, s) }
	named := func(s *infer.Site) bool { return witness.SameName(t.v, s.Acc) && free(s) }
	if s := t.in.other(t.v.Act, t.v.Func, named); s != nil {
		return s
	}
	return t.in.other(t.v.Act, t.v.Func, free)
}

// note says what comes of the act of a pair between whose steps another goroutine has made step b.
func (t *pairTrace) note(b *access.Access) string {
	v := t.v
	inserted := b.Op == access.Insert || b.Op == access.Store
	switch {
	case v.Pair.Has(depend.Ensured):
		return "the entry that A made sure of is gone"
	case deletes(v.Act) && inserted:
		return "deletes the entry that B has just written"
	case deletes(v.Act) && witness.Removes(b):
		return "acts on what B has already deleted"
	case puts(v.Act) && witness.Removes(b):
		return "puts back what B has deleted"
	case !puts(v.Act) || !inserted:
		return "what A found is out of date"
	case v.Check.Op == access.Len:
		return "one more than the test allows"
	case v.Pair.Has(depend.Data) && v.Pair.Has(depend.Content):
		return "computed from the old value: B's change is lost"
	}
	return "overwrites B's"
}

// harm says so in the words of a message, "" where what two goroutines do that both make the pair says it as well.
func (t *pairTrace) harm(b *access.Access) string {
	v := t.v
	one := t.in.Single(v) || t.in.Alone(v)
	switch {
	case v.Grade == witness.Revived, v.Grade == witness.UsedThenDeleted, v.Pair.Has(depend.Ensured):
		return ""
	case puts(v.Act) && witness.Removes(b):
		return "what another goroutine just deleted comes back"
	case !one || v.Pair.Has(depend.Data) && v.Pair.Has(depend.Content):
		return ""
	case deletes(v.Act) && witness.Removes(b):
		return "another goroutine can have taken it in between"
	case deletes(v.Act):
		return "what another goroutine just wrote is lost"
	case puts(v.Act) && v.Check.Op == access.Len:
		return "another goroutine can fill the room in between"
	case puts(v.Act):
		return "what another goroutine just wrote is overwritten"
	}
	return "another goroutine can change it in between"
}

func puts(a *access.Access) bool { return a.Op == access.Insert || a.Op == access.Store }

// deletes reports whether an act takes an entry out, or may.
func deletes(a *access.Access) bool {
	return a.Op == access.Delete || a.Op == access.Remove || a.Op == access.Clear
}
