package infer

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// A Spawned is an access that happens in a goroutine, expressed in the terms
// of the function that starts it. Expressing it there tells which object the
// goroutine works on.
type Spawned struct {
	Path accesspath.Path
	Op   access.Op
	Held []locks.Held
	// Pos is the go statement, or the handler.
	Pos     token.Pos
	Starter *Func
	// Func is where the access stands.
	Func *Func
	At   token.Pos
	// Target is what the go statement runs.
	Target *Func
	// Many: several goroutines do it on the same object.
	Many bool
	// Registered: a server calls what is started, once for each request.
	Registered bool
	// Handler: a server calls Starter from a goroutine for each request.
	Handler bool
	// Known: others know the object that the goroutine works on: it is the
	// starter's receiver, a package-level variable, or an object that the
	// starter also returns or stores.
	Known bool
	// Then are the goroutines that can be started while this one runs, and
	// Beside the starter's accesses that can happen then.
	Then   []token.Pos
	Beside []int
}

// IsBeside reports whether a, an access of the starter, can happen while the
// goroutine runs.
func (s *Spawned) IsBeside(a *access.Access) bool {
	for _, i := range s.Beside {
		if &s.Starter.Accesses[i] == a {
			return true
		}
	}
	return false
}

// FollowedBy reports whether b's goroutine can be started while s's runs, on
// the same object.
func (s *Spawned) FollowedBy(b *Spawned) bool {
	return s.Starter == b.Starter && s.Path == b.Path && slices.Contains(s.Then, b.Pos)
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

// A handed is a parameter that other packages decide on.
type handed struct {
	f     *Func
	param int
}

// handOver finds the parameters that hold an object on which other packages
// call methods: the receivers of exported methods, even of types that are not
// exported, as interfaces lead to them; and what these pass on without holding
// a lock.
func (p *Package) handOver() {
	p.handed = make(map[handed]bool)
	var work []handed
	add := func(h handed) {
		if !p.handed[h] {
			p.handed[h] = true
			work = append(work, h)
		}
	}
	for _, f := range p.Funcs {
		if f.Is(role.Method) {
			add(handed{f, 0})
		}
	}
	for len(work) > 0 {
		h := work[len(work)-1]
		work = work[:len(work)-1]
		for i := range h.f.Calls {
			c := &h.f.Calls[i]
			g := p.byKey[c.Callee]
			if g == nil || c.Kind == summary.Goroutine || c.Kind == summary.OnceOnly || len(h.f.effective(c.Held)) > 0 {
				continue
			}
			for j, arg := range c.Args {
				if r := arg.Root(); r.Kind == accesspath.Param && r.Fn == h.f.Key && r.Index == h.param {
					add(handed{g, j})
				}
			}
		}
	}
}

// Handed reports whether the access is to an object on which other packages
// call methods.
func (p *Package) Handed(f *Func, path accesspath.Path) bool {
	r := path.Root()
	if r.Kind != accesspath.Param {
		return false
	}
	for f.Key != r.Fn {
		if f.SSA.Parent() == nil {
			return false
		}
		if f = p.byKey[accesspath.FuncKey(f.SSA.Parent())]; f == nil {
			return false // a literal in an initialiser
		}
	}
	return p.handed[handed{f, r.Index}]
}

// spawned collects the accesses that goroutines make.
func (p *Package) spawned() {
	sites := p.sites()
	for _, f := range p.Funcs {
		if f.Is(role.Handler) {
			p.handler(f)
		}
		for i := range f.Calls {
			c := &f.Calls[i]
			if g := p.byKey[c.Callee]; g != nil && c.Kind == summary.Goroutine {
				w := &walk{p: p, kept: c.Kept, renewed: c.Renewed, site: Spawned{Pos: c.Pos, Starter: f, Then: c.Then, Beside: c.Beside, Many: c.Many, Registered: c.Registered}, looped: startedInLoop(f, sites), seen: make(map[string]bool)}
				w.site.Target = g
				w.enter(w.start(g, c))
			}
		}
		p.spawnedElsewhere(f, sites)
	}
}

// spawnedElsewhere adds what other packages' functions do in goroutines that f
// starts. The transfer function has expressed it in f's terms already.
func (p *Package) spawnedElsewhere(f *Func, sites map[*Func][]site) {
	for i := range f.Accesses {
		a := &f.Accesses[i]
		if !a.Spawned || a.Fresh {
			continue
		}
		for j := range f.Calls {
			c := &f.Calls[j]
			if c.Pos != a.Pos || c.Kind != summary.Goroutine {
				continue
			}
			w := &walk{p: p, kept: c.Kept, renewed: c.Renewed, looped: startedInLoop(f, sites), site: Spawned{Many: c.Many}}
			p.Spawned = append(p.Spawned, Spawned{
				Path: a.Path, Op: a.Op, Held: a.Held.Held(), Pos: c.Pos, Starter: f, Func: f, At: a.Pos,
				Many: w.sameObject(a.Path), Known: w.known(a.Path), Then: c.Then, Beside: c.Beside,
			})
			break
		}
	}
}

// startedInLoop reports whether a loop calls the function that starts a
// goroutine, each time on the same object.
func startedInLoop(f *Func, sites map[*Func][]site) bool {
	for _, s := range sites[f] {
		if !s.call.Looped || s.call.Kind != summary.Direct {
			continue
		}
		if f.SSA.Parent() != nil {
			return len(f.SSA.FreeVars) > 0
		}
		if len(s.call.Args) > 0 {
			if k := s.call.Args[0].Root().Kind; f.SSA.Signature.Recv() != nil && (k == accesspath.Param || k == accesspath.Global) && s.call.Args[0].Depth() == 0 {
				return true
			}
		}
	}
	return false
}

// handler follows a function that servers call concurrently. Its receiver
// and what it captures are shared by the calls; its parameters are not.
func (p *Package) handler(f *Func) {
	args := make([]accesspath.Path, len(f.SSA.Params))
	if f.SSA.Signature.Recv() != nil {
		args[0] = p.Paths.ParamOf(f.Key, 0)
	}
	w := &walk{p: p, site: Spawned{Pos: f.Pos, Starter: f, Many: true, Handler: true}, seen: make(map[string]bool)}
	w.enter(stop{g: f, args: args})
}

// maxWalk bounds the functions, with their arguments, that are followed from
// one go statement.
const maxWalk = 400

// A walk follows what a goroutine runs, with the paths of the arguments in
// the terms of the function that starts it.
type walk struct {
	p    *Package
	site Spawned
	kept []accesspath.Path
	// renewed are the objects that each goroutine has for itself.
	renewed []accesspath.Path
	// looped: a loop calls the starter.
	looped bool
	seen   map[string]bool
}

type stop struct {
	g    *Func
	args []accesspath.Path
	// outer is where a literal was entered from.
	outer *stop
	// bound are the parameters that were given otherwise than by args.
	bound []summary.Binding
}

func (w *walk) enter(first stop) {
	work := []stop{first}
	for len(work) > 0 && len(w.seen) < maxWalk {
		at := work[0]
		work = work[1:]
		id := fmt.Sprintf("%p", at.g)
		for _, a := range at.args {
			id += fmt.Sprintf(" %d", a.ID())
		}
		if w.seen[id] {
			continue
		}
		w.seen[id] = true
		w.accesses(at)
		work = append(work, w.callees(at)...)
	}
}

func (w *walk) accesses(at stop) {
	for i := range at.g.Accesses {
		a := &at.g.Accesses[i]
		if a.Fresh || a.Once || a.Joined || a.Spawned || a.Op == access.Grow || !Own(a) {
			continue
		}
		path := w.inStarter(a.Path, at)
		if !path.Known() || path.Root().Kind == accesspath.Const {
			continue
		}
		s := w.site
		s.Path, s.Op, s.Held, s.Func, s.At = path, a.Op, w.shared(at.g.Effective(a)), at.g, a.At()
		s.Known = w.known(path)
		s.Many = w.sameObject(path)
		w.p.Spawned = append(w.p.Spawned, s)
	}
}

// shared drops the locks that each goroutine makes for itself: they keep
// nobody out.
func (w *walk) shared(held []locks.Held) []locks.Held {
	return slices.DeleteFunc(slices.Clone(held), func(h locks.Held) bool {
		r := h.Lock.Root()
		v, ok := r.Val.(interface{ Parent() *ssa.Function })
		return r.Kind == accesspath.Value && ok && !w.around(v.Parent())
	})
}

// sameObject reports whether several goroutines at a time work on the object
// at path: not on the elements of a container, one each, and not, when it is
// the starter that a loop calls, on an object that the starter makes.
func (w *walk) sameObject(path accesspath.Path) bool {
	for p := path; p.Known(); p = p.Parent() {
		if p.IsElem() && p.Key().Root().Kind != accesspath.Const {
			return false
		}
	}
	if slices.Contains(w.renewed, w.p.Paths.Root(path.Root())) {
		return false
	}
	return w.site.Many || w.looped && path.Root().Kind != accesspath.Value
}

func (w *walk) known(path accesspath.Path) bool {
	switch r := path.Root(); r.Kind {
	case accesspath.Global:
		return true
	case accesspath.Param:
		fn, ok := r.Fn.(*types.Func)
		return ok && r.Index == 0 && fn.Signature().Recv() != nil
	default:
		return slices.Contains(w.kept, w.p.Paths.Root(r))
	}
}

// callees returns the calls that hold no lock: under one, the callee's
// accesses are ordered by it.
func (w *walk) callees(at stop) []stop {
	var out []stop
	for i := range at.g.Calls {
		c := &at.g.Calls[i]
		g := w.p.byKey[c.Callee]
		if g == nil || c.Kind == summary.Goroutine || c.Kind == summary.OnceOnly || c.Kind == summary.Escaped || len(at.g.effective(c.Held)) > 0 {
			continue
		}
		args := make([]accesspath.Path, len(c.Args))
		for j, arg := range c.Args {
			args[j] = w.inStarter(arg, at)
		}
		next := stop{g: g, args: args, bound: w.bound(c, at)}
		if g.SSA.Parent() != nil {
			next.outer = &at
		}
		out = append(out, next)
	}
	return out
}

// inStarter expresses a path of a function on the way in the starter's terms;
// unknown if it starts at something made on the way.
func (w *walk) inStarter(path accesspath.Path, at stop) accesspath.Path {
	return w.p.Paths.Substitute(path, accesspath.Path{}, func(r accesspath.Root) (accesspath.Path, bool) {
		switch r.Kind {
		case accesspath.Global, accesspath.Const:
			return w.p.Paths.Root(r), true
		case accesspath.Param:
			return w.param(r, &at)
		case accesspath.Value:
			v, ok := r.Val.(interface{ Parent() *ssa.Function })
			// What a handler makes belongs to one request.
			made := w.site.Handler && ok && v.Parent() == w.site.Starter.SSA
			return w.p.Paths.Root(r), ok && !made && w.around(v.Parent())
		}
		return accesspath.Path{}, false
	})
}

// param resolves a parameter: of the function itself, of one that a literal on
// the way stands in, or of the starter and what is around it.
func (w *walk) param(r accesspath.Root, at *stop) (accesspath.Path, bool) {
	for s := at; s != nil; s = s.outer {
		for _, b := range s.bound {
			if b.Param.Root() == r {
				return b.Arg, b.Arg.Known()
			}
		}
		if s.g.Key == r.Fn {
			if r.Index < len(s.args) {
				return s.args[r.Index], s.args[r.Index].Known()
			}
			return accesspath.Path{}, false
		}
	}
	for fn := w.site.Starter.SSA; fn != nil; fn = fn.Parent() {
		if accesspath.FuncKey(fn) == r.Fn {
			return w.p.Paths.Root(r), true
		}
	}
	return accesspath.Path{}, false
}

// around reports whether fn is the starter or a function that it stands in.
func (w *walk) around(fn *ssa.Function) bool {
	for s := w.site.Starter.SSA; s != nil; s = s.Parent() {
		if s == fn {
			return true
		}
	}
	return false
}
