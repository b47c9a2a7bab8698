package main

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/mapguard/mapguard/analyzer/finding"
)

// colored reports whether a file is a terminal that wants colours.
func colored(f *os.File) bool {
	return os.Getenv("NO_COLOR") == "" && terminal(f)
}

// terminal reports whether a file is one that follows escape sequences. The
// compile and shell buffers of Emacs are pseudo-terminals and show them as they
// are; its terminal emulators set INSIDE_EMACS to other words.
func terminal(f *os.File) bool {
	emacs := os.Getenv("INSIDE_EMACS")
	if os.Getenv("TERM") == "dumb" || strings.Contains(emacs, "compile") || strings.Contains(emacs, "comint") {
		return false
	}
	return term.IsTerminal(int(f.Fd()))
}

// A progress is a line that says how far the run is. It shows on a terminal
// only. It is safe for concurrent use.
type progress struct {
	out   *os.File // nil where it does not show
	begun time.Time

	mu   sync.Mutex
	done int // the largest shown: calls can overtake each other
}

func newProgress(f *os.File) *progress {
	p := &progress{begun: time.Now()}
	if terminal(f) {
		p.out = f
		fmt.Fprint(f, "\r\x1b[Kloading packages")
	}
	return p
}

// show tells that done of total packages are analysed.
func (p *progress) show(done, total int) {
	if p.out == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if done > p.done {
		p.done = done
		fmt.Fprintf(p.out, "\r\x1b[K%d of %d packages", done, total)
	}
}

// say tells what is being done.
func (p *progress) say(what string) {
	if p.out == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	fmt.Fprintf(p.out, "\r\x1b[K%s", what)
}

// clear removes the line; another run can follow.
func (p *progress) clear() {
	if p.out == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done = 0
	fmt.Fprint(p.out, "\r\x1b[K")
}

// close says in one line what the run has found, where the progress shows.
func (p *progress) close(findings []finding.Finding, packages int) {
	if p.out == nil {
		return
	}
	fmt.Fprintln(p.out, closing(findings, packages, time.Since(p.begun)))
}

// closing words the end of a run: the findings by confidence, the packages, the
// time.
func closing(findings []finding.Finding, packages int, took time.Duration) string {
	by := make(map[string]int)
	for _, f := range findings {
		by[f.Confidence]++
	}
	var parts []string
	for _, confidence := range []string{"high", "medium", "low"} {
		if n := by[confidence]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, confidence))
		}
	}
	text := "no findings"
	if len(parts) > 0 {
		text = count(len(findings), "finding") + " (" + strings.Join(parts, ", ") + ")"
	}
	return fmt.Sprintf("mapguard: %s in %s, %.1f s", text, count(packages, "package"), took.Seconds())
}
