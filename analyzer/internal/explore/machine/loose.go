package machine

import (
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/explore/program"
)

// A program with Main runs on a map that is empty at first, with constants for
// keys. One that does nothing wrong may owe that to these alone: its goroutines,
// their calls, locks and waits stay as they are, but with some entries in the map
// at the start, without the goroutines that are over before others begin, or with
// other keys, it is wrong, or a matter of taste itself. What a map holds and which
// numbers are passed is not what an analyzer of locks and threads speaks of, so
// that a finding in such a program is a matter of taste.

// A Looseness says what a program owes it to that it does nothing wrong.
type Looseness string

// What a program can owe it to.
const (
	Tight    Looseness = ""
	Contents Looseness = "what the maps hold at first"
	Before   Looseness = "what earlier goroutines leave in the maps"
	Keys     Looseness = "the keys that the goroutines pass"
)

// loose tells what the program, which has Main and nothing wrong, owes that to.
func loose(p *program.Program) Looseness {
	if dubious(p) {
		return Contents
	}
	whole := p.Main.Body
	defer func() { p.Main.Body = whole }()
	rest := afterPhase(whole)
	if p.Main.Body = rest; rest != nil && dubious(p) {
		return Before
	}
	for _, body := range [...][]program.Stmt{whole, rest} {
		if p.Main.Body = body; body != nil && keyed(p, units(body)) {
			return Keys
		}
	}
	return Tight
}

// afterPhase returns what follows the first wait in Main, nil if that starts no
// goroutine.
func afterPhase(body []program.Stmt) []program.Stmt {
	i := slices.IndexFunc(body, func(s program.Stmt) bool { _, wait := s.(*program.Wait); return wait })
	rest := body[i+1:]
	if i < 0 || !slices.ContainsFunc(rest, func(s program.Stmt) bool { _, starts := s.(*program.Go); return starts }) {
		return nil
	}
	return rest
}

// units returns the goroutines, each by itself, and then all that Main does.
func units(body []program.Stmt) [][]program.Stmt {
	var out [][]program.Stmt
	var own []program.Stmt
	for _, s := range body {
		if _, starts := s.(*program.Go); starts {
			out = append(out, []program.Stmt{s})
		} else {
			own = append(own, s)
		}
	}
	return append(out, own)
}

// keyed reports whether the program is dubious when all calls in each of the units
// are about one key, in one of the ways to give the units two keys. Which of the
// keys is the first matters, too: programs can compare with it.
func keyed(p *program.Program, units [][]program.Stmt) bool {
	if len(units) == 0 {
		return dubious(p)
	}
	for key := 1; key <= 2; key++ {
		restore := oneKey(units[0], key)
		found := keyed(p, units[1:])
		restore()
		if found {
			return true
		}
	}
	return false
}

// oneKey gives all calls of operations the key.
func oneKey(body []program.Stmt, key int) (restore func()) {
	var undo []func()
	program.EachExpr(body, func(x program.Expr) {
		c, ok := x.(*program.Call)
		if !ok {
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

// dubious reports whether the program is wrong or a matter of taste when its maps
// hold no entry, one or two at first. A start that the program is not made for
// tells nothing.
func dubious(p *program.Program) bool {
	for _, c := range [...]contents{{}, {entries: 1, value: 1}, {entries: 2, value: 1}, {entries: 1, value: 5}} {
		w, err := newWorld(p)
		if err != nil {
			return false
		}
		j := &judge{w: w, truth: &Truth{Funcs: make(map[*program.Func]bool)}}
		if err := j.scenario(&Scenario{Text: "main", memory: w.filled(c)}); err == nil && j.truth.Verdict != Clean {
			return true
		}
	}
	return false
}

// contents are what maps hold at first: so many entries in each.
type contents struct {
	entries int
	value   int16
}

// filled is the memory after the constructor, with some contents. Maps that have
// entries have been made.
func (w *world) filled(c contents) *memory {
	m := w.fresh()
	if c.entries == 0 {
		return m
	}
	for i := range m.made {
		m.made[i] = true
		for k := 1; k <= c.entries; k++ {
			v := int16(1)
			switch w.p.Maps[i%len(w.p.Maps)].Elem {
			case program.Item:
				m.items = append(m.items, c.value)
				v = int16(len(m.items))
			case program.Int:
				v = c.value
			}
			m.cells[i*keys+k] = v
		}
	}
	return m
}
