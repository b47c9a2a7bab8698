package conduct

import (
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// Started reports whether a function may run in a goroutine that the package starts or has started,
// as what that runs or calls: where a `go` statement starts it, or code outside the package
// gets a function, or a value with methods, which it may call in one of its own. Complexity: linear
// in the calls of the package, once.
func (t *Theory) Started(f *infer.Func) bool {
	if t.started == nil {
		t.started = make(map[*infer.Func]bool)
		for _, g := range t.pkg.Funcs {
			t.startedBy(g)
		}
	}
	return t.started[f]
}

func (t *Theory) startedBy(g *infer.Func) {
	if g.Ctx.Escaped || g.Ctx.Stored {
		t.start(g)
	}
	for i := range g.Calls {
		if c := &g.Calls[i]; !joins(c) || c.Kind == summary.Escaped {
			t.start(t.pkg.Lookup(c.Callee))
		}
	}
	for i := range g.Stays {
		if s := &g.Stays[i]; s.Kind == summary.Hands {
			for _, m := range t.methodsOf(s.Type) {
				t.start(m)
			}
		}
	}
}

func (t *Theory) start(f *infer.Func) {
	if f == nil || t.started[f] {
		return
	}
	t.started[f] = true
	for i := range f.Calls {
		t.start(t.pkg.Lookup(f.Calls[i].Callee))
	}
}
