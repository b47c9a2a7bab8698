package analyzer

import (
	"fmt"
	"go/types"
	"maps"
	"slices"
	"sync"

	"golang.org/x/tools/go/analysis"

	"github.com/mapguard/mapguard/analyzer/finding"
	"github.com/mapguard/mapguard/analyzer/internal/callback"
	"github.com/mapguard/mapguard/analyzer/internal/guard"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/outside"
	"github.com/mapguard/mapguard/analyzer/internal/records"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/witness"
)

// A Module is a module, or several of a workspace, of which a driver analyses all
// packages in one process. It sees what a single package cannot: who calls its
// functions from other packages. It is for one run; its methods may be called by
// several goroutines.
type Module struct {
	scope map[string]bool

	mu      sync.Mutex
	records map[*types.Package]*outside.Record
	kept    map[*types.Package]*kept
	apps    map[string]bool
	votes   guard.Votes
	uses    guard.Uses
}

// A Scope tells which packages of a module are known with all their callers.
type Scope interface {
	// Closed reports whether the packages that were analysed are all that can
	// import this one, apart from files that Mentions knows of. An application's
	// packages are imported by it alone.
	Closed(pkg string, application bool) bool
	// Whole reports whether all packages of the package's module were analysed,
	// apart from files that Mentions knows of.
	Whole(pkg string) bool
	// Mentions reports whether a file that was not analysed mentions a function of the
	// package by its name: one that imports the package or, of a method, that can get
	// a value from one that does. An empty name asks whether one imports the package.
	Mentions(pkg, name string, method bool) Mention
}

// A Mention is where a file stands that mentions a function.
type Mention = outside.Mention

const (
	// Unmentioned: no file that was not analysed mentions it.
	Unmentioned = outside.Unmentioned
	// LeftOut: one does that the build leaves out, or that is another module's.
	LeftOut = outside.LeftOut
	// BuiltIn: one does that is a part of the program.
	BuiltIn = outside.BuiltIn
)

// A scope is a Scope with what the configuration says.
type scope struct {
	Scope
	apps map[string]bool
}

func (s scope) Closed(pkg string) bool { return s.Scope.Closed(pkg, s.apps[pkg]) }

// NewModule returns the module that has the packages of these paths.
func NewModule(paths []string) *Module {
	m := &Module{
		scope: make(map[string]bool), records: make(map[*types.Package]*outside.Record), kept: make(map[*types.Package]*kept),
		apps: make(map[string]bool), votes: make(guard.Votes), uses: make(guard.Uses),
	}
	for _, path := range paths {
		m.scope[path] = true
	}
	return m
}

// moduleOf is the key of the module among a pass's results. No driver runs it.
var moduleOf = &analysis.Analyzer{Name: "module"}

// In returns a pass whose package is one of the module.
func (m *Module) In(pass *analysis.Pass) *analysis.Pass {
	own := *pass
	own.ResultOf = maps.Clone(pass.ResultOf)
	if own.ResultOf == nil {
		own.ResultOf = make(map[*analysis.Analyzer]any)
	}
	own.ResultOf[moduleOf] = m
	return &own
}

func module(pass *analysis.Pass) *Module {
	m, _ := pass.ResultOf[moduleOf].(*Module)
	return m
}

// A kept is a package that has something to say, and that is judged again when
// its callers are known.
type kept struct {
	program *program
	again   func(*program) *finding.Result
}

func (m *Module) inScope(path string) bool { return m.scope[path] }

// contains tells which packages belong to the module; nil where there is none.
func (m *Module) contains() func(path string) bool {
	if m == nil {
		return nil
	}
	return m.inScope
}

// unread notes a package without maps and locks.
func (m *Module) unread(pass *analysis.Pass, cfg *settings) {
	if m == nil {
		return
	}
	m.add(pass, cfg, records.Unread(pass.Pkg, pass.Files, pass.TypesInfo, m.inScope, aside(pass)))
}

// analysed notes a package, and keeps it if its result is to be judged again.
func (m *Module) analysed(p *program, keep bool, again func(*program) *finding.Result) {
	if m == nil {
		return
	}
	m.add(p.pass, p.cfg, records.Of(p.in.Pkg, p.pass.Files, p.pass.TypesInfo, m.inScope, aside(p.pass)))
	votes, uses := p.gset.Votes(p.in.Places, p.pass.Pkg), p.gset.Uses(p.in.Places, p.pass.Pkg)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.votes.Add(votes)
	m.uses.Add(uses)
	if keep {
		m.kept[p.pass.Pkg] = &kept{p, again}
	}
}

// Keeps reports whether the package will be judged again.
func (m *Module) Keeps(pkg *types.Package) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.kept[pkg] != nil
}

func (m *Module) add(pass *analysis.Pass, cfg *settings, r *outside.Record) {
	r.Shows = r.Program && role.Shown(within(pass))
	m.mu.Lock()
	defer m.mu.Unlock()
	m.records[pass.Pkg] = r
	if cfg.file != nil && cfg.file.Application {
		m.apps[pass.Pkg.Path()] = true
	}
}

