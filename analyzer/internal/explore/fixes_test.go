package explore_test

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"go/format"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mapguard/mapguard/analyzer/finding"
	"github.com/mapguard/mapguard/analyzer/internal/explore/generate"
	"github.com/mapguard/mapguard/analyzer/internal/explore/machine"
	"github.com/mapguard/mapguard/analyzer/internal/explore/program"
)

var fixed = flag.Int("fixed", 100, "how many programs TestFixedPrograms fixes")

// maxFixes is how often a program is fixed: the fixes of one run can make room for
// others.
const maxFixes = 4

// A repair is a wrong program with what its fixes make of it.
type repair struct {
	seed int64
	// source is the first text, text the last one.
	source, text string
	findings     int // at first
	fixed        int // of them, or of those that came after
	left         []finding.Finding
	doubts       []finding.Finding // that are left at low confidence
	changed      []*program.Func
	truth        *machine.Truth // of the fixed program
	// fault says what is wrong with the fixes, unsaid why they cannot be judged.
	fault, unsaid string
}

// TestFixedPrograms fixes generated programs until nothing changes. What comes
// out compiles and has no finding that was not there before; the explorer finds
// no deadlock in it, no race and no outcome that a serial execution does not have
// in the functions that were fixed, and serial executions end as before. What
// mapguard is still in doubt of, or cannot see, as the requests to an owner, is left
// out.
func TestFixedPrograms(t *testing.T) {
	repairs := make([]*repair, *fixed)
	seeds := make(chan int)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range seeds {
				repairs[i] = fixSeed(*firstSeed+int64(i), t.TempDir())
			}
		})
	}
	for i := range repairs {
		seeds <- i
	}
	close(seeds)
	wg.Wait()
	report(t, repairs)
}

func report(t *testing.T, repairs []*repair) {
	var wrong, found, some, whole, clean, unsaid int
	for _, r := range repairs {
		if r == nil {
			continue
		}
		wrong++
		if r.findings > 0 {
			found++
		}
		if r.fixed > 0 {
			some++
		}
		if r.fixed > 0 && len(r.left) == 0 {
			whole++
			if r.truth != nil && !r.truth.Verdict.Wrong() {
				clean++
			}
		}
		if r.unsaid != "" {
			unsaid++
		}
		if r.fault != "" {
			t.Errorf("seed %d: %s\n%s\nfixed:\n%s", r.seed, r.fault, r.source, r.text)
		}
	}
	t.Logf("%d wrong programs, %d with findings, %d with a fix, %d without a finding after it, of which %d are right as a whole; %d could not be judged", wrong, found, some, whole, clean, unsaid)
}

// fixSeed fixes a program in a directory; nil for one that is not wrong.
func fixSeed(seed int64, dir string) *repair {
	p := generate.Program(seed)
	c, err := examine(p)
	if err != nil || !c.truth.Verdict.Wrong() {
		return nil
	}
	r := &repair{seed: seed, source: c.src.Text, text: c.src.Text}
	var found [len(analyzers)][]finding.Finding
	for i := range maxFixes + 1 {
		if found, err = findings(r.text, fmt.Sprintf("p%d", seed), dir); err != nil {
			r.fault = err.Error()
			return r
		}
		if i == 0 {
			r.findings = len(found[atDefault])
		}
		text, n, err := applyAll(r.text, found[atDefault])
		if err != nil {
			r.fault = err.Error()
			return r
		}
		if n == 0 {
			break
		}
		if i == maxFixes {
			r.fault = "there is always something to fix"
			return r
		}
		r.fixed += n
		r.text = text
	}
	r.left, r.doubts = found[atDefault], found[atLow]
	if r.fixed > 0 {
		r.judge(c, p)
	}
	return r
}

// findings analyses a program as a file: fixes are made of files.
func findings(text, name, dir string) (all [len(analyzers)][]finding.Finding, err error) {
	path := filepath.Join(dir, "p.go")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		return all, err
	}
	pkg, err := loadFile(text, name, path)
	if err != nil {
		return all, fmt.Errorf("does not compile: %w", err)
	}
	return analyze(pkg)
}

// variant reports whether a fix has made f of a function that was wrong before: where
// others still lack the lock, what it does is raced on as before.
func variant(f *program.Func, wrong map[*program.Func]bool) bool {
	for g := range wrong {
		if f.Name == g.Name+"Locked" {
			return true
		}
	}
	return false
}

// judge runs the fixed program.
func (r *repair) judge(c *testCase, p *program.Program) {
	wrong := c.truth.Funcs
	changed, err := reread(p, r.source, r.text)
	if err != nil {
		r.unsaid = err.Error()
		return
	}
	r.changed = changed
	r.truth, err = machine.Judge(p)
	switch {
	case err != nil && err.Error() == "an act never runs":
		r.unsaid = err.Error()
		return
	case err != nil:
		r.fault = "the explorer: " + err.Error()
		return
	case !r.truth.Verdict.Wrong():
	default:
		for f := range r.truth.Funcs {
			if !wrong[f] && !variant(f, wrong) {
				r.fault = f.Name + " is wrong, and was not before"
				return
			}
		}
		if i := slices.IndexFunc(r.truth.Pairs, r.inside); i >= 0 && len(r.doubts) == 0 && p.Owners == 0 {
			r.fault = "wrong still: " + r.truth.Why[i]
			return
		}
	}
	for text, outcomes := range c.truth.Serial {
		if p.Main != nil {
			break // its goroutines are no operations
		}
		if now, ok := r.truth.Serial[text]; ok && now != outcomes {
			r.fault = fmt.Sprintf("%s: serial outcomes were\n%s\nand are\n%s", text, outcomes, now)
			return
		}
	}
}

// inside reports whether both steps of a pair stand in functions that were
// changed. What others do wrong, mapguard has missed.
func (r *repair) inside(p machine.Pair) bool {
	in := func(s program.Stmt) bool {
		return slices.ContainsFunc(r.changed, func(f *program.Func) bool {
			found := false
			program.Each(f.Body, func(t program.Stmt) { found = found || t == s })
			return found
		})
	}
	return in(p.Look) && in(p.Act)
}

// applyAll makes the first fix of each finding, where it does not meet an earlier
// one's.
func applyAll(text string, findings []finding.Finding) (string, int, error) {
	var edits []finding.Edit
	n := 0
	for _, f := range findings {
		if len(f.Fixes) == 0 {
			continue
		}
		meets := slices.ContainsFunc(f.Fixes[0].Edits, func(e finding.Edit) bool {
			return slices.ContainsFunc(edits, func(o finding.Edit) bool {
				return e != o && (e.Start == o.Start || e.Start < o.End && o.Start < e.End)
			})
		})
		if meets {
			continue
		}
		n++
		for _, e := range f.Fixes[0].Edits {
			if !slices.Contains(edits, e) {
				edits = append(edits, e)
			}
		}
	}
	if n == 0 {
		return text, 0, nil
	}
	slices.SortStableFunc(edits, func(a, b finding.Edit) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
	var out strings.Builder
	at := 0
	for _, e := range edits {
		if e.Start < at {
			return "", 0, errors.New("a fix contradicts itself")
		}
		out.WriteString(text[at:e.Start])
		out.WriteString(e.New)
		at = e.End
	}
	out.WriteString(text[at:])
	formatted, err := format.Source([]byte(out.String()))
	if err != nil {
		return "", 0, fmt.Errorf("%w in\n%s", err, out.String())
	}
	return string(formatted), n, nil
}
