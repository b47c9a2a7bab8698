package text

import (
	"bufio"
	"fmt"
	"io"

	"github.com/mapguard/mapguard/analyzer/finding"
)

// WriteJudgements writes the answers to -why in the order given: what was
// judged, the four questions, the verdict.
func WriteJudgements(w io.Writer, judgements []finding.Judgement, opts Options) error {
	p := &printer{Writer: bufio.NewWriter(w), opts: opts}
	for i, j := range judgements {
		if i > 0 {
			fmt.Fprintln(p)
		}
		p.judgement(j)
	}
	return p.Flush()
}

func (p *printer) judgement(j finding.Judgement) {
	fmt.Fprintf(p, "%s: %s, in %s\n", p.style(bold, p.place(j.Pos)), j.Subject, j.Function)
	for _, a := range j.Answers {
		p.indented(fmt.Sprintf("%-17s %s", a.Question+"?", a.Answer))
	}
	verdict := j.Verdict
	if j.Row != "" {
		verdict += " confidence"
	}
	p.indented(p.style(red, "=> "+verdict))
	if j.Silenced != "" {
		p.indented("a comment silences it: " + j.Silenced)
	}
	if j.Fix != "" {
		p.indented(j.Fix)
	}
	for _, c := range j.Cuts {
		p.indented(p.style(faint, "the analysis of "+j.Function+" was cut short: "+c))
	}
}
