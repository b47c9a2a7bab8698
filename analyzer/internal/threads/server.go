package threads

import (
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/outside"
)

// atHome reports whether only its package calls a handler, and whether it does from one thread at a time.
func (t *Theory) atHome(f *infer.Func) (home, alone bool) {
	if t.pkg.Module == nil {
		return false, false
	}
	alone, home = t.pkg.Module.AtHome(outside.NodeOf(f.SSA))
	return home, alone
}

// foremost is server for what other threads have been followed to: the server's visits tell more than those.
func (t *Theory) foremost(f *infer.Func) {
	visits, byAcc := t.Visits, t.byAcc
	t.Visits, t.byAcc = nil, make(map[*access.Access][]*Visit, len(byAcc))
	t.server(f)
	t.Visits = append(t.Visits, visits...)
	for a, others := range byAcc {
		t.byAcc[a] = append(t.byAcc[a], others...)
	}
}

// crowded reports whether several goroutines are seen at each access of a handler, on one object.
func (t *Theory) crowded(f *infer.Func) bool {
	all := true
	t.handles(f, func(_ *infer.Func, a *access.Access, _ spot) {
		all = all && slices.ContainsFunc(t.byAcc[a], func(v *Visit) bool { return v.Many })
	})
	return all
}

// server follows a function that servers call concurrently. Its receiver and
// what it captures are shared by the calls; its parameters are not.
func (t *Theory) server(f *infer.Func) {
	times := Many
	if t.pkg.OneByOne(f) {
		times = PerObject
	}
	th := t.thread(&Thread{Kind: Server, Times: times, Start: f.Pos, Starter: f, Target: f})
	if h := model.HandlerOf(f.SSA.Signature, t.pkg.Types); h != nil && times != Many {
		th.Queue = h.Queue()
	}
	th.cut = t.handles(f, t.visitor(th, f))
}

// handles visits what a server that calls a handler comes to, and returns whether the walk was cut short.
func (t *Theory) handles(f *infer.Func, visit func(*infer.Func, *access.Access, spot)) bool {
	args := make([]accesspath.Path, len(f.SSA.Params))
	if f.SSA.Signature.Recv() != nil {
		args[0] = t.pkg.Paths.ParamOf(f.Key, 0)
	}
	w := &walk{t: t, from: f, fresh: f.SSA, visit: visit}
	w.enter(&stop{g: f, args: args})
	return w.cut
}
