// Package shift tells another package how many goroutines are to run what it gives: one is alone, two are not.
package shift

import "mapguard.test/callbacks/shift/crew"

// A ledger is its bookkeeper's own: the goroutine that runs keep.
type ledger struct {
	in    chan string
	lines map[string]int
}

func newLedger() *ledger { return &ledger{in: make(chan string), lines: make(map[string]int)} }

func (l *ledger) keep() {
	for s := range l.in {
		if _, ok := l.lines[s]; !ok {
			l.lines[s] = 0
		}
		l.lines[s]++
	}
}

const bookkeepers = 1

func AloneOk() *ledger {
	l := newLedger()
	go crew.Work(bookkeepers, l.keep)
	return l
}

func HiredOk() int {
	seen := make(map[string]int)
	over := make(chan bool)
	crew.Hire(1, func() {
		seen["hired"]++
		close(over)
	})
	<-over
	return len(seen)
}

func PassedOnOk() int {
	seen := make(map[string]int)
	crew.Shift(1, "early", func(name string) { seen[name]++ })
	return len(seen)
}

func PassedOnBad() int {
	seen := make(map[string]int)
	crew.Shift(2, "late", func(name string) { seen[name]++ }) // want `goroutine-race: seen`
	return len(seen)
}

func ToldBad(n int) int {
	seen := make(map[string]int)
	crew.Work(n, func() { seen["told"]++ }) // want `goroutine-race: seen`
	return len(seen)
}

type tally struct{ lines map[string]int }

func (t *tally) count() {
	for {
		t.lines["pair"]++
	}
}

func PairBad() {
	t := &tally{lines: make(map[string]int)}
	go crew.Work(2, t.count) // want `goroutine-race: tally.lines`
}

// One is started, and then another one.
func OneByOneBad() {
	seen := make(map[string]int)
	add := func() { seen["again"]++ } // want `goroutine-race: seen`
	crew.Hire(1, add)
	crew.Hire(1, add)
}

func EachRoundBad(names []string) {
	seen := make(map[string]int)
	for _, name := range names {
		crew.Hire(1, func() { seen[name]++ }) // want `goroutine-race: seen`
	}
}

// Who waits for the one of each round has one at a time.
func EachRoundOk(names []string) int {
	seen := make(map[string]int)
	for _, name := range names {
		crew.Work(1, func() { seen[name]++ })
	}
	return len(seen)
}

func TwiceBad() {
	seen := make(map[string]int)
	crew.Twice(1, func() { seen["twice"]++ }) // want `goroutine-race: seen`
}

func SpareBad() {
	seen := make(map[string]int)
	crew.Spare(1, func() { seen["spare"]++ }) // want `goroutine-race: seen`
}

func ReworkBad(more func() bool) {
	seen := make(map[string]int)
	crew.Rework(1, more, func() { seen["anew"]++ }) // want `goroutine-race: seen`
}

func RecountBad(again func() bool) {
	seen := make(map[string]int)
	crew.Recount(1, again, func() { seen["once more"]++ }) // want `goroutine-race: seen`
}

// The number is the package's own.

func (t *tally) numberedOk() {
	for range 3 {
		t.lines["numbered"]++
	}
}

func Numbered() {
	t := &tally{lines: make(map[string]int)}
	for i := 0; i < bookkeepers; i++ {
		go t.numberedOk()
	}
}

const pair = 2

func NumberedBad() {
	seen := make(map[string]int)
	for i := 0; i < pair; i++ {
		go func() { seen["numbered"]++ }() // want `goroutine-race: seen`
	}
}

// A way round that does not ask how many there are.
func PastBad(more func() bool) {
	seen := make(map[string]int)
	i := 0
again:
	go func() { seen["past"]++ }() // want `goroutine-race: seen`
	if more() {
		goto again
	}
	if i++; i < bookkeepers {
		goto again
	}
}

func DownOk() *ledger {
	l := newLedger()
	for i := bookkeepers - 1; i >= 0; i-- {
		go l.keep()
	}
	return l
}

func LeadBad() {
	seen := make(map[string]int)
	crew.Lead(1, func() { seen["lead"]++ }) // want `goroutine-race: seen`
}

func ThriceBad() {
	seen := make(map[string]int)
	crew.Thrice(func() { seen["thrice"]++ }) // want `goroutine-race: seen`
}

func EitherOk(one bool) {
	seen := make(map[string]int)
	crew.Either(one, func() { seen["either"]++ })
}

// The function that has one hired does so again and again, for one map.
func hireForBad(seen map[string]int) {
	crew.Hire(1, func() { seen["hired anew"]++ }) // want `goroutine-race: seen`
}

func HiredAgain() {
	seen := make(map[string]int)
	for range 4 {
		hireForBad(seen)
	}
}

// Each map has one of its own.
func hireForOk(seen map[string]int) {
	crew.Hire(1, func() { seen["hired alone"]++ })
}

func HiredEach() {
	for range 4 {
		seen := make(map[string]int)
		hireForOk(seen)
	}
}
