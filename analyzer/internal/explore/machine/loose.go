package machine

import "github.com/mapguard/mapguard/analyzer/internal/explore/program"

// A program with Main runs on a map that is empty at first, with constants for
// keys. One that does nothing wrong may owe that to these alone: its goroutines,
// their calls, locks and waits stay as they are, but with some entries in the map
// at the start, or with one key in all calls, it is wrong. What a map holds and
// which numbers are passed is not what an analyzer of locks and threads speaks
// of, so that a finding in such a program is a matter of taste.

// A Looseness says what a program owes it to that it does nothing wrong.
type Looseness string

// What a program can owe it to.
const (
	Tight    Looseness = ""
	Contents Looseness = "what the maps hold at first"
	Keys     Looseness = "the keys that the goroutines pass"
)

// loose tells what the program, which has Main and nothing wrong, owes that to.
func loose(p *program.Program) Looseness {
	for _, key := range []int{0, 1, 2} {
		restore := oneKey(p, key)
		wrong := wrongWith(p)
		restore()
		if wrong && key == 0 {
			return Contents
		}
		if wrong {
			return Keys
		}
	}
	return Tight
}

// oneKey gives all calls of operations in Main the key; 0 leaves them alone.
func oneKey(p *program.Program, key int) (restore func()) {
	var undo []func()
	program.EachExpr(p.Main.Body, func(x program.Expr) {
		c, ok := x.(*program.Call)
		if !ok || key == 0 {
			return
		}
		for i, param := range c.F.Params {
			if c.F.Op && param.Name == "k" {
				old := c.Args[i]
				c.Args[i] = &program.Lit{V: key}
				undo = append(undo, func() { c.Args[i] = old })
			}
		}
	})
	return func() {
		for _, f := range undo {
			f()
		}
	}
}

// wrongWith reports whether the program is wrong when its maps hold no entry, one
// or two at first. A start that the program is not made for tells nothing.
func wrongWith(p *program.Program) bool {
	for entries := range 3 {
		w, err := newWorld(p)
		if err != nil {
			return false
		}
		j := &judge{w: w, truth: &Truth{Funcs: make(map[*program.Func]bool)}}
		if err := j.scenario(&Scenario{Text: "main", memory: w.filled(entries)}); err == nil && j.truth.Verdict.Wrong() {
			return true
		}
	}
	return false
}

// filled is the memory after the constructor with so many entries in each map
// that is made.
func (w *world) filled(entries int) *memory {
	m := w.fresh()
	for i := range m.made {
		if !m.made[i] {
			continue
		}
		for k := 1; k <= entries; k++ {
			v := int16(1)
			if w.p.Maps[i%len(w.p.Maps)].Elem == program.Item {
				m.items = append(m.items, 1)
				v = int16(len(m.items))
			}
			m.cells[i*keys+k] = v
		}
	}
	return m
}
