package driver_test

import (
	"context"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/mapguard/mapguard/analyzer"
	"github.com/mapguard/mapguard/analyzer/finding"
	"github.com/mapguard/mapguard/cmd/mapguard/internal/driver"
)

const callers = `
-- go.mod --
module example.org/callers

go 1.26
-- cmd/run/main.go --
package main

import (
	"example.org/callers/internal/store"
	"example.org/callers/lib"
)

func main() {
	s, l := store.New(), lib.New()
	s.Fill("a")
	l.Fill("a")
	for range 3 {
		go func() {
			s.Mu.Lock()
			s.Held("a")
			s.Mu.Unlock()
			s.Bare("a")
			l.Add("a")
		}()
	}
	select {}
}
-- internal/store/store.go --
package store

import "sync"

type Store struct {
	Mu sync.Mutex
	m  map[string]int // guarded by Mu
}

func New() *Store { return &Store{m: make(map[string]int)} }

func (s *Store) Fill(k string) { s.m[k] = 1 }

func (s *Store) Held(k string) { s.m[k]++ }

func (s *Store) Bare(k string) {
	if _, ok := s.m[k]; !ok {
		s.m[k] = 1
	}
}

func (s *Store) Dead(k string) { s.m[k]++ }
-- lib/lib.go --
package lib

import "sync"

type Lib struct {
	mu sync.Mutex
	m  map[string]int // guarded by mu
}

func New() *Lib { return &Lib{m: make(map[string]int)} }

func (l *Lib) Fill(k string) { l.m[k] = 1 }

func (l *Lib) Add(k string) { l.mu.Lock(); l.m[k]++; l.mu.Unlock() }
`

func analyse(t *testing.T, dir string, cfg analyzer.Config, patterns ...string) *driver.Result {
	t.Helper()
	cfg.File = "none"
	res, err := driver.Run(context.Background(), driver.Config{Dir: dir, Patterns: patterns, Analyzer: analyzer.New(cfg)})
	if err != nil || len(res.Problems) > 0 {
		t.Fatal(err, res)
	}
	return res
}

func lines(findings []finding.Finding) []string {
	var out []string
	for _, f := range findings {
		out = append(out, fmt.Sprintf("%s:%d %s", filepath.Base(f.Pos.File), f.Pos.Line, f.Confidence))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// What is known of callers only silences, and only where all of the module is at
// hand. The result is the same each time.
func TestCallers(t *testing.T) {
	dir := module(t, callers)
	whole := analyse(t, dir, analyzer.Config{}, "./...")
	if got, want := lines(whole.Findings), []string{"store.go:17 medium"}; !slices.Equal(got, want) {
		t.Errorf("./... has %v, want %v", got, want)
	}
	for range 3 {
		if again := analyse(t, dir, analyzer.Config{}, "./..."); !reflect.DeepEqual(again.Findings, whole.Findings) {
			t.Errorf("another run gives %v", lines(again.Findings))
		}
	}
	for _, patterns := range [][]string{{"./internal/...", "./lib"}, {"./internal/store", "./lib", "./cmd/run"}} {
		part := lines(analyse(t, dir, analyzer.Config{}, patterns...).Findings)
		for _, f := range []string{"store.go:12 high", "store.go:14 high", "store.go:17 high", "store.go:22 high", "lib.go:12 high"} {
			if !slices.Contains(part, f) {
				t.Errorf("%v has not %s, but %v", patterns, f, part)
			}
		}
	}
}

// What -why says of a line is what a run reports there.
func TestCallersWhy(t *testing.T) {
	dir := module(t, callers)
	run := analyse(t, dir, analyzer.Config{Confidence: "low"}, "./...")
	for _, f := range run.Findings {
		why := analyse(t, dir, analyzer.Config{Why: fmt.Sprintf("%s:%d", f.Pos.File, f.Pos.Line)}, "./...")
		if !slices.ContainsFunc(why.Judgements, func(j finding.Judgement) bool {
			return j.Category == f.Category && j.Verdict == f.Confidence
		}) {
			t.Errorf("%s:%d %s %s: -why has %+v", f.Pos.File, f.Pos.Line, f.Category, f.Confidence, why.Judgements)
		}
	}
	for _, line := range []string{"store.go:12", "store.go:14", "store.go:22"} {
		for _, j := range analyse(t, dir, analyzer.Config{Why: line}, "./...").Judgements {
			if j.Verdict != "silent" {
				t.Errorf("%s: %+v", line, j)
			}
		}
	}
}
