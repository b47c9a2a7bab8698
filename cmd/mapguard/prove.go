package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"path/filepath"
	"slices"
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
}

func (p *proving) define(set *flag.FlagSet) {
	set.BoolVar(&p.on, "prove", false, "run the module's tests with probes at each finding, and say which findings were confirmed; this executes code")
	set.DurationVar(&p.time, "prove-time", time.Minute, "how long -prove may run the tests for the findings of one package")
	set.StringVar(&p.keep, "prove-keep", "", "write the drivers of -prove that confirmed findings as tests into this `directory`")
	set.BoolVar(&p.onlyConfirmed, "only-confirmed", false, "with -prove, report only findings that were confirmed")
}

// checkProve refuses flags that -prove cannot follow.
func (o *options) checkProve(given map[string]bool) error {
	p := &o.prove
	switch {
	case !p.on && (p.onlyConfirmed || given["prove-time"] || given["prove-keep"]):
		return errors.New("-only-confirmed, -prove-time and -prove-keep are for -prove: give it, too")
	case !p.on:
		return nil
	case given["prove-keep"] && p.keep == "":
		return errors.New("-prove-keep is empty: give it a value, or leave it out")
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
	err := prove.Run(ctx, conf, findings)
	c.progress.clear()
	if err != nil {
		return nil, fmt.Errorf("-prove: %w", err)
	}
	fmt.Fprintln(c.stderr, "mapguard: "+summary(findings))
	if c.prove.onlyConfirmed {
		findings = slices.DeleteFunc(findings, func(f finding.Finding) bool { return f.Proof == nil || f.Proof.Status != finding.Confirmed })
	}
	return findings, nil
}

// summary counts the results.
func summary(findings []finding.Finding) string {
	counts := make(map[finding.Status]int)
	for _, f := range findings {
		if f.Proof != nil {
			counts[f.Proof.Status]++
		}
	}
	out := []string{fmt.Sprintf("%d of %s confirmed", counts[finding.Confirmed], count(len(findings), "finding"))}
	for _, s := range []finding.Status{finding.NotProvoked, finding.NotReached, finding.NotProbed} {
		if counts[s] > 0 {
			out = append(out, fmt.Sprintf("%d %s", counts[s], s))
		}
	}
	return strings.Join(out, ", ")
}
