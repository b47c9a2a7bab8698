package suppress

import "sync"

// A directive at a declaration silences what is found about it, anywhere in
// the package.
type declared struct {
	mu sync.Mutex

	//mapguard:ignore a statistic, which may be out of date
	above map[string]int // guarded by mu

	behind map[string]int //mapguard:ignore guarded by mu, a statistic

	other map[string]int // guarded by mu
}

func (d *declared) setOk(k string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.above[k], d.behind[k], d.other[k] = 1, 1, 1
}

func (d *declared) setAgainOk(k string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.above[k], d.behind[k], d.other[k] = 1, 1, 1
}

func (d *declared) aboveOk(k string) int { return d.above[k] }

func (d *declared) behindOk(k string) int { return d.behind[k] }

func (d *declared) otherBad(k string) int { return d.other[k] } // want `unguarded-access: d\.other`

// wholeType is only used by one goroutine, whatever it looks like.
//
//mapguard:ignore one goroutine owns each
type wholeType struct {
	mu sync.Mutex
	m  map[string]int
	in struct{ m map[string]int }
}

func (w *wholeType) lockOk(k string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.m[k]++
	w.in.m[k]++
}

func (w *wholeType) typeOk(k string) {
	w.m[k]++
	w.in.m[k]++
}

var (
	varsMu sync.Mutex
	//mapguard:ignore filled before anything runs
	vars     = map[string]int{} // guarded by varsMu
	varsElse = map[string]int{} // guarded by varsMu
)

func fillOk(k string) { vars[k] = 1 }

func fillElseBad(k string) { varsElse[k] = 1 } // want `unguarded-access: varsElse`

//mapguard:ignore filled before anything runs
var (
	groupMu sync.Mutex
	group   = map[string]int{} // guarded by groupMu
)

func fillGroupOk(k string) { group[k] = 1 }

type nothing struct {
	//mapguard:ignore there is nothing to say of it // want `directive: .*suppresses nothing`
	m map[string]int
}
