package summary

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/callback"
	"github.com/mapguard/mapguard/analyzer/internal/depend"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/ownership"
)

// A Fact is the part of a summary that other packages need, attached to the
// function's generic origin. It holds no positions and no identifiers of this
// run, so that it is small and deterministic.
type Fact struct {
	Accesses []AccessFact
	Pairs    []Pair
	Effect   *StateFact
	Results  []ResultFact
	Runs     []RunFact
	Chains   []ChainFact
	Own      *OwnFact
	Spawns   bool
	Asks     bool
	NoReturn bool
	// Calm: it waits for nothing, takes no lock, and runs nothing unknown.
	Calm bool
	// Work is that of the function.
	Work Work
	// CalmWith: it is calm where the functions are that it is given.
	CalmWith bool
	// Wraps are the interfaces of which it has only the methods called.
	Wraps []WrapFact
}

// AFact marks Fact as a fact.
func (*Fact) AFact() {}

// Empty reports whether the fact says nothing.
func (f *Fact) Empty() bool {
	tells := f.Spawns || f.NoReturn || f.CalmWith || f.Work != 0
	return !tells && len(f.Accesses)+len(f.Results)+len(f.Runs)+len(f.Wraps) == 0 && f.Effect == nil && f.Own == nil
}

// String is what tests assert: the accesses with their locks, then the effect.
func (f *Fact) String() string {
	var parts []string
	for _, a := range f.Accesses {
		s := opName(a.Op) + " " + a.Path.String()
		if under := a.Held.String(); under != "" {
			s += " under " + under
		}
		parts = append(parts, s)
	}
	if f.Effect != nil {
		parts = append(parts, f.Effect.effect())
	}
	for _, r := range f.Results {
		if r.Path.Root != 0 {
			parts = append(parts, "returns "+r.Path.String())
		}
	}
	for _, r := range f.Runs {
		parts = append(parts, r.String())
	}
	if f.Spawns {
		parts = append(parts, "spawns")
	}
	if f.NoReturn {
		parts = append(parts, "never returns")
	}
	switch f.Work {
	case Counted:
		parts = append(parts, "counts what it runs")
	case GivesEnd:
		parts = append(parts, "tells when nothing runs")
	case Rearms:
		parts = append(parts, "has it run anew")
	}
	if f.Calm && len(parts) == 0 {
		parts = append(parts, "calm")
	}
	return strings.Join(parts, "; ")
}

func opName(o access.Op) string {
	switch {
	case o == access.Atomic:
		return "atomic"
	case o.Writes():
		return "writes"
	}
	return "reads"
}

// An AccessFact is one access of the function or its callees.
type AccessFact struct {
	Path, Key, Value PathFact
	Op               access.Op
	Stored           access.Stored
	Held             *StateFact
	Depth            int
	Func             string
	Once, Joined     bool
	Validated        bool
	Rechecked        bool
	Filled           bool
	ContentUsed      bool
	Alive, Pinned    bool
	Hint, Reported   bool
	Sizes, Carried   bool
	First, NewKey    bool
	Early            bool
	When             access.When
	// Method is the concurrent map's, if it is one.
	Method string
	// Published: the function has let others know the object before.
	Published bool
}

// A ResultFact describes one result.
type ResultFact struct {
	Path     PathFact
	Apart    []PathFact
	Checks   []int
	Senses   []depend.Sense
	Volatile bool
	Releases []PathFact
	// Fetch are the locks that are held where the map is read that the function gives back; nil if none are.
	Fetch *StateFact
}

// A RunFact is what the function does with a parameter that is a function.
type RunFact struct {
	Param int
	Fate  callback.Fate
	Held  *StateFact
	Many  bool
	// Turns: several do it, one after the other.
	Turns bool
	// Room is one more than the parameter on which it depends that several do it, 0 if
	// none.
	Room int
	// Tended: it is kept where one goroutine alone calls it, time and again.
	Tended bool
	// Ended is the outcome that tells that it has ended where a goroutine runs it; nil if none does.
	Ended *EndedFact
	Given []GivenFact
	// Checks index the fact's accesses.
	Checks []int
}

// An EndedFact is an outcome of a function: one more than a result, and how that is.
type EndedFact struct {
	Result int
	Test   locks.Test
	Holds  bool
}

// A GivenFact is what a function passes to one that it runs.
type GivenFact struct {
	Param int
	Arg   PathFact
	Owned bool
}

// A PathFact is an access path without pointers: a root and steps by name.
type PathFact struct {
	Root  accesspath.RootKind // 0: unknown
	Index int                 // Param
	Pkg   string              // Global
	Name  string              // Global: the variable; Const: its text
	Steps []StepFact
}

