package machine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mapguard/mapguard/analyzer/internal/explore/program"
)

// An Invocation is a call of an operation with constants.
type Invocation struct {
	F    *program.Func
	Args []int
}

// String writes the call as Go.
func (c Invocation) String() string {
	var args []string
	for i, a := range c.Args {
		lit := fmt.Sprint(a)
		if c.F.Params[i].Type == program.Bool {
			lit = fmt.Sprint(a != 0)
		}
		args = append(args, lit)
	}
	return c.F.Name + "(" + strings.Join(args, ", ") + ")"
}

// A Scenario is a start: what is called before, one after the other, and what
// the goroutines call.
type Scenario struct {
	Before  []Invocation
	Threads [][]Invocation
	// Text names it.
	Text   string
	memory *memory
}

// stages returns how to make the scenarios of a program, the cheap ones first.
// A program with Main has one. A documented one is called in all ways that
// matter: two operations at a time, or one against two in a row, on every
// memory that at most two operations make.
func (w *world) stages() []func() ([]*Scenario, error) {
	if w.p.Main != nil {
		return []func() ([]*Scenario, error){func() ([]*Scenario, error) {
			return []*Scenario{{Text: "main", memory: w.fresh()}}, nil
		}}
	}
	return []func() ([]*Scenario, error){w.pairwise, w.inRow}
}

// base is the number of codes that the program itself has.
func (w *world) base() int { return len(w.index) }

// load adds the codes of a scenario's goroutines and returns their numbers.
func (w *world) load(sc *Scenario) []int {
	if w.p.Main != nil {
		return []int{w.index[w.p.Main]}
	}
	var out []int
	for _, calls := range sc.Threads {
		out = append(out, w.thread(calls))
	}
	return out
}

// thread compiles a list of calls.
func (w *world) thread(calls []Invocation) int {
	c := &code{fn: &program.Func{Name: "thread"}}
	w.cur, w.site = c, 0
	for _, call := range calls {
		var args []int16
		for _, a := range call.Args {
			args = append(args, w.constant(a))
		}
		w.emit(instr{op: opCall, fn: w.index[call.F], args: args, dsts: []int16{w.reg()}, obj: 0})
	}
	w.emit(instr{op: opReturn})
	w.codes = append(w.codes, c)
	return len(w.codes) - 1
}

// invocations returns the calls of an operation that matter: with two keys,
// and with a value that is the goroutine's own.
func invocations(f *program.Func, val int) []Invocation {
	out := []Invocation{{F: f}}
	for _, p := range f.Params {
		choices := []int{val}
		if p.Name == "k" {
			choices = []int{1, 2}
		} else if p.Type == program.Bool {
			choices = []int{0, 1}
		}
		var next []Invocation
		for _, call := range out {
			for _, c := range choices {
				next = append(next, Invocation{f, append(slices.Clone(call.Args), c)})
			}
		}
		out = next
	}
	return out
}

// pairwise returns the scenarios of two operations at a time.
func (w *world) pairwise() ([]*Scenario, error) {
	befores, err := w.befores(w.memories())
	if err != nil {
		return nil, err
	}
	ops, keys := w.p.Ops(), w.compares("k")
	var out []*Scenario
	for _, b := range befores {
		for i, f := range ops {
			for _, g := range ops[i:] {
				for _, x := range invocations(f, 1) {
					for _, y := range invocations(g, 2) {
						if keys || !bothSecond(x, y) {
							out = append(out, b.with([]Invocation{x}, []Invocation{y}))
						}
					}
				}
			}
		}
	}
	return out, nil
}

// memories is how many memories operations are called on: enough for two
// entries in each of two maps.
func (w *world) memories() int {
	if len(w.p.Maps) > 1 {
		return 14
	}
	return 8
}

// compares reports whether the program compares a parameter of that name: it
// treats some keys in a way of their own, or asks for a value.
func (w *world) compares(name string) bool {
	compares := false
	for _, f := range w.p.Funcs {
		program.EachExpr(f.Body, func(x program.Expr) {
			if b, ok := x.(*program.Bin); ok && b.Op != "+" {
				for _, x := range []program.Expr{b.X, b.Y} {
					r, ok := x.(*program.Ref)
					compares = compares || ok && r.Name == name
				}
			}
		})
	}
	return compares
}

// bothSecond reports whether two calls have the second key: what they do to
// each other, they do with the first one too.
func bothSecond(x, y Invocation) bool {
	second := func(c Invocation) bool {
		return len(c.Args) > 0 && c.F.Params[0].Name == "k" && c.Args[0] == 2
	}
	return second(x) && second(y)
}

// writes reports whether an operation, or a method that it calls, has an act.
func writes(f *program.Func) bool {
	found := false
	program.Each(f.Body, func(s program.Stmt) {
		switch s.(type) {
		case *program.Set, *program.Add, *program.Delete, *program.Clear, *program.Make:
			found = true
		}
	})
	program.EachExpr(f.Body, func(x program.Expr) {
		if c, ok := x.(*program.Call); ok {
			found = found || writes(c.F)
		}
	})
	return found
}

