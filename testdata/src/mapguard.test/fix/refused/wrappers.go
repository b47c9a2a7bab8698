package refused

import "mapguard.test/fix/wrapped"

// A lock that only another package can name: what its type offers decides what is advised.

type Wrapped struct {
	split *wrapped.Split[string, *int]
	whole *wrapped.Whole[string, *int]
	sums  *wrapped.Whole[string, int]
	tally *wrapped.Tally
	shown *wrapped.Shown
}

func NewWrapped() *Wrapped {
	return &Wrapped{wrapped.NewSplit[string, *int](), wrapped.NewWhole[string, *int](), wrapped.NewWhole[string, int](), wrapped.NewTally(), wrapped.NewShown()}
}

func (w *Wrapped) putBad(k string) *int {
	if p, ok := w.split.Get(k); ok {
		return p
	}
	p := new(int)
	// hand `by hand: add a method to Split that does both under mu$`
	w.split.Set(k, p) // want `split-lock: .*`
	*p = len(k)
	return p
}

func (w *Wrapped) takeBad(k string) *int {
	p, ok := w.split.Get(k)
	if !ok {
		return nil
	}
	// hand `by hand: add a method to Split that does both under mu$`
	w.split.Del(k) // want `split-lock: .*`
	return p
}

func (w *Wrapped) putWholeBad(k string) *int {
	if p, ok := w.whole.Get(k); ok {
		return p
	}
	p := new(int)
	// hand `by hand: go through what its package offers under mu$`
	w.whole.Set(k, p) // want `split-lock: .*`
	*p = len(k)
	return p
}

func (w *Wrapped) takeWholeBad(k string) *int {
	p, ok := w.whole.Get(k)
	if !ok {
		return nil
	}
	// hand `by hand: go through what its package offers under mu$`
	w.whole.Del(k) // want `split-lock: .*`
	return p
}

// What puts in where there is none adds nothing up.
func (w *Wrapped) addBad(k string) {
	n, _ := w.sums.Get(k)
	// hand `by hand: add a method to Whole that does both under mu$`
	w.sums.Set(k, n+1) // want `split-lock: .*`
}

func (w *Wrapped) tallyBad(k string) {
	// hand `by hand: go through what its package offers under mu$`
	w.tally.Set(k, w.tally.Get(k)+1) // want `split-lock: .*`
}

func (w *Wrapped) shownBad(k string) {
	// hand `by hand: go through what its package offers under mu$`
	w.shown.Set(k, w.shown.Get(k)+1) // want `split-lock: .*`
}
