package threads

import (
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// A loop over a list of different functions that starts a goroutine in each round, to call the function of the round, starts one
// for each of them.

// pick returns the callee of a call that runs the function of the round in which the walk's goroutine was started: no other
// goroutine of that loop does. It is nil if the call does not, or the loop is entered again from there.
func (w *walk) pick(c *summary.Call, g *infer.Func) *infer.Func {
	if w.start == nil || c.Round == nil || !w.from.Flow.NextRound(c.Round, w.start.Point, w.start.Point) {
		return nil
	}
	return g
}

// several notes whether several of the threads of a visit make it on the same object. Of those that a loop starts one
// alone picks a function, unless the loop's function is called again while that goes on.
func (t *Theory) several(v *Visit, looped bool) {
	v.common = t.sameObject(v, looped)
	again := v.Thread.Registered || looped && v.Path.Root().Kind != accesspath.Value
	v.Many = v.common && (v.Pick == nil || again)
}

// inRounds reports whether two visits of goroutines that one start begins can be at one time.
func inRounds(a, b *Visit) bool {
	if a.Pick == b.Pick {
		return a.Many && b.Many
	}
	return (a.Many || a.common) && (b.Many || b.common)
}
