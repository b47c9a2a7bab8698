package infer

import (
	"go/token"

	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// A Thread is a goroutine, or a family of them that one go statement starts.
type Thread struct {
	Pos token.Pos
	// Many: several of them run at once on the same objects.
	Many bool
	// Starter is the function that starts it.
	Starter *Func
}

// A Threads set tells which threads may run a function, by number. Bit 0 is
// whoever calls the package; numbers past 63 share the last bit.
type Threads uint64

// Has reports whether thread i is in the set.
func (t Threads) Has(i int) bool { return t&(1<<min(i, 63)) != 0 }

// threads finds which goroutines may run each function.
func (p *Package) threads() {
	p.Threads = []Thread{{}}
	for _, f := range p.Funcs {
		if f.Ctx.Root && !f.Ctx.InitOnly {
			f.Threads |= 1
		}
		if f.Doc.Handler {
			p.startThread(f, Thread{Pos: f.Pos, Many: true, Starter: f})
		}
	}
	for _, f := range p.Funcs {
		for i := range f.Calls {
			c := &f.Calls[i]
			g := p.byKey[c.Callee]
			if g == nil || c.Kind != summary.Goroutine {
				continue
			}
			p.startThread(g, Thread{Pos: c.Pos, Many: c.Many, Starter: f})
		}
	}
	p.spreadThreads()
}

func (p *Package) startThread(f *Func, t Thread) {
	f.Threads |= 1 << min(len(p.Threads), 63)
	p.Threads = append(p.Threads, t)
}

// spreadThreads carries threads from callers to callees to the fixpoint.
func (p *Package) spreadThreads() {
	work := append([]*Func(nil), p.Funcs...)
	queued := make(map[*Func]bool)
	for len(work) > 0 {
		f := work[0]
		work = work[1:]
		queued[f] = false
		for i := range f.Calls {
			c := &f.Calls[i]
			g := p.byKey[c.Callee]
			if g == nil || c.Kind == summary.Goroutine || g.Threads|f.Threads == g.Threads {
				continue
			}
			g.Threads |= f.Threads
			if !queued[g] {
				queued[g] = true
				work = append(work, g)
			}
		}
	}
}
