// Package mapescape reports guarded maps that leave their critical section as
// they are, so that callers touch them without the guard.
package mapescape

import (
	"fmt"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/check"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/sharing"
)

// Category is the rule's name.
const Category = "map-escape"

// Rule is the rule.
type Rule struct{}

// Category implements [check.Rule].
func (Rule) Category() string { return Category }

// Find implements [check.Rule]. A returned map is reported when other
// packages can call the function and the map is changed in place after it is
// published; a map that is only ever replaced as a whole is a snapshot.
func (Rule) Find(in *check.Input) []check.Finding {
	var out []check.Finding
	for _, pl := range in.Places {
		g := in.Guards.Of(pl.Loc)
		if g == nil || !changedInPlace(pl) {
			continue
		}
		for i := range pl.Sites {
			s := &pl.Sites[i]
			if s.Acc.Op != access.Return || s.Exempt || !s.Func.Doc.Public {
				continue
			}
			e := in.Judge.Of(pl)
			out = append(out, check.Finding{
				Category: Category, Pos: s.Acc.Pos, Confidence: min(e.Confidence, sharing.Medium), Evidence: e.Text,
				Loc: pl.Loc, Func: s.Func,
				Message: fmt.Sprintf("%s itself is returned, not a copy: callers use it without %s, which protects it",
					in.Name(s.Acc.Path), g.Lock.Name()),
				Related: []check.Related{{Pos: e.Pos, Message: e.Note}},
				Covers:  []check.Pos{s.Acc.Pos},
			})
		}
	}
	return out
}

func changedInPlace(pl *infer.Place) bool {
	for i := range pl.Sites {
		if s := &pl.Sites[i]; !s.Exempt && s.Acc.Op.Writes() && s.Acc.Op != access.Assign {
			return true
		}
	}
	return false
}
