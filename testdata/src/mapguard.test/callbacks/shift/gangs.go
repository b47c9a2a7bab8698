package shift

import "mapguard.test/callbacks/shift/crew"

// What a pool keeps in a field for its goroutines is theirs alone: as many run it as the pool has.

func gangOk() *crew.Gang {
	seen := make(map[string]int)
	return crew.NewGang(1, func(s string) { seen[s]++ })
}

func methodOk() *crew.Gang {
	t := &tally{lines: make(map[string]int)}
	return crew.NewGang(1, t.note)
}

func (t *tally) note(s string) {
	if _, ok := t.lines[s]; !ok {
		t.lines[s] = 1
	}
}

func gangBad() *crew.Gang {
	seen := make(map[string]int)
	return crew.NewGang(8, func(s string) { seen[s]++ }) // want `goroutine-race: seen`
}

func numberBad(n int) *crew.Gang {
	seen := make(map[string]int)
	return crew.NewGang(n, func(s string) { seen[s]++ }) // want `goroutine-race: seen`
}

// Two of one each.
func twoGangsBad() {
	seen := make(map[string]int)
	add := func(s string) { seen[s]++ } // want `goroutine-race: seen`
	crew.NewGang(1, add)
	crew.NewGang(1, add)
}

func helpedBad() {
	seen := make(map[string]int)
	g := crew.NewHelped(1, func(s string) { seen[s]++ }) // want `goroutine-race: seen`
	g.Do("now")
}

func doubleBad() *crew.Double {
	seen := make(map[string]int)
	return crew.NewDouble(1, func(s string) { seen[s]++ }) // want `goroutine-race: seen`
}

func ledBad() *crew.Led {
	seen := make(map[string]int)
	return crew.NewLed(1, func(s string) { seen[s]++ }) // want `goroutine-race: seen`
}

func joinedBad() *crew.Joined {
	seen := make(map[string]int)
	return crew.NewJoined(1, func(s string) { seen[s]++ }) // want `goroutine-race: seen`
}

func chainedBad() *crew.Chained {
	seen := make(map[string]int)
	first := crew.NewChained(1, nil, func(s string) { seen[s]++ }) // want `goroutine-race: seen`
	return crew.NewChained(1, first, func(string) {})
}

func takenBad() *crew.Taken {
	seen := make(map[string]int)
	first := crew.NewTaken(1, nil, func(s string) { seen[s]++ }) // want `goroutine-race: seen`
	return crew.NewTaken(1, first, func(string) {})
}

func copiedBad() crew.Copied {
	seen := make(map[string]int)
	return crew.NewCopied(1, func(s string) { seen[s]++ }) // want `goroutine-race: seen`
}

func commonBad() {
	seen := make(map[string]int)
	crew.NewCommon(1, func(s string) { seen[s]++ }) // want `goroutine-race: seen`
	crew.NewCommon(1, func(string) {})
}

func passedBad() *crew.Passed {
	seen := make(map[string]int)
	return crew.NewPassed(1, func(s string) { seen[s]++ }) // want `goroutine-race: seen`
}

func deepBad() {
	seen := make(map[string]int)
	more := crew.NewDeep(1, func(s string) { seen[s]++ }) // want `goroutine-race: seen`
	more()
}

func shownBad() any {
	seen := make(map[string]int)
	return crew.NewShown(8, func(s string) { seen[s]++ }) // want `goroutine-race: seen`
}
