package transfer

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/lockset"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// runs finds the function-typed parameters that the function calls.
func (a *analysis) runs() {
	for i, p := range a.fn.Params {
		if _, ok := p.Type().Underlying().(*types.Signature); !ok || p.Referrers() == nil {
			continue
		}
		for _, r := range *p.Referrers() {
			a.run(i, p, r)
		}
	}
}

func (a *analysis) run(i int, p *ssa.Parameter, r ssa.Instruction) {
	call, ok := r.(ssa.CallInstruction)
	if !ok {
		return
	}
	add := func(k summary.CallKind, s lockset.State) {
		a.sum.Runs = append(a.sum.Runs, summary.Run{Param: i, Kind: k, Held: s})
	}
	own := call.Common().Value == ssa.Value(p)
	switch call := call.(type) {
	case *ssa.Go:
		add(summary.Goroutine, lockset.Reached())
	case *ssa.Defer:
		if own {
			add(summary.Deferred, lockset.Reached())
		}
	case *ssa.Call:
		s := a.stateAt(call)
		if own {
			add(summary.Direct, s)
			return
		}
		a.passedOn(i, p, call, s)
	}
}

// passedOn handles a parameter that is handed to another function.
func (a *analysis) passedOn(i int, p *ssa.Parameter, call *ssa.Call, s lockset.State) {
	e := a.effects[call]
	fn, args := ssautil.Callee(&call.Call)
	switch k := model.Lookup(fn).Kind; {
	case k == model.Spawn || k == model.Register:
		a.sum.Runs = append(a.sum.Runs, summary.Run{Param: i, Kind: summary.Goroutine, Held: lockset.Reached()})
	case k == model.Once:
		a.sum.Runs = append(a.sum.Runs, summary.Run{Param: i, Kind: summary.OnceOnly, Held: s})
	case k == model.RunNow || k == model.ConcurrentRange:
		a.sum.Runs = append(a.sum.Runs, summary.Run{Param: i, Kind: summary.Direct, Held: s})
	case e != nil && len(e.targets) > 0 && e.targets[0].sum != nil:
		for _, run := range e.targets[0].sum.Runs {
			if run.Param < len(args) && args[run.Param] == ssa.Value(p) {
				a.sum.Runs = append(a.sum.Runs, summary.Run{Param: i, Kind: run.Kind, Held: s})
			}
		}
	}
}
