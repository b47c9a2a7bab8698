// Package goroutinerace reports maps that a goroutine started in the code at
// hand changes while another one looks at them or changes them, with no lock
// that both hold. A local map that the goroutine gets is shared, too.
package goroutinerace

import (
	"fmt"
	"go/token"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/check"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/sharing"
	"github.com/mapguard/mapguard/analyzer/internal/threads"
)

// Category is the rule's name.
const Category = "goroutine-race"

// Rule is the rule.
type Rule struct{}

// Category implements [check.Rule].
func (Rule) Category() string { return Category }

// maxGroup bounds the accesses of one map by goroutines that are compared.
const maxGroup = 64

// Find implements [check.Rule]. The primary position is the goroutine's
// access. Of one map in one starter, one meeting is reported. Shared fields
// and variables with a guard are left to the rules that know guards.
func (Rule) Find(in *check.Input) []check.Finding {
	type group struct {
		starter *infer.Func
		path    accesspath.Path
	}
	var order []group
	groups := make(map[group][]*threads.Visit)
	for _, s := range in.Sharing.Threads.Visits {
		loc := s.Path.Location()
		if s.Thread.Handler() && loc.Valid() || s.Op.Concurrent() || !s.Op.Uses() || loc.Valid() && in.Guards.Of(loc) != nil {
			continue
		}
		g := group{s.Thread.Starter, s.Path}
		if len(groups[g]) == 0 {
			order = append(order, g)
		}
		if len(groups[g]) < maxGroup {
			groups[g] = append(groups[g], s)
		}
	}
	var out []check.Finding
	for _, g := range order {
		if m := firstMeeting(in, g.starter, groups[g]); m != nil {
			out = append(out, m.finding(in))
		}
	}
	return out
}

// A meeting is two accesses that can happen at one time.
type meeting struct {
	a *threads.Visit
	// The other side: another goroutine, or an access of the starter; neither
	// when several goroutines do what a does.
	b     *threads.Visit
	own   *access.Access
	owner *infer.Func
}

func firstMeeting(in *check.Input, starter *infer.Func, group []*threads.Visit) *meeting {
	for _, writes := range [...]bool{true, false} {
		for i, a := range group {
			if a.Op.Writes() != writes || a.Func.AtStart(a.Access) {
				continue
			}
			if m := meets(in, a, starter, group[i:]); m != nil {
				return m
			}
		}
	}
	return nil
}

func meets(in *check.Input, a *threads.Visit, starter *infer.Func, rest []*threads.Visit) *meeting {
	for _, b := range rest {
		if !b.Func.AtStart(b.Access) && in.Sharing.Threads.Parallel(a, b) && (a.Op.Writes() || b.Op.Writes()) && !locks.Excludes(a.Held, b.Held) {
			return &meeting{a: a, b: b}
		}
	}
	for _, i := range a.Thread.Beside() {
		c := &starter.Accesses[i]
		own := !c.Spawned && !c.Fresh && c.Op.Uses() && !c.Op.Concurrent()
		if !own || c.Path != a.Path || !a.Op.Writes() && !c.Op.Writes() {
			continue
		}
		if !threads.Apart(c.Claim, a.Claim) && !locks.Excludes(a.Held, starter.Effective(c)) {
			return &meeting{a: a, own: c, owner: starter}
		}
	}
	return nil
}

func (m *meeting) finding(in *check.Input) check.Finding {
	a := m.a
	pos, with, where := a.At(), "the other goroutines that this loop starts", a.Thread.Start
	otherPos, doing := token.NoPos, ""
	switch {
	case a.Thread.Handler():
		with = "the other calls of this handler"
	case a.Thread.Registered:
		with = "the other calls of what is registered here"
	case !a.Thread.Looped():
		with = "another goroutine like it"
	}
	if local(a.Path) && !a.Func.IsLiteral() {
		pos = a.Thread.Start // the helper does not know that its map is shared
	}
	switch {
	case m.own != nil:
		otherPos, doing = in.At(m.own), check.Doing(m.own)
		with = m.owner.Name + ", which goes on meanwhile"
	case m.b != nil && m.b.Thread.Start != a.Thread.Start:
		otherPos, doing = m.b.At(), check.Doing(&access.Access{Op: m.b.Op})
		with, where = "another goroutine", m.b.Thread.Start
	case m.b != nil && m.b.At() != a.At():
		if a.Thread.Handler() {
			with = "another handler"
		}
		otherPos, doing = m.b.At(), check.Doing(&access.Access{Op: m.b.Op})
	}
	op := &access.Access{Op: a.Op}
	name := in.Name(a.Path)
	f := check.Finding{
		Category: Category, Pos: pos, Confidence: m.confidence(), Loc: a.Path.Location(), Func: a.Func,
		Evidence: "a goroutine started in " + a.Thread.Starter.Name + " reaches it",
		Message:  check.Fit(fmt.Sprintf("%s is %s in a goroutine without a lock, at the same time as %s", name, check.Doing(op), with), name+" is "+check.Doing(op)+" in a goroutine without a lock"),
		Related:  []check.Related{{Pos: a.Thread.Start, Message: started(a)}, {Pos: a.At(), Message: check.Doing(op) + " here"}},
		Covers:   []check.Pos{pos, a.At(), otherPos},
		Trace: []check.Step{
			{Goroutine: "A", Pos: a.At(), Action: name + " is " + check.Doing(op)},
		},
	}
	if !f.Loc.Valid() {
		f.Place = name
	}
	second := check.Step{Goroutine: "B", Pos: a.At(), Action: name + " is " + check.Doing(op) + " at the same time", Note: "fatal error: concurrent map writes"}
	if otherPos.IsValid() {
		f.Related = append(f.Related, check.Related{Pos: otherPos, Message: doing + " here at the same time"})
		second.Pos, second.Action = otherPos, name+" is "+doing+" at the same time"
		if !m.otherWrites() || !a.Op.Writes() {
			second.Note = "fatal error: concurrent map read and map write"
		}
	}
	if where != a.Thread.Start {
		f.Related = append(f.Related, check.Related{Pos: where, Message: "the other goroutine is started here"})
	}
	f.Trace = append(f.Trace, second)
	return f
}

func started(a *threads.Visit) string {
	if a.Thread.Handler() {
		return "called from one goroutine for each request"
	}
	return "goroutine started here"
}

// local reports whether the map belongs to the function that starts the
// goroutine: it is a local one, or a parameter.
func local(p accesspath.Path) bool {
	return p.Root().Kind == accesspath.Value || !p.Location().Valid()
}

func (m *meeting) otherWrites() bool {
	if m.own != nil {
		return m.own.Op.Writes()
	}
	return m.b != nil && m.b.Op.Writes()
}

// confidence is high: both sides stand in the code. A map that the starter got
// and another function may protect is medium.
func (m *meeting) confidence() sharing.Confidence {
	if m.a.Path.Root().Kind == accesspath.Param && !m.a.Path.Location().Valid() {
		return sharing.Medium
	}
	return sharing.High
}
