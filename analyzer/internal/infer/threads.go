package infer

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/lockset"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// A Spawned is an access that happens in a goroutine, expressed in the terms
// of the function that starts it. Expressing it there tells which object the
// goroutine works on.
type Spawned struct {
	Path accesspath.Path
	Op   access.Op
	Held []lockset.Held
	// Pos is the go statement, or the handler.
	Pos     token.Pos
	Starter *Func
	// Func is where the access stands, or the callee that makes it.
	Func *Func
	At   token.Pos
	// Many: several goroutines do it on the same object.
	Many bool
	// Handler: a server calls Starter from a goroutine for each request.
	Handler bool
}

// open marks the functions that code outside the package can reach.
func (p *Package) open() {
	var work []*Func
	for _, f := range p.Funcs {
		if f.Ctx.Root && !f.Ctx.InitOnly {
			f.Open = true
			work = append(work, f)
		}
	}
	for len(work) > 0 {
		f := work[len(work)-1]
		work = work[:len(work)-1]
		for i := range f.Calls {
			if g := p.byKey[f.Calls[i].Callee]; g != nil && !g.Open {
				g.Open = true
				work = append(work, g)
			}
		}
	}
}

// spawned collects the accesses that goroutines make.
func (p *Package) spawned() {
	for _, f := range p.Funcs {
		if f.Doc.Handler {
			p.handler(f)
		}
		for i := range f.Calls {
			c := &f.Calls[i]
			g := p.byKey[c.Callee]
			if g == nil || c.Kind != summary.Goroutine {
				continue
			}
			for j := range g.Accesses {
				p.spawn(f, c, g, &g.Accesses[j])
			}
		}
	}
}

func (p *Package) spawn(f *Func, c *summary.Call, g *Func, a *access.Access) {
	if a.Fresh || a.Once || a.Joined {
		return
	}
	path := p.inCaller(a.Path, c, g)
	if !path.Known() || !path.Location().Valid() {
		return
	}
	s := Spawned{
		Path: path, Op: a.Op, Held: g.Effective(a), Pos: c.Pos, Starter: f, Func: g, At: a.At(), Many: c.Many,
	}
	p.Spawned = append(p.Spawned, s)
}

// inCaller expresses a path of the callee in the caller's terms.
func (p *Package) inCaller(path accesspath.Path, c *summary.Call, g *Func) accesspath.Path {
	literal := g.SSA.Parent() != nil
	return p.Paths.Substitute(path, accesspath.Path{}, func(r accesspath.Root) (accesspath.Path, bool) {
		if r.Kind == accesspath.Param && r.Fn == g.Key {
			if r.Index < len(c.Args) {
				return c.Args[r.Index], c.Args[r.Index].Known()
			}
			return accesspath.Path{}, false
		}
		local := r.Kind == accesspath.Value || r.Kind == accesspath.Param
		return p.Paths.Root(r), !local || literal
	})
}

// handler notes the accesses of a function that servers call concurrently.
// Its receiver and what it captures are shared by the calls; its parameters
// are not.
func (p *Package) handler(f *Func) {
	for i := range f.Accesses {
		a := &f.Accesses[i]
		r := a.Path.Root()
		method := f.SSA.Signature.Recv() != nil
		own := r.Kind == accesspath.Param && r.Fn == f.Key
		if a.Fresh || a.Once || own && (!method || r.Index != 0) || r.Kind == accesspath.Value && f.SSA.Parent() == nil {
			continue
		}
		if v, ok := r.Val.(interface{ Parent() *ssa.Function }); ok && r.Kind == accesspath.Value && v.Parent() == f.SSA {
			continue
		}
		p.Spawned = append(p.Spawned, Spawned{
			Path: a.Path, Op: a.Op, Held: f.Effective(a), Pos: f.Pos, Starter: f, Func: f, At: a.At(), Many: true, Handler: true,
		})
	}
}
