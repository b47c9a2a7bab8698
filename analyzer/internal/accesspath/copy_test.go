package accesspath

import (
	"testing"

	"golang.org/x/tools/go/ssa"
)

// Results of functions that call each other may be copies of each other: a field of one is then found all the same.
func TestCopyInTurn(t *testing.T) {
	w := newWorld()
	a, b, c := new(ssa.Call), new(ssa.Call), new(ssa.Call)
	root := func(v ssa.Value) Path { return w.Root(Root{Kind: Value, Val: v}) }
	w.Copy(a, root(b), nil)
	w.Copy(b, root(c), nil)
	w.Copy(c, root(a), nil)
	w.Copy(c, root(c), nil)
	if from, _ := root(c).CopyOf(); from.Known() {
		t.Errorf("c is a copy of %v, which is one of c", from)
	}
	if got, want := w.Field(root(a), w.mu), w.Field(root(c), w.mu); got != want {
		t.Errorf("a field of a is %v, not %v", got, want)
	}
}
