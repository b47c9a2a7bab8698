// Package finding holds what the analyzer found as plain data, for drivers
// that show more than a diagnostic can carry: the interleaving of two
// goroutines, the guard's votes, the fixes. Everything is resolved to files,
// lines and text, so that it survives any encoding.
package finding

import "go/token"

// A Result is what the analyzer returns for one package: the findings of at
// least the configured confidence, sorted by position.
type Result struct {
	Findings []Finding `json:"findings"`
	// Ignored are the findings that a comment or the configuration silences.
	// They are not reported as diagnostics.
	Ignored []Finding `json:"ignored,omitempty"`
	// Judgements are there when the analyzer was asked why: every candidate at
	// the line in question. Then there are no findings.
	Judgements []Judgement `json:"judgements,omitempty"`
	// Reached says that the line in question lies in the package.
	Reached bool `json:"reached,omitempty"`
}

// A Judgement says why a candidate is reported, or is not: a look and an act
// that depends on it, or an access whose lock may be missing.
type Judgement struct {
	Pos      Position `json:"pos"`
	Package  string   `json:"package"`
	Function string   `json:"function"`
	Location string   `json:"location"`
	// Category is that of the finding, when there is a witness.
	Category string `json:"category,omitempty"`
	// Subject is what was judged, in words.
	Subject string `json:"subject"`
	// Answers are those to the four questions, in their order.
	Answers []Answer `json:"answers"`
	// Verdict is the confidence of a witness, or silent.
	Verdict string `json:"verdict"`
	// Row is the row of the table of grades, when there is a witness.
	Row string `json:"row,omitempty"`
	// Fix says what the fix does, or why there is none, where there is a witness.
	Fix string `json:"fix,omitempty"`
	// Silenced says why a comment of the source silences the finding, where one does.
	Silenced string `json:"silenced,omitempty"`
	// Cuts name the bounds that cut the analysis of the function short.
	Cuts []string `json:"cuts,omitempty"`
}

// An Answer is the answer to one of the four questions of a witness.
type Answer struct {
	Question string `json:"question"`
	// Answer is yes, no, or not asked, then the reason.
	Answer string `json:"answer"`
}

// A Finding is one thing to report.
type Finding struct {
	// Category is the rule's stable name, such as split-lock.
	Category string `json:"category"`
	// Confidence is low, medium or high, and Evidence says why two goroutines
	// can meet at the map.
	Confidence string `json:"confidence"`
	Evidence   string `json:"evidence"`
	// Message is one line, without the category, confidence and evidence.
	Message string   `json:"message"`
	Pos     Position `json:"pos"`
	// Package is the import path, Function the function (T.Method) in which
	// the finding stands, Location the map: Type.field, or the variable.
	Package  string `json:"package"`
	Function string `json:"function"`
	Location string `json:"location"`
	// Guard is the lock that protects the map, nil if there is none.
	Guard   *Guard    `json:"guard,omitempty"`
	Related []Related `json:"related,omitempty"`
	// Trace is the interleaving of two goroutines that does the harm.
	Trace []Step `json:"trace,omitempty"`
	Fixes []Fix  `json:"fixes,omitempty"`
	// NoFix says why there is no fix, where there is none.
	NoFix string `json:"noFix,omitempty"`
	// Ignored is the reason why a finding is silenced; empty if it is not.
	Ignored string `json:"ignored,omitempty"`
	// Builds are the builds that have the finding, where several were analysed.
	Builds []string `json:"builds,omitempty"`
	// Proof is what a run of the module's tests showed, if one was asked for.
	Proof *Proof `json:"proof,omitempty"`
}

// A Position is a place in a source file.
type Position struct {
	File   string `json:"file"`
	Line   int    `json:"line"`   // from 1
	Column int    `json:"column"` // from 1, in bytes
	Offset int    `json:"offset"` // from 0, in bytes
}

// At converts a position of the standard library.
func At(p token.Position) Position { return Position{p.Filename, p.Line, p.Column, p.Offset} }

// A Guard is the lock that protects a map, and why that is believed.
type Guard struct {
	Lock string `json:"lock"`
	// How is one of declared, prose, named, used.
	How string `json:"how"`
	// Held of Total accesses that count hold it.
	Held  int `json:"held"`
	Total int `json:"total"`
}

// A Related is another place that belongs to a finding.
type Related struct {
	Pos     Position `json:"pos"`
	Message string   `json:"message"`
}

// A Step is one step of an interleaving.
type Step struct {
	// Goroutine is A or B.
	Goroutine string `json:"goroutine"`
	// Role is what the step is in the interleaving.
	Role Role     `json:"role,omitempty"`
	Pos  Position `json:"pos"`
	// Inner is the access itself, where the step is a call that makes it.
	Inner *Position `json:"inner,omitempty"`
	// Action says what happens: "c.engines looked up: absent".
	Action string `json:"action"`
	// Source is the source line, without the space around it.
	Source string `json:"source"`
	// Note says what that does to the other goroutine: "overwrites A's".
	Note string `json:"note,omitempty"`
	// Locks are the locks that the goroutine holds during the step; one that
	// two steps in a row hold was not released between them unless a step says
	// so. A read lock ends in " (read)".
	Locks []string `json:"locks,omitempty"`
	// Lost: this is the step whose effect the other goroutine undoes.
	Lost bool `json:"lost,omitempty"`
}

// A Role is what a step does in an interleaving.
type Role string

// Roles of steps.
const (
	Look    Role = "look"    // the map is looked at, and what follows depends on it
	Release Role = "release" // the lock of the look is released
	Change  Role = "change"  // the other goroutine changes what was looked at
	Act     Role = "act"     // the map is changed as the look decided
	Access  Role = "access"  // the map is read or changed, at the same time as in the other goroutine
	Leave   Role = "leave"   // the map itself is handed out
	Use     Role = "use"     // what was looked up, made or handed out is used
)

// A Fix is one change that removes the finding.
type Fix struct {
	Message string `json:"message"`
	Edits   []Edit `json:"edits"`
}

// An Edit replaces the bytes from Start up to End of a file by New.
type Edit struct {
	File  string `json:"file"`
	Start int    `json:"start"`
	End   int    `json:"end"`
	New   string `json:"new"`
}
