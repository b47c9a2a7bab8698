package explore_test

import (
	"errors"
	"flag"
	"testing"

	"github.com/mapguard/mapguard/analyzer/internal/explore/generate"
	"github.com/mapguard/mapguard/analyzer/internal/explore/program"
	"github.com/mapguard/mapguard/analyzer/internal/explore/shrink"
)

var (
	seed     = flag.Int64("seed", -1, "print the program of this seed, truth and findings (TestSeed)")
	doShrink = flag.Bool("shrink", false, "make the program of -seed smaller while mapguard fails on it alike")
)

// TestSeed shows one program; it tests something only when asked to.
func TestSeed(t *testing.T) {
	if *seed < 0 {
		t.Skip("no -seed")
	}
	c, err := fromSeed(*seed)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("\n%s", c)
	if !*doShrink {
		return
	}
	if !c.fails(atDefault) && !c.fails(atLow) {
		t.Fatal("mapguard does not fail on it")
	}
	t.Logf("\n%s", shrunk(c))
}

// shrunk returns a least program of which the same is true as of c, and on
// which mapguard does the same.
func shrunk(c *testCase) *testCase {
	p := generate.Program(c.prog.Seed)
	least := c
	shrink.Program(p, func(p *program.Program) bool {
		got, err := examine(p)
		if err != nil {
			return false
		}
		same := got.truth.Verdict == c.truth.Verdict && got.result(atDefault) == c.result(atDefault) && got.result(atLow) == c.result(atLow)
		if same {
			least = got
		}
		return same
	})
	return least
}

// What is shrunk still fails, and is smaller.
func TestShrink(t *testing.T) {
	for seed := int64(0); seed < 300; seed++ {
		c, err := fromSeed(seed)
		if _, bad := errors.AsType[badProgram](err); bad {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if !c.truth.Verdict.Wrong() {
			continue
		}
		p := generate.Program(seed)
		shrink.Program(p, func(p *program.Program) bool {
			got, err := examine(p)
			return err == nil && got.truth.Verdict == c.truth.Verdict
		})
		got, err := examine(p)
		if err != nil {
			t.Fatal(err)
		}
		if got.truth.Verdict != c.truth.Verdict || len(got.src.Text) >= len(c.src.Text) {
			t.Errorf("seed %d: %s", seed, got)
		}
		return // one will do
	}
	t.Error("no seed is wrong")
}
