package analyzer_test

import (
	"bytes"
	"encoding/gob"
	"go/types"
	"maps"
	"slices"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// factBytes runs the analyzer and returns, for each function with a fact, what
// it adds to the facts of its package: the types are described once for all.
func factBytes(t *testing.T, pass *analysis.Pass) map[string]int {
	t.Helper()
	out := make(map[string]int)
	pass.ExportObjectFact = func(obj types.Object, fact analysis.Fact) {
		f, ok := fact.(*summary.Fact)
		if !ok {
			return
		}
		var b bytes.Buffer
		enc := gob.NewEncoder(&b)
		for _, v := range []*summary.Fact{{}, f} {
			n := b.Len()
			if err := enc.Encode(v); err != nil {
				t.Fatal(err)
			}
			out[obj.(*types.Func).FullName()] = b.Len() - n
		}
	}
	run1(t, pass)
	return out
}

// Bounds on the facts of functions, in bytes: on the average of a package, and
// on each.
const (
	typicalFact = 512
	largestFact = 4 << 10
)

// However much a function does, its fact stays small.
func TestFactBytesBounded(t *testing.T) {
	for _, f := range families {
		t.Run(f.name, func(t *testing.T) {
			for name, n := range factBytes(t, generate(t, family{f.name, func(n int) string {
				return f.make(n) + "\n// Export lets the fact travel.\nfunc Export(c *cache, k string) { " + entry(f.name) + " }\n"
			}}, 1000)) {
				if n > largestFact {
					t.Errorf("the fact of %s has %d bytes, want at most %d", name, n, largestFact)
				}
			}
		})
	}
}

// entry is a call that reaches as much of a family as there is to reach.
func entry(family string) string {
	switch family {
	case "long":
		return "c.long(k, nil)"
	case "chain", "hub":
		return "c.f0(k)"
	case "shared":
		return "F0(k); F1(k)"
	}
	return "delete(c.m, k)"
}

// The facts of large packages of the standard library are small on average,
// and none is beyond the bound.
func TestFactBytesOfRealCode(t *testing.T) {
	for _, path := range []string{"net/http", "go/types"} {
		total, largest := 0, ""
		facts := factBytes(t, load(t, path))
		for _, name := range slices.Sorted(maps.Keys(facts)) {
			total += facts[name]
			if largest == "" || facts[name] > facts[largest] {
				largest = name
			}
		}
		if len(facts) == 0 {
			t.Errorf("%s has no facts", path)
			continue
		}
		t.Logf("%s: %d facts, %d bytes, the largest %d (%s)", path, len(facts), total, facts[largest], largest)
		if mean := total / len(facts); mean > typicalFact {
			t.Errorf("%s: a fact has %d bytes on average, want at most %d", path, mean, typicalFact)
		}
		if n := facts[largest]; n > largestFact {
			t.Errorf("%s: the fact of %s has %d bytes, want at most %d", path, largest, n, largestFact)
		}
	}
}
