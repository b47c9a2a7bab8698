package witness_test

import (
	"go/token"
	"strings"
	"testing"

	"github.com/mapguard/mapguard/analyzer/internal/sharing"
	"github.com/mapguard/mapguard/analyzer/internal/trial"
	"github.com/mapguard/mapguard/analyzer/internal/witness"
)

// split is a bug that each line of defence below takes away.
const split = `package p

import "sync"

type T struct {
	mu sync.Mutex
	m  map[string]*T
}

func (t *T) get(k string) *T { t.mu.Lock(); defer t.mu.Unlock(); return t.m[k] }
func (t *T) put(k string, v *T) { t.mu.Lock(); defer t.mu.Unlock(); t.m[k] = v }
`

const ensure = `
func (t *T) Ensure(k string) *T {
	v := t.get(k)
	if v == nil {
		v = &T{}
		t.put(k, v)
	}
	return v
}
`

// The first question without an answer is the reason; those before it are
// answered with yes, and those after it are not asked.
func TestFirstQuestionDecides(t *testing.T) {
	for _, c := range []struct{ name, src, fn, want string }{
		{"a witness", split + ensure, "T.Ensure",
			"who is B? yes: high: mu protects it (held at 2 of 2 accesses); the same object? yes: nothing excludes it; at the same time? yes: nothing excludes it; " +
				"does it matter? yes: two goroutines go on with two different objects, or both pass the test; high"},
		{"the same object?", split + `
func Fresh(k string) *T {
	t := &T{m: map[string]*T{}}
	if t.m[k] == nil {
		t.m[k] = &T{}
	}
	return t
}`, "Fresh", "the same object? no: only this call knows the object yet; at the same time? not asked; does it matter? not asked; silent"},
		{"at the same time?", split + `
func (t *T) Whole(k string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.m[k] == nil {
		t.m[k] = &T{}
	}
}`, "T.Whole", "at the same time? no: one critical section covers look and act; does it matter? not asked; silent"},
		{"does it matter?", split + `
func (t *T) Other() {
	if t.get("a") == nil {
		t.put("b", &T{})
	}
}`, "T.Other", "does it matter? no: look and act concern different keys; silent"},
	} {
		p := trial.Run(t, c.src)
		v := p.Pair(c.fn)
		found := false
		for _, x := range p.Judge.Explain(func(token.Pos) bool { return false }, func(x any) bool { return x == any(v) }) {
			found = true
			if got := x.String(); !strings.HasSuffix(got, c.want) {
				t.Errorf("%s: %s\nnot … %s", c.name, got, c.want)
			}
			inOrder(t, x)
		}
		if !found {
			t.Errorf("%s: not explained", c.name)
		}
	}
}

// inOrder checks that the questions come in their order, and that nothing is
// asked after the first no.
func inOrder(t *testing.T, x witness.Explanation) {
	t.Helper()
	last, no := witness.Question(0), false
	for _, a := range x.Answers {
		if a.Question <= last || a.Question > witness.Harm {
			t.Errorf("%s after %s", a.Question, last)
		}
		if no && a.Text != "" {
			t.Errorf("%s is asked after a no", a.Question)
		}
		last, no = a.Question, no || !a.Yes
	}
	if last != witness.Harm {
		t.Errorf("%d answers", len(x.Answers))
	}
	if no == (x.Reason == witness.NoReason) {
		t.Errorf("a no: %v; %s", no, x.Reason)
	}
}

// A row of the table bounds the confidence, and so does the evidence where the
// map is no concurrent one: no verdict is above either.
func TestConfidenceIsBounded(t *testing.T) {
	p := trial.Run(t, split+ensure+`
func (t *T) Drop(k string) { if t.get(k) != nil { t.mu.Lock(); delete(t.m, k); t.mu.Unlock() } }
func (t *T) Bare(k string) { if t.m[k] == nil { t.m[k] = &T{} } }
func (t *T) Start() { go t.Bare("a") }
`)
	graded := 0
	for _, v := range p.Judge.Candidates() {
		if v.Reason != witness.NoReason {
			if v.Confidence != 0 {
				t.Errorf("%s: %s, and yet %s", v.Func.Name, v.Reason, v.Confidence)
			}
			continue
		}
		graded++
		if v.Grade == witness.NoGrade || v.Confidence > v.Grade.Confidence() || v.Confidence > v.Evidence.Confidence {
			t.Errorf("%s: %s of %q with %s", v.Func.Name, v.Confidence, v.Grade.Text(), v.Evidence)
		}
	}
	if graded < 3 {
		t.Errorf("only %d witnesses", graded)
	}
}

// More evidence never lowers a verdict: what shows that goroutines meet, or that
// the lock is the map's, leaves it where it is or raises it.
func TestVerdictsAreMonotone(t *testing.T) {
	bare := `
func (t *T) Ensure(k string) *T {
	if v := t.m[k]; v != nil {
		return v
	}
	v := &T{}
	t.m[k] = v
	return v
}
`
	head, _, _ := strings.Cut(split, "func")
	more := map[string]string{
		"a goroutine":       "func (t *T) Start() { go t.Ensure(\"a\") }\n",
		"a loop of them":    "func (t *T) Start() { for { go t.Ensure(\"a\") } }\n",
		"a reader":          "func (t *T) Len() int { return len(t.m) }\n",
		"a locked reader":   "func (t *T) Len() int { t.mu.Lock(); defer t.mu.Unlock(); return len(t.m) }\n",
		"a locked deletion": "func (t *T) Del(k string) { t.mu.Lock(); defer t.mu.Unlock(); delete(t.m, k) }\n",
		"a promise":         "// Ask is safe for concurrent use.\nfunc (t *T) Ask(k string) *T { return t.m[k] }\n",
	}
	for base, src := range map[string]string{"two sections": split + ensure, "no lock": head + bare} {
		before := trial.Run(t, src).Pair("T.Ensure")
		for name, add := range more {
			after := trial.Run(t, src+add).Pair("T.Ensure")
			if after.Confidence < before.Confidence || before.Reason == witness.NoReason && after.Reason != witness.NoReason {
				t.Errorf("%s: %s lowers %s to %s (%s)", base, name, before.Confidence, after.Confidence, after.Reason)
			}
		}
	}
}

// No row is beyond what flags can ask for.
func TestGrades(t *testing.T) {
	for g := witness.NoGrade + 1; g.Text() != ""; g++ {
		if c := g.Confidence(); c < sharing.Low || c > sharing.High {
			t.Errorf("%q: %d", g.Text(), c)
		}
	}
}
