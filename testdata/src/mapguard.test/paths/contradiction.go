package paths

import "sync"

// A gate has acts behind conditions that contradict each other.
type gate struct {
	mu   sync.Mutex // protects open and name
	open map[int]bool
	name map[string]int
}

func (g *gate) put(k int, s string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.open[k] = true
	g.name[s] = k
}

func (g *gate) betweenOk(k int) {
	if k > 2 {
		if k < 2 {
			delete(g.open, k)
		}
	}
}

func (g *gate) betweenBad(k int) {
	if k > 2 {
		if k < 4 {
			delete(g.open, k) // want `unguarded-access:.*, low`
		}
	}
}

func (g *gate) twoAtOnceOk(k int) {
	if k == 1 && k == 2 {
		delete(g.open, k)
	}
}

func (g *gate) returnsBeforeOk(k int) {
	if k < 1 {
		return
	}
	if k == 0 {
		delete(g.open, k)
	}
}

func (g *gate) changedBetweenBad(k int) {
	if k < 1 {
		return
	}
	k--
	if k == 0 {
		delete(g.open, k) // want `unguarded-access:.*, low`
	}
}

func (g *gate) otherSideOk(k, n int) {
	if k >= n {
		return
	}
	if n < k {
		delete(g.open, k)
	}
}

func (g *gate) stringsOk(s string) {
	if s != "a" {
		return
	}
	if s == "b" {
		delete(g.name, s)
	}
}

func (g *gate) stringsBad(s string) {
	if s == "a" {
		return
	}
	if s != "b" {
		delete(g.name, s) // want `unguarded-access: `
	}
}

func (g *gate) eachRoundBad(ks []int) {
	for _, k := range ks {
		if k > 2 {
			continue
		}
		if k < 3 {
			delete(g.open, k) // want `unguarded-access:.*, low`
		}
	}
}

func (g *gate) floatsBad(x float64) {
	if x < 1 {
		return
	}
	if !(x >= 1) { // not a number
		delete(g.open, 1) // want `unguarded-access:.*, low`
	}
}

// The lock is taken on the one side that is left.
func (g *gate) lockedOnTheOnlySideOk(k int) {
	if k < 1 {
		return
	}
	if k > 0 {
		g.mu.Lock()
		defer g.mu.Unlock()
	}
	g.open[k] = true
}

// What a literal captures does not change if nothing sets it again.
func (g *gate) capturedOk(k int) {
	if k > 2 {
		if k < 2 {
			delete(g.open, k)
		}
	}
	defer func() { println(k) }()
}

func (g *gate) insideOk(k int) {
	func() {
		if k > 2 {
			if k < 2 {
				delete(g.open, k)
			}
		}
	}()
}

func (g *gate) flagOk(k int) {
	high := k > 2
	if k < 2 {
		if high {
			delete(g.open, k)
		}
	}
	defer func() { println(high, k) }()
}

func (g *gate) setByLiteralBad(k int) {
	if k > 2 {
		func() { k -= 2 }()
		if k < 2 {
			delete(g.open, k) // want `unguarded-access:.*, low`
		}
	}
}

func (g *gate) setInsideBad(k int) {
	func() {
		if k > 2 {
			k -= 2
			if k < 2 {
				delete(g.open, k) // want `unguarded-access:.*, low`
			}
		}
	}()
}

func (g *gate) pointerBad(k int, lower func(*int)) {
	if k > 2 {
		lower(&k)
		if k < 2 {
			delete(g.open, k) // want `unguarded-access:.*, low`
		}
	}
}

func (g *gate) newInEachRoundBad(ks []int) {
	var last func() bool
	for _, k := range ks {
		if last != nil && last() {
			if k < 2 {
				delete(g.open, k) // want `unguarded-access:.*, low`
			}
		}
		last = func() bool { return k > 2 }
	}
}
