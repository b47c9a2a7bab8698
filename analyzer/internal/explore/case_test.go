package explore_test

import (
	"fmt"
	"strings"

	"github.com/mapguard/mapguard/analyzer/finding"
	"github.com/mapguard/mapguard/analyzer/internal/explore/generate"
	"github.com/mapguard/mapguard/analyzer/internal/explore/machine"
	"github.com/mapguard/mapguard/analyzer/internal/explore/program"
)

// The levels of confidence that are compared, as indexes of analyzers.
const (
	atDefault = iota
	atLow
)

// A testCase is a program, what is true of it, and what mapguard says.
type testCase struct {
	prog     *program.Program
	src      *program.Source
	truth    *machine.Truth
	findings [len(analyzers)][]finding.Finding
}

// examine judges a program and has it analysed. A program that is no good one
// has an error of type badProgram.
func examine(p *program.Program) (*testCase, error) {
	truth, err := machine.Judge(p)
	if err != nil {
		return nil, badProgram{err}
	}
	name := fmt.Sprintf("p%d", p.Seed)
	c := &testCase{prog: p, truth: truth}
	if c.src, err = program.Print(p, name); err != nil {
		return nil, err
	}
	pkg, err := load(c.src, name)
	if err != nil {
		return nil, fmt.Errorf("%w in\n%s", err, c.src.Text)
	}
	if c.findings, err = analyze(pkg); err != nil {
		return nil, fmt.Errorf("%w in\n%s", err, c.src.Text)
	}
	return c, nil
}

// A badProgram is one that the explorer refuses.
type badProgram struct{ error }

func fromSeed(seed int64) (*testCase, error) { return examine(generate.Program(seed)) }

// A result is how mapguard does on a program.
type result string

const (
	// found: a finding stands in a function that is wrong. missed: none does.
	found  result = "found"
	missed result = "missed"
	// quiet: nothing is wrong and nothing is reported. false: something is.
	quiet      result = "quiet"
	falseAlarm result = "false"
	// taste: neither is wrong.
	taste result = "taste"
)

// result compares truth and findings of a level.
func (c *testCase) result(level int) result {
	switch {
	case c.truth.Verdict == machine.Taste:
		return taste
	case c.truth.Verdict == machine.Clean && len(c.findings[level]) == 0:
		return quiet
	case c.truth.Verdict == machine.Clean:
		return falseAlarm
	}
	for i := range c.findings[level] {
		if c.concerns(&c.findings[level][i]) {
			return found
		}
	}
	return missed
}

// concerns reports whether a finding, or a place that it relates to, stands in
// a function that takes part in what is wrong.
func (c *testCase) concerns(f *finding.Finding) bool {
	lines := []int{f.Pos.Line}
	for _, r := range f.Related {
		lines = append(lines, r.Pos.Line)
	}
	for fn := range c.truth.Funcs {
		at := c.src.Funcs[fn]
		for _, line := range lines {
			if at[0] <= line && line <= at[1] {
				return true
			}
		}
	}
	return false
}

// String is all that there is to know of a case: source, truth, findings.
func (c *testCase) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "seed %d, tags: %s\n\n", c.prog.Seed, strings.Join(c.prog.Tags, "; "))
	for i, line := range strings.Split(strings.TrimSuffix(c.src.Text, "\n"), "\n") {
		fmt.Fprintln(&b, strings.TrimRight(fmt.Sprintf("%4d\t%s", i+1, line), "\t "))
	}
	fmt.Fprintf(&b, "\ntruth: %s (stale %t, not serializable %t, item race %t, owed to %q)\n", c.truth.Verdict, c.truth.Stale, c.truth.Unserializable, c.truth.ItemRace, c.truth.Loose)
	for i, p := range c.truth.Pairs {
		kind := "stale decision"
		if p.Race {
			kind = "race"
		}
		fmt.Fprintf(&b, "  %s: lines %d and %d, %s\n", kind, c.src.Lines[p.Look], c.src.Lines[p.Act], c.truth.Why[i])
	}
	for level, name := range [...]string{"default", "low"} {
		fmt.Fprintf(&b, "mapguard at %s: %s\n", name, c.result(level))
		for _, f := range c.findings[level] {
			fmt.Fprintf(&b, "  line %d: %s: %s (%s: %s)\n", f.Pos.Line, f.Category, f.Message, f.Confidence, f.Evidence)
		}
	}
	return b.String()
}
