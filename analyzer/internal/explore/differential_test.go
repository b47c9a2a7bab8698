package explore_test

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"

	"github.com/mapguard/mapguard/analyzer/internal/explore/machine"
)

// The figures that hold today, in percent, with a little room: in a sample of three
// hundred programs one is already much. They are to be raised, and the last one
// lowered, as mapguard gets better.
const (
	floorLow       = 97.7 // of wrong programs, found at low
	floorDefault   = 96.5 // of wrong programs, found by default
	ceilingDefault = 0.5  // of clean programs, with a finding by default
)

// The floors that hold where there are as many programs.
const (
	many        = 2000
	manyLow     = 98.0
	manyDefault = 96.0
)

var (
	programs  = flag.Int("programs", 300, "how many programs TestDifferential compares")
	firstSeed = flag.Int64("first", 0, "the first seed of TestDifferential and TestReal")
	failures  = flag.String("failures", "", "write the failing programs of TestDifferential to this file")
)

// TestDifferential compares mapguard with the truth.
func TestDifferential(t *testing.T) {
	sum := newTally()
	for _, c := range gather(t, *firstSeed, *programs) {
		sum.add(c)
	}
	t.Log("\n" + sum.String())
	if *failures != "" {
		if err := os.WriteFile(*failures, []byte(sum.failures()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	leastLow, least := floorLow, floorDefault
	if *programs >= many {
		leastLow, least = manyLow, manyDefault
	}
	if low := sum.found(atLow); low < leastLow {
		t.Errorf("%.1f %% of wrong programs are found at low, %.1f %% were", low, leastLow)
	}
	if byDefault := sum.found(atDefault); byDefault < least {
		t.Errorf("%.1f %% of wrong programs are found by default, %.1f %% were", byDefault, least)
	}
	if alarms := sum.alarms(atDefault); alarms > ceilingDefault {
		t.Errorf("%.2f %% of clean programs have a finding by default, %.2f %% had", alarms, ceilingDefault)
	}
}

// gather examines so many good programs, in parallel, in the order of their
// seeds.
func gather(t *testing.T, first int64, n int) []*testCase {
	t.Helper()
	cases := make([]*testCase, n)
	seeds := make(chan int)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range seeds {
				c, err := fromSeed(first + int64(i))
				if _, bad := errors.AsType[badProgram](err); err != nil && !bad {
					t.Errorf("seed %d: %v", first+int64(i), err)
				}
				cases[i] = c
			}
		})
	}
	for i := range n {
		seeds <- i
	}
	close(seeds)
	wg.Wait()
	return slices.DeleteFunc(cases, func(c *testCase) bool { return c == nil })
}

// A tally counts results by class.
type tally struct {
	classes map[string]*[len(analyzers)]map[result]int
	cases   []*testCase
}

// everything is the class of all programs.
const everything = "all"

func newTally() *tally {
	return &tally{classes: make(map[string]*[len(analyzers)]map[result]int)}
}

func (s *tally) add(c *testCase) {
	s.cases = append(s.cases, c)
	for _, class := range append([]string{everything, "truth " + c.truth.Verdict.String()}, c.prog.Tags...) {
		counts := s.classes[class]
		if counts == nil {
			counts = &[len(analyzers)]map[result]int{{}, {}}
			s.classes[class] = counts
		}
		for level := range analyzers {
			counts[level][c.result(level)]++
		}
	}
}

// found is how many of the wrong programs are found, alarms how many of the
// clean ones have a finding, in percent.
func (s *tally) found(level int) float64 {
	counts := s.classes[everything][level]
	return percent(counts[found], counts[found]+counts[missed])
}

func (s *tally) alarms(level int) float64 {
	counts := s.classes[everything][level]
	return percent(counts[falseAlarm], counts[falseAlarm]+counts[quiet])
}

func percent(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return 100 * float64(n) / float64(of)
}

// String is a table with a line for each class, the worst ones first.
func (s *tally) String() string {
	classes := slices.Collect(maps.Keys(s.classes))
	slices.SortFunc(classes, func(a, b string) int {
		if a == everything || b == everything {
			return cmp.Compare(rank(a), rank(b))
		}
		return cmp.Or(cmp.Compare(s.bad(b), s.bad(a)), cmp.Compare(a, b))
	})
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "class\tprograms\twrong\tmissed by default\tmissed at low\tclean\tfalse by default\tfalse at low\ttaste")
	for _, class := range classes {
		byDefault, low := s.classes[class][atDefault], s.classes[class][atLow]
		wrong, clean := low[found]+low[missed], low[quiet]+low[falseAlarm]
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\n", class, wrong+clean+low[taste],
			wrong, byDefault[missed], low[missed], clean, byDefault[falseAlarm], low[falseAlarm], low[taste])
	}
	w.Flush()
	fmt.Fprintf(&b, "\n%s", s.reasons())
	fmt.Fprintf(&b, "found by default %.1f %%, at low %.1f %%; false by default %.2f %%, at low %.2f %%\n",
		s.found(atDefault), s.found(atLow), s.alarms(atDefault), s.alarms(atLow))
	return b.String()
}

// reasons lists the matters of taste by the first reason for each, with their
// seeds.
func (s *tally) reasons() string {
	seeds := make(map[string][]int64)
	for _, c := range s.cases {
		if t := c.truth; t.Verdict == machine.Taste {
			why := whyTaste(t)
			seeds[why] = append(seeds[why], c.prog.Seed)
		}
	}
	var b strings.Builder
	for _, why := range slices.Sorted(maps.Keys(seeds)) {
		fmt.Fprintf(&b, "taste, %d %s: seeds %s\n", len(seeds[why]), why, strings.Trim(fmt.Sprint(seeds[why]), "[]"))
	}
	return b.String()
}

func whyTaste(t *machine.Truth) string {
	switch {
	case t.Loose != machine.Tight:
		return "owed to " + string(t.Loose)
	case t.Stale:
		return "stale without harm"
	case t.Unserializable:
		return "not serializable without a stale decision"
	}
	return "race on an item"
}

// rank puts the class of all programs first.
func rank(class string) int {
	if class == everything {
		return 0
	}
	return 1
}

// bad counts the failures of a class by default.
func (s *tally) bad(class string) int {
	counts := s.classes[class][atDefault]
	return counts[missed] + counts[falseAlarm]
}

// failures prints the programs on which mapguard fails by default or at low.
func (s *tally) failures() string {
	var b strings.Builder
	for _, c := range s.cases {
		if c.fails(atDefault) || c.fails(atLow) && c.truth.Verdict.Wrong() {
			fmt.Fprintf(&b, "%s\n----\n", c)
		}
	}
	return b.String()
}

// fails reports whether mapguard is wrong about the program.
func (c *testCase) fails(level int) bool {
	r := c.result(level)
	return r == missed || r == falseAlarm
}
