package infer

import "github.com/mapguard/mapguard/analyzer/internal/summary"

// A CallSite is one call of a function of the package, in the package.
type CallSite struct {
	Caller *Func
	Call   *summary.Call
}

// CallersOf returns the calls of f that the package shows.
func (p *Package) CallersOf(f *Func) []CallSite {
	sites := p.sites()[f]
	out := make([]CallSite, len(sites))
	for i, s := range sites {
		out[i] = CallSite{s.caller, s.call}
	}
	return out
}
