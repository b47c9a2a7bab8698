package check

import (
	"fmt"
	"go/token"
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/depend"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/sharing"
	"github.com/mapguard/mapguard/analyzer/internal/witness"
)

// CheckWord says what a check found.
func CheckWord(a *access.Access) string {
	switch a.Op {
	case access.Lookup, access.Load:
		return "read"
	case access.Len:
		return "measured with len"
	case access.Range, access.Visit:
		return "ranged over"
	case access.NilTest:
		return "compared with nil"
	}
	return "read"
}

// ActWord says what an act does.
func ActWord(a *access.Access) string {
	switch a.Op {
	case access.Insert, access.Store:
		return "written"
	case access.Delete, access.Remove:
		return "deleted"
	case access.Clear:
		return "changed as a whole"
	case access.Assign:
		return "assigned"
	case access.Grow:
		return "appended to"
	}
	return "changed"
}

// Doing says what an access does, changing or looking.
func Doing(a *access.Access) string {
	if a.Op.Writes() {
		return ActWord(a)
	}
	return CheckWord(a)
}

// endedTwice is what comes of a look after which a channel is closed, or an object goes back to its pool.
const endedTwice = "two goroutines can both close or recycle what they found"

// Consequence says what two goroutines can do to each other.
func (in *Input) Consequence(v *witness.Verdict) string {
	if v.Raced() && (v.Confidence > sharing.Low || v.Grade == witness.NilTested) && !v.Pair.Has(depend.Ensured) {
		return raced(v)
	}
	t := pairTrace{in: in, v: v}
	if other := t.second(); other != nil {
		if harm := t.harm(other.Acc); harm != "" {
			return harm
		}
	}
	return consequence(v)
}

// consequence says what two goroutines do to each other that both make the steps of a pair, or that are not in sight.
func consequence(v *witness.Verdict) string {
	if v.Pair.Has(depend.Ensured) {
		return "another goroutine can have deleted the entry by then"
	}
	twice := v.Grade == witness.ToldTwice || v.Grade == witness.TakenTwice
	if twice && v.Pair.Has(depend.Ends) { // of deletions alone
		return endedTwice
	}
	switch v.Grade {
	case witness.ToldTwice:
		if puts(v.Act) && v.Pair.Polarity == depend.Present {
			return ofInsert(v)
		}
		return "two callers are both told that they did it"
	case witness.Revived:
		return "what another goroutine deleted comes back"
	case witness.TakenTwice:
		return "two goroutines can both take the entry"
	case witness.UsedThenDeleted:
		return "what another goroutine added since is lost"
	}
	switch v.Act.Op {
	case access.Insert, access.Store:
		return ofInsert(v)
	case access.Delete, access.Remove:
		return "what another goroutine just wrote is lost"
	case access.Assign:
		return "two goroutines can both assign it, and one value is lost"
	}
	return "another goroutine can change it in between"
}

// ofInsert says what comes of an insertion that rests on an old look.
func ofInsert(v *witness.Verdict) string {
	content, counts := v.Pair.Has(depend.Content), v.Act.Stored == access.StoredDerived
	switch {
	case v.Pair.Has(depend.Data) && content:
		return "an update by another goroutine is lost"
	case v.Check.Op == access.Len, counts && (content || v.Pair.Polarity == depend.Present):
		return "two goroutines can both pass the test"
	case witness.KeepsOwn(v):
		return "one of two callers gets an object that the map does not hold"
	case v.Pair.Polarity == depend.Present && content:
		return "what another goroutine just changed is overwritten"
	case v.Pair.Polarity == depend.Present:
		return "what another goroutine just deleted comes back"
	}
	return "two goroutines can both add it"
}

// raced says what comes of a pair of which one side holds no lock: the map itself, or the
// variable that holds it, is raced on. Where the runtime sees that, it ends the program with
// the same words.
func raced(v *witness.Verdict) string {
	switch {
	case v.Act.Op == access.Assign, v.Grade == witness.NilTested:
		return "a data race on the variable"
	case v.Check.Op == access.Range:
		return "concurrent map iteration and map write"
	case len(v.ActLocks) == 0:
		return "concurrent map writes"
	case v.Check.Op == access.Len || v.Check.Op == access.NilTest:
		return "a data race on the map"
	}
	return "concurrent map read and map write"
}

// Under names the locks of an access: "under c.mu", "without a lock".
func (in *Input) Under(held []locks.Held) string {
	if len(held) == 0 {
		return "without a lock"
	}
	if OneHold(held) {
		return "under its starter's hold of " + in.LockNames(held)
	}
	if locks.OnlyRead(held) {
		return "under the read lock of " + in.LockNames(held)
	}
	return "under " + in.LockNames(held)
}

// OneHold reports whether what is held is as good as a read lock, since goroutines have it from the one
// who starts them and waits: it is lent, or none of the locks has a read side.
func OneHold(held []locks.Held) bool {
	return len(held) > 0 && locks.OnlyRead(held) && !slices.ContainsFunc(held, func(h locks.Held) bool {
		v := h.Lock.Location().Var
		return !h.Lent && (v == nil || model.HasReadSide(v.Type()))
	})
}

// isTurn reports whether what is held is the turn at a goroutine that runs what
// it is sent.
func isTurn(held []locks.Held) bool {
	return len(held) == 1 && locks.Turn(held[0].Lock)
}

// sent says what goes over a channel to the goroutine that runs or answers it.
func sent(turn accesspath.Path) string {
	if locks.Answers(turn) {
		return "requests"
	}
	return "functions"
}

// Via says through which function an access happens, if through one.
func Via(a *access.Access) string {
	if a.InnerFunc == "" {
		return ""
	}
	return " in " + a.InnerFunc
}

// AtLine says where another place is than the one that is reported.
func (in *Input) AtLine(pos, here token.Pos) string {
	if file := in.Pkg.File(pos); file != in.Pkg.File(here) {
		return fmt.Sprintf("at %s:%d", file, in.Line(pos))
	}
	return fmt.Sprintf("at line %d", in.Line(pos))
}

// Pos is a source position.
type Pos = token.Pos

// Inside gives the places inside callees where accesses really stand.
func Inside(as ...*access.Access) []Related {
	var out []Related
	for _, a := range as {
		if a.Inner.IsValid() {
			out = append(out, Related{a.Inner, Doing(a) + " here, in " + a.InnerFunc})
		}
	}
	return out
}
