package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mapguard/mapguard/analyzer/finding"
	"github.com/mapguard/mapguard/cmd/mapguard/internal/prove"
)

// proving is what the command line says of proofs.
type proving struct {
	on, onlyConfirmed bool
	time              time.Duration
	keep              string
	only              string
}

func (p *proving) define(set *flag.FlagSet) {
	set.BoolVar(&p.on, "prove", false, "run the module's tests with probes at each finding, and say which findings were confirmed; this executes code")
	set.DurationVar(&p.time, "prove-time", time.Minute, "how long -prove may run the tests for the findings of one package")
	set.StringVar(&p.keep, "prove-keep", "", "write the drivers of -prove that confirmed findings as tests into this `directory`")
	set.StringVar(&p.only, "prove-only", "", "with -prove, try only findings at these `places`: FILE, FILE:LINE, a directory, or DIR/..., separated by commas")
	set.BoolVar(&p.onlyConfirmed, "only-confirmed", false, "with -prove, report only findings that were confirmed")
}

// given reports whether one of the flags is given that say how to prove.
func (p *proving) given(flags map[string]bool) bool {
	return flags["prove-time"] || flags["prove-keep"] || flags["prove-only"]
}

// checkProve refuses flags that -prove cannot follow.
func (o *options) checkProve(given map[string]bool) error {
	p := &o.prove
	switch {
	case !p.on && (p.onlyConfirmed || p.given(given)):
		return errors.New("-only-confirmed, -prove-time, -prove-keep and -prove-only are for -prove: give it, too")
	case !p.on:
		return nil
	case given["prove-keep"] && p.keep == "":
		return errors.New("-prove-keep is empty: give it a value, or leave it out")
	case given["prove-only"] && strings.Trim(p.only, ", ") == "":
		return errors.New("-prove-only is empty: give it a place, or leave it out")
	case p.time <= 0:
		return fmt.Errorf("-prove-time %v: give a time above zero", p.time)
	case len(o.builds) > 1:
		return errors.New("-prove is for one build: give one -build")
	case o.config.Std:
		return errors.New("-prove cannot run the standard library: leave -std out")
	case o.writeBaseline || o.fix || o.diff || o.why != "":
		return errors.New("-prove reports findings: leave -write-baseline, -fix, -diff and -why out")
	}
	return nil
}

// proved has the findings proved, where that is asked for.
func (c *command) proved(ctx context.Context, findings []finding.Finding) ([]finding.Finding, error) {
	if !c.prove.on {
		return findings, nil
	}
	conf := prove.Config{Dir: c.dir, Tags: c.tags, Time: c.prove.time, Progress: c.progress.say}
	if c.prove.keep != "" {
		conf.Keep = c.prove.keep
		if !filepath.IsAbs(conf.Keep) {
			conf.Keep = filepath.Join(c.dir, conf.Keep)
		}
	}
	if len(c.builds) == 1 {
		conf.Tags, conf.Env = c.builds[0].Tags, c.builds[0].Env
	}
	chosen, places := c.toProve(findings)
	if len(chosen) == 0 && c.prove.only != "" && len(findings) > 0 {
		return nil, fmt.Errorf("-prove-only %s: no finding is there", c.prove.only)
	}
	err := prove.Run(ctx, conf, chosen)
	c.progress.clear()
	if err != nil {
		return nil, fmt.Errorf("-prove: %w", err)
	}
	for i, at := range places {
		findings[at] = chosen[i]
	}
	fmt.Fprintln(c.stderr, "mapguard: "+summary(findings))
	if c.prove.onlyConfirmed {
		findings = slices.DeleteFunc(findings, func(f finding.Finding) bool { return f.Proof == nil || f.Proof.Status != finding.Confirmed })
	}
	return findings, nil
}

// toProve are the findings that are to be proved, with their indices.
func (c *command) toProve(findings []finding.Finding) (chosen []finding.Finding, places []int) {
	for i, f := range findings {
		if c.prove.only == "" || slices.ContainsFunc(strings.Split(c.prove.only, ","), func(p string) bool { return c.isAt(f.Pos, strings.TrimSpace(p)) }) {
			chosen, places = append(chosen, f), append(places, i)
		}
	}
	return chosen, places
}

// isAt reports whether a position is at a place: a file, a line of one, a
// directory, or one with all that is below it.
func (c *command) isAt(pos finding.Position, place string) bool {
	if place == "" {
		return false
	}
	if file, line, ok := cutLast(place, ":"); ok {
		if n, err := strconv.Atoi(line); err == nil {
			return n == pos.Line && pos.File == c.absolute(file)
		}
	}
	if dir, ok := strings.CutSuffix(filepath.ToSlash(place), "..."); ok {
		root := c.absolute(dir)
		return strings.HasPrefix(pos.File, strings.TrimSuffix(root, string(filepath.Separator))+string(filepath.Separator))
	}
	at := c.absolute(place)
	return at == pos.File || at == filepath.Dir(pos.File)
}

func (c *command) absolute(name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(c.dir, name)
}

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// summary counts the results, those of the tests as they are by themselves.
func summary(findings []finding.Finding) string {
	counts := make(map[finding.Status]int)
	tests, untried := 0, 0
	for _, f := range findings {
		if f.Proof == nil {
			untried++
			continue
		}
		counts[f.Proof.Status]++
		if f.Proof.Status == finding.Confirmed && f.Proof.Source == finding.ByTests {
			tests++
		}
	}
	out := []string{fmt.Sprintf("%d of %s confirmed", counts[finding.Confirmed], count(len(findings), "finding"))}
	if n := counts[finding.Confirmed]; n > 0 {
		out[0] += fmt.Sprintf(" (%d by the tests as they are, %d by calls that -prove makes)", tests, n-tests)
	}
	for _, s := range []finding.Status{finding.NotProvoked, finding.NotReached, finding.NotProbed} {
		if counts[s] > 0 {
			out = append(out, fmt.Sprintf("%d %s", counts[s], s))
		}
	}
	if untried > 0 {
		out = append(out, fmt.Sprintf("%d not tried", untried))
	}
	return strings.Join(out, ", ")
}
