package transfer

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// The answer of a goroutine that ends, on a channel which it has got for that from another one, has a path of its own: it is
// what comes out of that other channel. One answer tells of one goroutine. What several share has no others in it only when
// all have answered that the object with the map has, as a loop over all of them asks for.

// answer names the answer to what is sent on a channel.
func (a *analysis) answer(ch ssa.Value) accesspath.Path {
	on := a.Paths.Of(ch)
	if !on.Known() {
		return on
	}
	return a.Paths.Each(on)
}

// askedOn names the answer for which a receive waits; the unknown path if it waits for none.
func (a *analysis) askedOn(recv *ssa.UnOp) accesspath.Path {
	if recv.Op != token.ARROW {
		return accesspath.Path{}
	}
	if ch := a.Asked(recv.X); ch != nil {
		return a.answer(ch)
	}
	return accesspath.Path{}
}

// isAnswer reports whether a path names an answer.
func isAnswer(p accesspath.Path) bool {
	if !p.IsEach() || p.Parent().LastField() == nil {
		return false
	}
	_, ok := p.Parent().LastField().Type().Underlying().(*types.Chan)
	return ok
}

// answersFor reports whether an answer is that of all goroutines of their kind that the object has in which a map is.
func answersFor(answer, at accesspath.Path) bool {
	if base := at.Base(); base.Known() && !answer.HasPrefix(base) || at.Root() != answer.Root() {
		return false
	}
	for p := answer.Parent(); p.Depth() > at.Base().Depth(); p = p.Parent() {
		if p.IsElem() && !p.IsEach() {
			return false
		}
	}
	return true
}

// joinAnswersOfAll notes, where a loop over all elements of a list or a map ends which waits in each round for the answer of
// the round's element, that all have answered.
func (a *analysis) joinAnswersOfAll() {
	for _, b := range a.fn.Blocks {
		var answers []accesspath.Path
		for _, j := range a.joinsIn[b] {
			answers = append(answers, slices.DeleteFunc(slices.Clone(j.on), func(p accesspath.Path) bool { return !isAnswer(p) })...)
		}
		if len(answers) == 0 {
			continue
		}
		for _, l := range ssautil.Loops(b) {
			if w, ok := ssautil.WalkAt(l.Head); ok && eachRound(b, w) {
				a.joinAfterWalk(w, answers)
			}
		}
	}
}

// joinAfterWalk notes that all have answered where a walk has come to all of those that it asks.
func (a *analysis) joinAfterWalk(w ssautil.Walk, answers []accesspath.Path) {
	var all []accesspath.Path
	for _, on := range answers {
		if of := a.ofAll(w, on); of.Known() {
			all = append(all, of)
		}
	}
	if len(all) == 0 {
		return
	}
	a.joinWalked(w, join{on: all})
}

// joinWalked notes a wait that is over where a walk has come to all elements, or finds that there are none.
func (a *analysis) joinWalked(w ssautil.Walk, j join) {
	a.joinEdge(edge{w.From, w.To}, j)
	if g := a.firstRound(w.Head, w.From); g != nil {
		a.joinEdge(edge{g, w.To}, j)
	}
}

// eachRound reports whether each round of a walk that goes on to the next one has come to a block.
func eachRound(b *ssa.BasicBlock, w ssautil.Walk) bool {
	for _, p := range w.Head.Preds {
		if w.In[p] && !b.Dominates(p) {
			return false
		}
	}
	return true
}

// ofAll names of all elements of a walk what a path names of that of a round.
func (a *analysis) ofAll(w ssautil.Walk, on accesspath.Path) accesspath.Path {
	key := a.Paths.Key(w.Key)
	for p := on; p.Depth() > 0; p = p.Parent() {
		if p.IsElem() && p.Key() == key && a.comesToAll(w, p.Parent()) {
			return a.Paths.Rebase(on, p, a.Paths.Each(a.filledFrom(p.Parent())))
		}
	}
	return accesspath.Path{}
}

// filledFrom returns the map of which a local one has all that is in it, as a loop over that map has put it in; of any other,
// the map itself.
func (a *analysis) filledFrom(container accesspath.Path) accesspath.Path {
	made, ok := container.Root().Val.(*ssa.MakeMap)
	if !ok || container.Depth() > 0 || made.Parent() != a.fn {
		return container
	}
	var from accesspath.Path
	for _, r := range *made.Referrers() {
		put, ok := r.(*ssa.MapUpdate)
		if !ok {
			continue
		}
		l := ssautil.Loops(put.Block())
		if len(l) == 0 || from.Known() {
			return container
		}
		w, ok := ssautil.WalkAt(l[0].Head)
		if !ok || w.Map == nil || put.Key != w.Key || !eachRound(put.Block(), w) {
			return container
		}
		if from = a.Paths.Of(w.Map); a.Paths.Of(put.Value) != a.Paths.Elem(from, a.Paths.Key(w.Key)) {
			return container
		}
	}
	if !from.Known() {
		return container
	}
	return from
}