// Judge judges those packages again that have something to say, now that the
// callers of their functions are known, and returns their new results, or why there
// are none. It is for when all packages are analysed.
func (m *Module) Judge(of Scope) (map[*types.Package]*finding.Result, map[*types.Package]error) {
	results, failed := make(map[*types.Package]*finding.Result), make(map[*types.Package]error)
	m.mu.Lock()
	again := m.kept
	m.kept = make(map[*types.Package]*kept)
	votes, uses := maps.Clone(m.votes), maps.Clone(m.uses)
	m.mu.Unlock()
	if len(again) == 0 {
		return results, failed
	}
	s := scope{of, m.apps}
	var importable []*types.Package
	for pkg := range m.records {
		if !s.Closed(pkg.Path()) {
			importable = append(importable, pkg)
		}
	}
	solution := outside.Solve(slices.Collect(maps.Values(m.records)), s, records.Exposed(importable, m.inScope))
	for pkg, k := range again {
		delete(again, pkg) // and with it what only this judgement needs
		k.program.votes, k.program.uses = votes, uses
		res, err := k.judge(solution)
		if err != nil {
			failed[pkg] = err
		} else {
			results[pkg] = res
		}
	}
	return results, failed
}

// judge returns the result of a package by what is known of its callers, with
// the fixes.
func (k *kept) judge(s *outside.Solution) (res *finding.Result, err error) {
	defer func() {
		if r := recover(); r != nil {
			res, err = nil, fmt.Errorf("internal error: %v", r)
		}
	}()
	k.program.judgeWith(s)
	return k.again(k.program), nil
}

// judgeWith judges the package by what is known of its callers, if there is
// something. Where other modules can call a function, too, the calls of this one are
// evidence: what they leave no room for is low.
func (p *program) judgeWith(s *outside.Solution) {
	p.in.Pkg.Module = s
	known, assumed, idle := p.outsideOf(s)
	others := p.gset.Concern(p.votes, p.in.Places, p.pass.Pkg) || p.uses.Away(p.gset, p.in.Places, p.pass.Pkg)
	if known || others || p.in.Sharing.AsksModule() && s.Whole(p.pass.Pkg.Path()) {
		p.again(s, false)
	}
	if (assumed || idle) && p.in.CanLower() {
		var excluded *witness.Excluded
		if assumed {
			excluded = p.excluded(s)
		}
		uncalled := func(f *infer.Func) bool {
			return f.Obj != nil && (s.Uncalled(outside.NameOf(f.Obj)) || s.Dropped(f.Obj))
		}
		unused := func(f *infer.Func) bool { return s.Unused(outside.NodeOf(callback.Outermost(f.SSA))) }
		idle := func(f *infer.Func) bool { return s.Idle(outside.NodeOf(callback.Outermost(f.SSA))) }
		p.in.Lower(excluded, uncalled, unused, idle)
		if p.in.Rests(unused) {
			p.in.LowerResting(p.running(s))
		}
		if s.Application() && p.in.CanLower() {
			p.in.LowerClosed(p.closed(s))
		}
	}
	if s.Application() && s.Whole(p.pass.Pkg.Path()) {
		p.in.Bound(infer.Threads{View: s.View(true)})
	}
}

// running returns the candidates that are silent if what no program of an application comes
// to is left out.
func (p *program) running(s *outside.Solution) *witness.Excluded {
	return p.apart(func() {
		p.in.Pkg.Again(func(fn *types.Func) *outside.Context {
			name := outside.NameOf(fn)
			if s.Unused(name) {
				return &outside.Context{Dead: true}
			}
			return s.Of(name, false)
		}, s.View(false))
		p.judge(p.in.Pkg)
	})
}

// excluded returns the candidates that the module's calls leave no room for.
func (p *program) excluded(s *outside.Solution) *witness.Excluded {
	return p.apart(func() { p.again(s, true) })
}

// closed returns the candidates that are silent if no other module calls what this one, an
// application, calls in the package alone.
func (p *program) closed(s *outside.Solution) *witness.Excluded {
	return p.apart(func() {
		p.in.Pkg.Again(func(fn *types.Func) *outside.Context {
			ctx := s.Of(outside.NameOf(fn), true)
			if ctx == nil || !ctx.Own {
				return ctx
			}
			own := *ctx
			own.Own = false
			return &own
		}, s.View(true))
		p.judge(p.in.Pkg)
	})
}

// apart returns the candidates that another judgement leaves silent. The judgement before
// stays the program's.
func (p *program) apart(judge func()) *witness.Excluded {
	in, gset, restore := p.in, p.gset, p.in.Pkg.Save()
	judge()
	excluded := p.in.Excluded()
	restore()
	p.in, p.gset = in, gset
	return excluded
}

// outsideOf reports whether something is known, or can be assumed, of the callers
// of the package's functions, and whether nothing calls some.
func (p *program) outsideOf(s *outside.Solution) (known, assumed, idle bool) {
	for _, f := range p.in.Pkg.Funcs {
		if f.Obj == nil {
			continue
		}
		name := outside.NameOf(f.Obj)
		known = known || f.Is(role.Handler) && unserved(s, name)
		assumed, idle = assumed || s.Uncalled(name) || s.Dropped(f.Obj), idle || s.Unused(name) || s.Idle(name)
		if ctx := s.Of(name, true); ctx != nil {
			known, assumed = known || !ctx.Assumed, assumed || ctx.Assumed
		}
	}
	return known, assumed, idle
}

// unserved reports whether no server calls a handler, or its package shows who does.
func unserved(s *outside.Solution, fn outside.Name) bool {
	_, home := s.AtHome(fn)
	return home || s.Withheld(fn)
}

func (p *program) again(s *outside.Solution, assume bool) {
	p.in.Pkg.Again(func(fn *types.Func) *outside.Context { return s.Of(outside.NameOf(fn), assume) }, s.View(assume))
	p.judge(p.in.Pkg)
}
