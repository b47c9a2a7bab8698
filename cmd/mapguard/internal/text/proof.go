package text

import (
	"fmt"
	"strings"

	"github.com/mapguard/mapguard/analyzer/finding"
)

// proof writes what runs have shown of a finding, with the stacks of what
// happened when much is asked for.
func (p *printer) proof(proof *finding.Proof) {
	if proof == nil {
		return
	}
	style := faint
	if proof.Status == finding.Confirmed {
		style = red
	}
	p.indented(p.style(style, proof.String()))
	if !p.opts.Verbose {
		return
	}
	for _, s := range proof.Steps {
		p.indented(fmt.Sprintf("  %s  %s  %s", s.Goroutine, p.place(s.Pos), s.Action))
		for _, f := range s.Stack {
			p.indented(p.style(faint, fmt.Sprintf("       %s:%d  %s", p.opts.Path(f.File), f.Line, f.Function[strings.LastIndex(f.Function, "/")+1:])))
		}
	}
}
