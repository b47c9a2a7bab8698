package infer_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mapguard/mapguard/analyzer/internal/trial"
)

const head = `package p

import "sync"

type T struct {
	mu, other sync.Mutex
	m         map[int]int
}

`

// What is known of a function's callers, also where functions call each other.
func TestContexts(t *testing.T) {
	for _, c := range []struct{ name, src, fn, want string }{
		{"all callers hold it", `
func (t *T) A() { t.mu.Lock(); t.f(); t.mu.Unlock() }
func (t *T) B() { t.mu.Lock(); defer t.mu.Unlock(); t.f() }
func (t *T) f() { delete(t.m, 1) }`, "T.f", "entered under t.mu (write)"},
		{"one does not", `
func (t *T) A() { t.mu.Lock(); t.f(); t.mu.Unlock() }
func (t *T) B() { t.f() }
func (t *T) f() { delete(t.m, 1) }`, "T.f", "usually under t.mu (write) (1 of 2 calls)"},
		{"most do not", `
func (t *T) A() { t.mu.Lock(); t.f(); t.mu.Unlock() }
func (t *T) B() { t.f() }
func (t *T) C() { t.f() }
func (t *T) f() { delete(t.m, 1) }`, "T.f", "nothing is known"},
		{"two locks", `
func (t *T) A() { t.mu.Lock(); t.f(); t.mu.Unlock() }
func (t *T) B() { t.other.Lock(); t.f(); t.other.Unlock() }
func (t *T) f() { delete(t.m, 1) }`, "T.f", "nothing is known"},
		{"through a function that calls itself", `
func (t *T) A(n int) { t.mu.Lock(); t.f(n); t.mu.Unlock() }
func (t *T) f(n int) { delete(t.m, n); if n > 0 { t.f(n-1) } }`, "T.f", "entered under t.mu (write)"},
		{"through functions that call each other", `
func (t *T) A(n int) { t.mu.Lock(); t.even(n); t.mu.Unlock() }
func (t *T) even(n int) { delete(t.m, n); if n > 0 { t.odd(n-1) } }
func (t *T) odd(n int) { if n > 0 { t.even(n-1) } }`, "T.odd", "entered under t.mu (write)"},
		{"which one gives up on the way", `
func (t *T) A(n int) { t.mu.Lock(); t.even(n); t.mu.Unlock() }
func (t *T) even(n int) { delete(t.m, n); if n > 0 { t.mu.Unlock(); t.odd(n-1); t.mu.Lock() } }
func (t *T) odd(n int) { t.mu.Lock(); defer t.mu.Unlock(); if n > 0 { t.even(n-1) } }`, "T.odd", "nothing is known"},
		{"made by every caller", `
func A() { f(&T{m: map[int]int{}}) }
func f(t *T) { delete(t.m, 1) }`, "f", "owns input 0"},
		{"made by one of two", `
var known *T
func A() { f(&T{m: map[int]int{}}) }
func B() { f(known) }
func f(t *T) { delete(t.m, 1) }`, "f", "nothing is known"},
		{"during initialisation", `
var m = map[int]int{}
func init() { f() }
func f() { delete(m, 1) }`, "f", "runs during initialisation"},
		{"once", `
var once sync.Once
var m = map[int]int{}
func A() { once.Do(f) }
func f() { delete(m, 1) }`, "f", "runs once"},
		{"exported", `
func (t *T) F() { delete(t.m, 1) }`, "T.F", "called from anywhere"},
	} {
		f := trial.Run(t, head+c.src).Func(c.fn)
		if got := f.Callers(); got != c.want {
			t.Errorf("%s: %s: %s, not %s", c.name, c.fn, got, c.want)
		}
		if len(f.Cuts) > 0 {
			t.Errorf("%s: %s", c.name, f.Cuts)
		}
	}
}

// A ring of functions that call each other settles, whatever its length, within
// the bounds on rounds: the lock that the way into the ring takes is known all
// around, and a lock that one of them takes and gives back is no effect of any.
func TestRingsSettle(t *testing.T) {
	for _, n := range []int{2, 13, 70, 200} {
		var b strings.Builder
		b.WriteString(head + "func (t *T) In(n int) { t.mu.Lock(); t.f0(n); t.mu.Unlock() }\n")
		for i := range n {
			fmt.Fprintf(&b, "func (t *T) f%d(n int) { delete(t.m, n); t.other.Lock(); t.other.Unlock(); if n > 0 { t.f%d(n-1) } }\n", i, (i+1)%n)
		}
		p := trial.Run(t, b.String())
		for _, f := range p.Pkg.Funcs {
			if len(f.Cuts) > 0 {
				t.Fatalf("a ring of %d: %s: %s", n, f.Name, f.Cuts)
			}
			if f.Name == fmt.Sprintf("T.f%d", n-1) && (f.Callers() != "entered under t.mu (write)" || !f.Effect.None()) {
				t.Errorf("a ring of %d: %s: %s; %s", n, f.Name, f.Callers(), f.Effect)
			}
		}
	}
}

// The same program gives the same contexts and summaries each time, and another
// caller without the lock never adds a promise.
func TestContextsAreStable(t *testing.T) {
	src := head + `
func (t *T) A(n int) { t.mu.Lock(); t.even(n); t.mu.Unlock() }
func (t *T) B(n int) { t.mu.Lock(); t.odd(n); t.mu.Unlock() }
func (t *T) even(n int) { delete(t.m, n); if n > 0 { t.odd(n-1) } }
func (t *T) odd(n int) { if n > 0 { t.even(n-1) } }
`
	write := func(p *trial.Program) string {
		var b strings.Builder
		for _, f := range p.Pkg.Funcs {
			fmt.Fprintf(&b, "%s%s\n", f, f.Callers())
		}
		return b.String()
	}
	first := trial.Run(t, src)
	if again := trial.Run(t, src); write(first) != write(again) {
		t.Errorf("first\n%s\nthen\n%s", write(first), write(again))
	}
	more := trial.Run(t, src+"func (t *T) C(n int) { t.odd(n) }\n")
	for _, name := range []string{"T.even", "T.odd"} {
		had, has := first.Func(name), more.Func(name)
		if len(has.Ctx.Entry) > len(had.Ctx.Entry) || len(has.Ctx.Usual) > len(had.Ctx.Usual) {
			t.Errorf("%s: %s, then %s", name, had.Callers(), has.Callers())
		}
	}

}
