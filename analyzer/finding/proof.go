package finding

import "fmt"

// A Proof is what runs of the module's own tests, or of a generated driver,
// showed of a finding.
type Proof struct {
	Status Status `json:"status"`
	// By names what was run: the test of a package, or the generated driver.
	By string `json:"by,omitempty"`
	// Source says, of a confirmed finding, whose calls showed it.
	Source Source `json:"source,omitempty"`
	// Reached counts how often the probes of the finding were passed, Waited
	// how often a goroutine was held there for another to come. They are lower
	// bounds: the counts are noted at powers of two.
	Reached int `json:"reached"`
	Waited  int `json:"waited"`
	// Reason says why there is no answer, where the runs gave none.
	Reason string `json:"reason,omitempty"`
	// Steps are the interleaving as it happened, with the stacks of both.
	Steps []ProofStep `json:"steps,omitempty"`
}

// A Status is the result of a proof.
type Status string

// The results.
const (
	Confirmed   Status = "confirmed"    // the interleaving happened
	NotReached  Status = "not reached"  // nothing ran the code of the finding
	NotProvoked Status = "not provoked" // the code ran, and no other goroutine came in between
	NotProbed   Status = "not probed"   // the finding could not be probed, or its package not be run
)

// A Source is whose calls brought the goroutines of a confirmed finding together.
type Source string

// The sources. Calls that -prove makes show what a function allows, those of
// tests that it has such callers.
const (
	ByTests Source = "tests" // the module's own tests, as they are
	ByCalls Source = "calls" // copied calls, calls on objects of tests, drivers
)

// A ProofStep is one step that a goroutine really made.
type ProofStep struct {
	Goroutine string   `json:"goroutine"` // A or B
	Action    string   `json:"action"`
	Pos       Position `json:"pos"`
	// Key is the key of the entry, where it is of a simple type, and Locks are
	// the locks that the goroutine was seen to hold; both are in Action, too.
	Key   string   `json:"key,omitempty"`
	Locks []string `json:"locks,omitempty"`
	Stack []Frame  `json:"stack"`
}

// A Frame is a call on a stack, the innermost first.
type Frame struct {
	Function string `json:"function"`
	File     string `json:"file"`
	Line     int    `json:"line"`
}

// String says in one line what the runs showed.
func (p *Proof) String() string {
	text := string(p.Status)
	switch p.Status {
	case Confirmed:
		text += " by " + p.By
	case NotProvoked:
		text = fmt.Sprintf("%s: reached %d times, waited %d times", text, p.Reached, p.Waited)
	}
	if p.Reason != "" {
		text += ": " + p.Reason
	}
	return text
}