// inRow returns the scenarios of one operation against two that write, all
// with key 1.
func (w *world) inRow() ([]*Scenario, error) {
	befores, err := w.befores(3)
	if err != nil {
		return nil, err
	}
	ops := w.p.Ops()
	var out []*Scenario
	for _, b := range befores {
		for _, f := range ops {
			for _, g := range ops {
				for _, h := range ops {
					if !writes(g) || !writes(h) {
						continue
					}
					x, y, z := invocations(f, 1)[0], invocations(g, 2)[0], invocations(h, 3)[0]
					out = append(out, b.with([]Invocation{x}, []Invocation{y, z}))
				}
			}
		}
	}
	return out, nil
}

func (s *Scenario) with(threads ...[]Invocation) *Scenario {
	var parts []string
	for _, calls := range append([][]Invocation{s.Before}, threads...) {
		var names []string
		for _, c := range calls {
			names = append(names, c.String())
		}
		parts = append(parts, strings.Join(names, ", "))
	}
	return &Scenario{Before: s.Before, Threads: threads, memory: s.memory,
		Text: "after [" + parts[0] + "]: " + strings.Join(parts[1:], " || ")}
}

// before returns the calls that come before the goroutines: with a value of their
// own and, where the program asks for one, with that of the first goroutine, so
// that it finds what it asks for.
func (w *world) before(f *program.Func) []Invocation {
	out := invocations(f, 3)
	if len(f.Params) > 1 && w.compares("val") {
		out = append(invocations(f, 1), out...)
	}
	return out
}

// befores returns the memories that at most two operations make, different
// ones, up to a limit, as scenarios without goroutines. Those come first in which
// a map has entries under keys as in no other one, then those in which it has other
// values.
func (w *world) befores(limit int) ([]*Scenario, error) {
	rest, err := w.memoriesMade()
	if err != nil {
		return nil, err
	}
	var out []*Scenario
	for _, show := range [...]func(cells []int16) string{occupied, func(cells []int16) string { return fmt.Sprint(cells) }} {
		seen := make(map[string]bool)
		rest = slices.DeleteFunc(rest, func(sc *Scenario) bool {
			fresh := false
			for m := range w.p.Maps {
				text := fmt.Sprint(m, sc.memory.made[m], show(sc.memory.cells[m*keys:(m+1)*keys]))
				fresh = fresh || !seen[text]
				seen[text] = true
			}
			if fresh {
				out = append(out, sc)
			}
			return fresh
		})
	}
	out = append(out, rest...)
	return out[:min(len(out), limit)], nil
}

// occupied writes under which keys there is an entry.
func occupied(cells []int16) string {
	var out []bool
	for _, v := range cells {
		out = append(out, v != absent)
	}
	return fmt.Sprint(out)
}

// memoriesMade returns all the different memories that at most two operations
// make, the ones of fewer operations first.
func (w *world) memoriesMade() ([]*Scenario, error) {
	var calls []Invocation
	for _, f := range w.p.Ops() {
		calls = append(calls, w.before(f)...)
	}
	out := []*Scenario{{memory: w.fresh()}}
	seen := map[string]bool{out[0].memory.text(): true}
	for i, depth := 0, 0; i < len(out) && depth < 2; i++ {
		depth = len(out[i].Before)
		if depth == 2 {
			break
		}
		for _, c := range calls {
			mem, err := w.after(out[i].memory, c)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", c, err)
			}
			if text := mem.text(); !seen[text] {
				seen[text] = true
				out = append(out, &Scenario{Before: append(slices.Clone(out[i].Before), c), memory: mem})
			}
		}
	}
	return out, nil
}

// text tells memories apart; items that no map holds do not matter.
func (m *memory) text() string { return fmt.Sprint(m.cells, m.made) }

// after runs one call alone.
func (w *world) after(mem *memory, c Invocation) (*memory, error) {
	w.serial = false
	s := w.start(mem, w.thread([]Invocation{c}))
	defer func() { w.codes = w.codes[:w.base()] }()
	for !s.threads[0].done() && !s.panics && w.err == nil {
		if !w.enabled(s, 0) {
			return nil, errDeadlock
		}
		w.step(s, 0)
	}
	if s.panics {
		w.fail("panics")
	}
	return &memory{cells: s.cells, made: s.made, items: s.items}, w.err
}

// Outcomes are the outcomes of a scenario, in any interleaving.
type Outcomes struct {
	Scenario *Scenario
	Set      map[string]bool
}

// AllOutcomes returns the outcomes of the scenarios of a documented program in
// which two operations meet.
func AllOutcomes(p *program.Program) ([]Outcomes, error) {
	w, err := newWorld(p)
	if err != nil {
		return nil, err
	}
	scenarios, err := w.pairwise()
	if err != nil {
		return nil, err
	}
	var out []Outcomes
	for _, sc := range scenarios {
		found, err := w.outcomes(sc, false, nil)
		if err != nil {
			return nil, err
		}
		o := Outcomes{Scenario: sc, Set: make(map[string]bool)}
		for text := range found {
			o.Set[text] = true
		}
		out = append(out, o)
	}
	return out, nil
}
