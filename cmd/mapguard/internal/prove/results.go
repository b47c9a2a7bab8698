package prove

import (
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/mapguard/mapguard/analyzer/finding"
)

// results are what runs have shown.
type results struct {
	s         *session
	confirmed map[int]*finding.Proof
	visits    map[int]int // by operation
	waits     map[int]int // by finding
	problems  map[string]string
	notes     map[string]string // what is to be known of a package's runs
	drivers   map[int]string    // why a finding has no driver
}

func newResults(s *session) *results {
	return &results{s, make(map[int]*finding.Proof), make(map[int]int), make(map[int]int), make(map[string]string), make(map[string]string), make(map[int]string)}
}

// settled reports whether no finding of some packages is open.
func (r *results) settled(pkgs []string) bool {
	for _, t := range r.s.list {
		if slices.Contains(pkgs, t.Package) && t.why == "" && r.confirmed[t.id] == nil {
			return false
		}
	}
	return true
}

// note keeps what is to be known of the runs for some packages.
func (r *results) note(pkgs []string, text string) {
	for _, p := range pkgs {
		r.notes[p] = text
	}
}

func (r *results) failed(pkgs []string, why string) {
	for _, p := range pkgs {
		r.problems[p] = why
	}
}

// skip names the findings that need no more proof.
func (r *results) skip() string {
	out := make([]byte, len(r.s.list))
	for i, t := range r.s.list {
		out[i] = '0'
		if t.why != "" || r.confirmed[i] != nil {
			out[i] = '1'
		}
	}
	return string(out)
}

// read takes what a run has written.
func (r *results) read(file, by string, source finding.Source) {
	data, err := os.ReadFile(file)
	if err != nil {
		return
	}
	visits, waits := make(map[int]int), make(map[int]int)
	for line := range strings.Lines(string(data)) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		id, rest, _ := strings.Cut(rest, " ")
		n, err := strconv.Atoi(id)
		if err != nil {
			continue
		}
		count, _ := strconv.Atoi(rest)
		switch word {
		case "visited":
			visits[n] = max(visits[n], count)
		case "waited":
			waits[n] += count - count/2 // counts are noted at powers of two
		case "confirmed":
			if n < len(r.s.list) && r.confirmed[n] == nil {
				r.confirmed[n] = &finding.Proof{Status: finding.Confirmed, By: by, Source: source, Steps: r.steps(rest)}
			}
		}
	}
	for n, c := range visits {
		r.visits[n] += c
	}
	for n, c := range waits {
		r.waits[n] += c
	}
}

// steps reads the steps of a confirmed finding: quoted strings.
func (r *results) steps(text string) []finding.ProofStep {
	var out []finding.ProofStep
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		quoted, err := strconv.QuotedPrefix(text)
		if err != nil {
			return out
		}
		text = text[len(quoted):]
		step, err := strconv.Unquote(quoted)
		if err != nil {
			return out
		}
		lines := strings.Split(step, "\n")
		site, err := strconv.Atoi(lines[1])
		if err != nil || site >= len(r.s.ops) || len(lines) < 4 {
			return out
		}
		op := r.s.ops[site]
		s := finding.ProofStep{Goroutine: lines[0], Action: r.s.says(op), Pos: finding.At(r.s.fset.Position(op.at))}
		for _, l := range lines[4:] {
			switch what, text, _ := strings.Cut(l, "\t"); what {
			case "key":
				s.Key = text
			case "lock":
				s.Locks = append(s.Locks, text)
			}
			if parts := strings.Split(l, "\t"); len(parts) == 3 && !strings.HasPrefix(parts[0], "testing.") && parts[0] != "runtime.goexit" {
				n, _ := strconv.Atoi(parts[2])
				s.Stack = append(s.Stack, finding.Frame{Function: parts[0], File: parts[1], Line: n})
			}
		}
		s.Action += seen(s)
		out = append(out, s)
	}
	return out
}

// seen words what else was seen at a step.
func seen(s finding.ProofStep) string {
	text := ""
	if s.Key != "" {
		text = ", key " + s.Key
	}
	if len(s.Locks) == 0 {
		return text + ", no lock seen"
	}
	return text + ", under " + strings.Join(s.Locks, ", ")
}

// says words what an operation does.
func (m *module) says(op *operation) string {
	return op.file.text(m, op.object) + " is " + done[op.kind]
}

// proof is the result for a finding.
func (r *results) proof(t *target) *finding.Proof {
	if p := r.confirmed[t.id]; p != nil {
		p.Reached, p.Waited = r.reached(t), r.waits[t.id]
		return p
	}
	p := &finding.Proof{Status: finding.NotReached, Reached: r.reached(t), Waited: r.waits[t.id], Reason: t.why}
	switch {
	case t.why != "":
		p.Status = finding.NotProbed
	case p.Reached > 0:
		p.Status, p.Reason = finding.NotProvoked, r.notes[t.Package]
	default:
		p.Reason = r.reason(t)
		if r.problems[t.Package] != "" && r.drivers[t.id] != "" {
			p.Status = finding.NotProbed
		}
	}
	return p
}

// reason says why nothing reached a finding.
func (r *results) reason(t *target) string {
	var out []string
	for _, why := range []string{r.problems[t.Package], r.notes[t.Package], r.drivers[t.id]} {
		if why != "" {
			out = append(out, why)
		}
	}
	return strings.Join(out, "; ")
}

// reached is how often the finding's own code ran: its look, or its access.
func (r *results) reached(t *target) int {
	n := 0
	for _, list := range [][]*operation{t.looks, t.traps} {
		for _, op := range list {
			n += r.visits[op.id]
		}
	}
	return n
}