// A StepFact is one step.
type StepFact struct {
	// Field is the field's name, "" for an element.
	Field string
	// Pkg is the package of an unexported field.
	Pkg string
	// Param is one more than the parameter that is the element's key; Const
	// is its constant key.
	Param int
	Const string
	// Key is its computed key.
	Key []KeyFact
}

// String writes the path for tests: arg0.entries[*].
func (p PathFact) String() string {
	var b strings.Builder
	switch p.Root {
	case accesspath.Param:
		fmt.Fprintf(&b, "arg%d", p.Index)
	case accesspath.Result:
		fmt.Fprintf(&b, "result%d", p.Index)
	default:
		b.WriteString(p.Name)
	}
	for _, s := range p.Steps {
		switch {
		case s.Field != "":
			b.WriteString("." + s.Field)
		case s.Const != "":
			b.WriteString("[" + s.Const + "]")
		default:
			b.WriteString("[*]")
		}
	}
	return b.String()
}

// A Codec translates summaries to facts and back, for one package.
type Codec struct {
	table *accesspath.Table
	pkg   *types.Package
	// missing stands in for variables that export data leaves out.
	missing map[string]*types.Var
}

// NewCodec returns a codec for the analysis of pkg over its path table.
func NewCodec(table *accesspath.Table, pkg *types.Package) *Codec {
	return &Codec{table: table, pkg: pkg, missing: make(map[string]*types.Var)}
}

// Name writes the path of a place for other packages; without a root if they have
// no name for it.
func (c *Codec) Name(p accesspath.Path) PathFact { return c.path(p) }

// Storage returns the place that a function of this package calls so.
func (c *Codec) Storage(fn *types.Func, f PathFact) accesspath.Path {
	d := &decoder{Codec: c, fn: fn.Origin()}
	return d.path(f)
}

// Exact reports whether the path names one place, not some element of several.
func (p PathFact) Exact() bool {
	return !slices.ContainsFunc(p.Steps, func(s StepFact) bool { return s.Field == "" && s.Param == 0 && s.Const == "" && s.Key == nil })
}

// Encode returns the fact of a summary. entry are the locks that its callers
// are known to hold.
func (c *Codec) Encode(f *Func, entry []locks.Held) *Fact {
	fact := &Fact{Spawns: f.Spawns, Asks: f.Asks, Calm: f.Calm, CalmWith: f.CalmWith, Work: f.Work, Own: c.own(f), Wraps: c.wraps(f)}
	index := make(map[int]int) // from the summary's accesses to the fact's
	for _, i := range f.Visible {
		a := &f.Accesses[i]
		if !Exported(a) || a.Fresh || a.Spawned {
			continue
		}
		af := AccessFact{
			Path: c.path(a.Path), Key: c.path(a.Key), Value: c.path(a.Value), Op: a.Op, Stored: a.Stored,
			Held: c.state(a.Held), Depth: a.Depth, Func: a.InnerFunc,
			Once: a.Once, Joined: a.Joined, Validated: a.Validated, Rechecked: a.Rechecked, Filled: a.Filled, ContentUsed: a.ContentUsed,
			Alive: a.Alive, Pinned: a.Pinned, Hint: a.Hint, Reported: a.Reported, Sizes: a.Sizes, Carried: a.Carried, First: a.First, NewKey: a.NewKey, Early: a.Early, When: a.When, Method: a.Method,
			Published: a.Own == ownership.Shared && a.Path.Root().Kind == accesspath.Param,
		}
		if af.Path.Root == 0 {
			continue
		}
		if af.Value.Root != accesspath.Param {
			af.Value = PathFact{}
		}
		index[i] = len(fact.Accesses)
		fact.Accesses = append(fact.Accesses, af)
	}
	for _, p := range f.Pairs {
		ci, ok1 := index[p.Check]
		ai, ok2 := index[p.Act]
		if ok1 && ok2 && !f.Accesses[p.Check].Path.Location().Valid() {
			p.Check, p.Act = ci, ai
			fact.Pairs = append(fact.Pairs, p)
		}
	}
	fact.Effect = c.state(f.Effect.Exit())
	c.results(f, fact, index)
	for _, r := range f.Runs {
		if rf, ok := c.run(f, r, index); ok {
			fact.Runs = append(fact.Runs, rf)
		}
	}
	fact.Chains = c.chains(f)
	return fact
}

// fetched returns the locks that are held wherever the function reads a map from a place and gives it back, the top
// element if that is not known.
func (f *Func) fetched(from accesspath.Path) locks.State {
	var lattice locks.Lattice
	all := lattice.Ident()
	for i := range f.Accesses {
		a := &f.Accesses[i]
		if a.Op != access.Return || a.Path != from {
			continue
		}
		if !a.Fetched {
			return lattice.Ident()
		}
		all = lattice.Merge(all, a.Fetch)
	}
	return all
}

