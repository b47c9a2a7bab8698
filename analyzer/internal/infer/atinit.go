package infer

import "slices"

// maxInitSteps bounds the callers of callers between a function and the
// initialisation that calls it.
const maxInitSteps = 4

// calledAtInit returns the functions that the package calls, and while it is initialised
// only. Of a function that no other package of the module calls, this alone counts:
// how the package itself calls what is there for others, under which locks and on
// which objects, tells little of them.
func (p *Package) calledAtInit() map[*Func]bool {
	return p.byInit(func(sites []site, early func(site) bool) bool {
		return len(sites) > 0 && !slices.ContainsFunc(sites, func(s site) bool { return !early(s) })
	})
}

// initComesTo returns the functions that the package calls while it is initialised, directly or not.
func (p *Package) initComesTo() map[*Func]bool {
	return p.byInit(slices.ContainsFunc[[]site])
}

// byInit returns the functions that meet a condition on their call sites, which asks of each whether it runs in
// place while the package is initialised: it stands in the initialisation itself, or in a function that met the condition a step earlier.
// Complexity: linear in the call sites for each step; a search from each function up through its callers would
// go through those of a large parser's actions time and again.
func (p *Package) byInit(comes func(sites []site, early func(site) bool) bool) map[*Func]bool {
	met := make(map[*Func]bool)
	early := func(s site) bool { return s.call.Kind.InPlace() && (isInit(s.caller.SSA) || met[s.caller]) }
	for range maxInitSteps + 1 {
		var more []*Func
		for f, sites := range p.sites() {
			if !met[f] && comes(sites, early) {
				more = append(more, f)
			}
		}
		if len(more) == 0 {
			break
		}
		for _, f := range more {
			met[f] = true
		}
	}
	return met
}
