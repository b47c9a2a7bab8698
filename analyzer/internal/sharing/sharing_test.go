package sharing_test

import (
	"testing"

	"github.com/mapguard/mapguard/analyzer/internal/sharing"
	"github.com/mapguard/mapguard/analyzer/internal/trial"
)

// Confidences are ordered, and come back as they are written.
func TestConfidence(t *testing.T) {
	all := []sharing.Confidence{sharing.Low, sharing.Medium, sharing.High}
	for i, c := range all {
		if got, err := sharing.Parse(c.String()); got != c || err != nil {
			t.Errorf("%s comes back as %s, %v", c, got, err)
		}
		if i > 0 && c <= all[i-1] {
			t.Errorf("%s is not above %s", c, all[i-1])
		}
	}
	for _, s := range []string{"", "none", "High", "highest"} {
		if c, err := sharing.Parse(s); err == nil {
			t.Errorf("%q is read as %s", s, c)
		}
	}
}

const plain = `package p

import "sync"

var _ sync.Mutex

type T struct {
	m map[int]int
}

func New() *T { return &T{m: map[int]int{}} }

func (t *T) Put(k int) { t.m[k] = 1 }
func (t *T) Get(k int) int { return t.m[k] }
`

// Why a place is shared, by what a program shows. The rows are in the order of
// the strength that they should have.
func TestEvidence(t *testing.T) {
	for _, c := range []struct{ name, src, place, want string }{
		{"nothing", plain, "m", "low: nothing in this package shows a second goroutine"},
		{"denied", `package p
// A T is not safe for concurrent use.
type T struct { m map[int]int }
func (t *T) Put(k int) { t.m[k] = 1 }
func (t *T) Get(k int) int { return t.m[k] }
`, "m", "low: documented as for one goroutine at a time"},
		{"package-level", `package p
var m = map[int]int{}
func Put(k int) { m[k] = 1 }
func Get(k int) int { return m[k] }
`, "m", "medium: package-level map, changed by Put"},
		{"of a program", `package main
var m = map[int]int{}
func main() { put(1); println(m[1]) }
func put(k int) { m[k] = 1 }
`, "m", "low: nothing in this package shows a second goroutine"},
		{"the type's promise", `package p
// A T is safe for concurrent use.
type T struct { m map[int]int }
func (t *T) Put(k int) { t.m[k] = 1 }
func (t *T) Get(k int) int { return t.m[k] }
`, "m", "high: documented as safe for concurrent use"},
		{"a function's promise", `package p
type T struct { m map[int]int }
// Put is safe for concurrent use.
func (t *T) Put(k int) { t.m[k] = 1 }
func (t *T) Get(k int) int { return t.m[k] }
`, "m", "high: T.Put is documented as safe for concurrent use"},
		{"a wish", `package p
type T struct { m map[int]int }
// Put adds one.
//
// TODO: Make it safe for concurrent use.
func (t *T) Put(k int) { t.m[k] = 1 }
func (t *T) Get(k int) int { return t.m[k] }
`, "m", "high: the comment on T.Put says that it is to be safe for concurrent use"},
		{"the holder's promise", `package p
// A Server is safe for concurrent use.
type Server struct { c *conf }
type conf struct { m map[int]int }
func (s *Server) Put(k int) { s.c.m[k] = 1 }
func (s *Server) Get(k int) int { return s.c.m[k] }
`, "m", "high: the documentation of what holds it in c says that it is safe for concurrent use"},
		{"a goroutine", `package p
type T struct { m map[int]int }
func (t *T) Start() { go t.run(); t.m[2] = 1 }
func (t *T) run() { t.m[1] = 1 }
`, "m", "high: a goroutine started in T.Start reaches it, beside T.Start"},
		{"use under a lock", `package p
import "sync"
type T struct { mu sync.Mutex; m map[int]int }
func (t *T) Put(k int) { t.mu.Lock(); t.m[k] = 1; t.mu.Unlock() }
func (t *T) Get(k int) int { t.mu.Lock(); defer t.mu.Unlock(); return t.m[k] }
`, "m", "high: mu protects it (held at 2 of 2 accesses)"},
		{"a lock's name", `package p
import "sync"
type T struct { itemsMu sync.Mutex; items map[int]int }
func (t *T) Put(k int) { t.items[k] = 1 }
func (t *T) Get(k int) int { t.itemsMu.Lock(); defer t.itemsMu.Unlock(); return t.items[k] }
`, "items", "high: itemsMu is named for it (held at 1 of 2 accesses)"},
		{"a comment", `package p
import "sync"
type T struct {
	mu sync.Mutex // protects m
	m map[int]int
}
func (t *T) Put(k int) { t.mu.Lock(); t.m[k] = 1; t.mu.Unlock() }
func (t *T) Get(k int) int { return t.m[k] }
`, "m", "high: a comment says that mu protects it (held at 1 of 2 accesses)"},
		{"a declaration", `package p
import "sync"
type T struct {
	mu sync.Mutex
	// guarded by mu
	m map[int]int
}
func (t *T) Put(k int) { t.mu.Lock(); t.m[k] = 1; t.mu.Unlock() }
func (t *T) Get(k int) int { return t.m[k] }
`, "m", "high: declared guarded by mu (held at 1 of 2 accesses)"},
	} {
		p := trial.Run(t, c.src)
		if got := p.Sharing.Of(p.Place(c.place)).String(); got != c.want {
			t.Errorf("%s: %s, not %s", c.name, got, c.want)
		}
	}
}

// A program that shows more never has weaker evidence.
func TestEvidenceIsMonotone(t *testing.T) {
	confidence := func(src string) sharing.Confidence {
		p := trial.Run(t, src)
		return p.Sharing.Of(p.Place("m")).Confidence
	}
	base := confidence(plain)
	for name, more := range map[string]string{
		"a goroutine":           "func (t *T) Start() { go t.Put(1) }\n",
		"two goroutines":        "func (t *T) Start() { go t.Put(1); go t.Put(2) }\n",
		"a goroutine in a loop": "func (t *T) Start() { for { go t.Put(1) } }\n",
		"a promise":             "// Del is safe for concurrent use.\nfunc (t *T) Del(k int) { delete(t.m, k) }\n",
		"a reader":              "func (t *T) Len() int { return len(t.m) }\n",
		"a global":              "var Known = New()\n",
	} {
		if got := confidence(plain + more); got < base {
			t.Errorf("%s lowers %s to %s", name, base, got)
		}
	}
}

// The pairs of a place are of accesses that clash, each found from both sides.
func TestPairs(t *testing.T) {
	p := trial.Run(t, `package p
type T struct { m map[int]int }
func (t *T) Start() { go t.run(); go t.walk() }
func (t *T) run() { t.m[1] = 1 }
func (t *T) walk() { for range t.m {} }
`)
	pairs := p.Sharing.Pairs(p.Place("m"))
	if len(pairs) == 0 {
		t.Fatal("no pair")
	}
	for _, pair := range pairs {
		a, b := pair.A.Acc, pair.B.Acc
		if !a.Op.Writes() && !b.Op.Writes() {
			t.Errorf("%s and %s do not clash", a, b)
		}
		if pair.Evidence.Confidence != sharing.High || !pair.Evidence.Threads() {
			t.Errorf("%s and %s: %s", a, b, pair.Evidence)
		}
		_, one := p.Threads.Meet(pair.A, pair.B, nil)
		_, other := p.Threads.Meet(pair.B, pair.A, nil)
		if !one || !other {
			t.Errorf("%s and %s meet from one side alone", a, b)
		}
	}
}