// fetch is state for what a result has been read under: of none, it is not known.
func (d *decoder) fetch(f *StateFact) locks.State {
	if f == nil {
		return locks.Lattice{}.Ident()
	}
	return d.state(f)
}

func (c *Codec) results(f *Func, fact *Fact, index map[int]int) {
	some := false
	var out []ResultFact
	for _, r := range f.Results {
		rf := ResultFact{Path: c.path(r.Path), Apart: c.paths(r.Apart), Volatile: r.Volatile, Releases: c.paths(r.Releases)}
		for k, i := range r.Checks {
			if j, ok := index[i]; ok {
				rf.Checks = append(rf.Checks, j)
				rf.Senses = append(rf.Senses, r.Sense(k))
			}
		}
		if rf.Path.Root != 0 {
			rf.Fetch = c.state(f.fetched(r.Path))
		}
		some = some || rf.Path.Root != 0 || rf.Volatile || len(rf.Checks) > 0 || len(rf.Releases) > 0
		out = append(out, rf)
	}
	if some {
		fact.Results = out
	}
}

func (c *Codec) paths(ps []accesspath.Path) []PathFact {
	var out []PathFact
	for _, p := range ps {
		if f := c.path(p); f.Root != 0 {
			out = append(out, f)
		}
	}
	return out
}

func (c *Codec) path(p accesspath.Path) PathFact {
	r := p.Root()
	f := PathFact{Root: r.Kind}
	switch r.Kind {
	case accesspath.Param, accesspath.Result:
		if _, ok := r.Fn.(*types.Func); !ok {
			return PathFact{}
		}
		f.Index = r.Index
	case accesspath.Global:
		if r.Obj.Pkg() == nil {
			return PathFact{}
		}
		f.Pkg, f.Name = r.Obj.Pkg().Path(), r.Obj.Name()
	case accesspath.Const:
		f.Name = r.Const
	default:
		return PathFact{}
	}
	f.Steps = make([]StepFact, p.Depth())
	for i := p.Depth() - 1; i >= 0; i-- {
		if v := p.LastField(); v != nil {
			f.Steps[i] = StepFact{Field: v.Name()}
			if !v.Exported() && v.Pkg() != nil {
				f.Steps[i].Pkg = v.Pkg().Path()
			}
		} else if k := p.Key(); k.Known() && k.Depth() == 0 {
			switch k.Root().Kind {
			case accesspath.Param:
				f.Steps[i].Param = k.Root().Index + 1
			case accesspath.Const:
				f.Steps[i].Const = k.Root().Const
			}
		} else if k.IsComputed() {
			f.Steps[i].Key = c.computed(k)
		}
		p = p.Parent()
	}
	if len(f.Steps) == 0 {
		f.Steps = nil
	}
	return f
}

// Decode returns the summary of fn that a fact holds.
func (c *Codec) Decode(fn *types.Func, fact *Fact) (*Func, error) {
	d := &decoder{Codec: c, fn: fn.Origin()}
	s := &Func{Key: fn.Origin(), Obj: fn.Origin(), Name: funcName(fn), Pos: token.NoPos, Spawns: fact.Spawns, Asks: fact.Asks, Calm: fact.Calm, CalmWith: fact.CalmWith, Work: fact.Work, Imported: true, Pairs: fact.Pairs}
	for i := range fact.Accesses {
		s.Accesses = append(s.Accesses, d.access(&fact.Accesses[i]))
		s.Visible = append(s.Visible, i)
	}
	s.Effect = locks.EffectOf(d.state(fact.Effect))
	s.Own, s.Wraps = d.own(fact.Own), d.wraps(fact.Wraps)
	for _, r := range fact.Results {
		s.Results = append(s.Results, Result{Path: d.path(r.Path), Apart: d.paths(r.Apart), Checks: r.Checks, Senses: r.Senses, Volatile: r.Volatile, Releases: d.paths(r.Releases), Fetch: d.fetch(r.Fetch)})
	}
	for _, r := range fact.Runs {
		s.Runs = append(s.Runs, d.run(r))
	}
	s.Chains = d.chains(fact.Chains)
	for _, p := range s.Pairs {
		if p.Check >= len(s.Accesses) || p.Act >= len(s.Accesses) || p.Check < 0 || p.Act < 0 {
			return nil, fmt.Errorf("fact of %s: pair out of range", fn.FullName())
		}
	}
	return s, nil
}

func funcName(fn *types.Func) string {
	if recv := fn.Signature().Recv(); recv != nil {
		t := recv.Type()
		if p, ok := types.Unalias(t).(*types.Pointer); ok {
			t = p.Elem()
		}
		if n, ok := types.Unalias(t).(*types.Named); ok {
			return n.Obj().Name() + "." + fn.Name()
		}
	}
	if fn.Pkg() != nil {
		return fn.Pkg().Name() + "." + fn.Name()
	}
	return fn.Name()
}
