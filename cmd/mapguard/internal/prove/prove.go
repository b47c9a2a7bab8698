package prove

import (
	"cmp"
	"context"
	"go/types"
	"os"
	"slices"
	"time"

	"github.com/mapguard/mapguard/analyzer/finding"
)

// A Config says how to prove.
type Config struct {
	// Dir is the absolute directory that was analysed, Tags and Env the build.
	Dir, Tags string
	Env       []string
	// Time is how long the runs of one package may take.
	Time time.Duration
	// Keep, unless it is empty, is the directory for drivers that confirmed
	// findings.
	Keep string
	// Progress, unless it is nil, is told what is done.
	Progress func(what string)
}

// Run proves findings, and notes the result in each. An error means that
// nothing could be tried at all.
func Run(ctx context.Context, cfg Config, findings []finding.Finding) error {
	if len(findings) == 0 {
		return nil
	}
	scratch, err := os.MkdirTemp("", "mapguard-prove-")
	if err != nil {
		return err
	}
	if os.Getenv("MAPGUARD_PROVE_DEBUG") == "" {
		defer os.RemoveAll(scratch)
	}
	// A go command that is killed leaves its temporary directory behind.
	cfg.Env = append([]string{"GOTMPDIR=" + scratch}, cfg.Env...)
	all := make([]*finding.Finding, len(findings))
	for i := range findings {
		all[i] = &findings[i]
	}
	m, err := survey(ctx, &cfg)
	if err != nil {
		return err
	}
	if err := m.load(ctx, &cfg, all); err != nil {
		return err
	}
	s := &session{Config: cfg, module: m, scratch: scratch, spent: make(map[string]time.Duration)}
	s.plan(all)
	if err := s.prepare(); err != nil {
		return err
	}
	reaches := s.reaches()
	s.runAll(ctx, reaches, true)
	s.driveAll(ctx)
	s.runAll(ctx, reaches, false)
	s.conclude() // of a run that is interrupted, what it has shown
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.failed
}

// load reads the packages in which findings have their places, and those to
// which their calls lead.
func (m *module) load(ctx context.Context, cfg *Config, findings []*finding.Finding) error {
	paths := m.involved(findings)
	if err := m.read(ctx, cfg, paths); err != nil {
		return err
	}
	more := m.beyond(findings)
	if len(more) == 0 {
		return nil
	}
	return m.read(ctx, cfg, append(paths, more...))
}

// runAll runs the tests of the packages that have findings, or of the others:
// those of importers take longer than drivers do.
func (s *session) runAll(ctx context.Context, reaches []*reach, own bool) {
	for _, r := range reaches {
		if (r.levels == 0) == own && ctx.Err() == nil && !s.log.settled(r.of) {
			s.say("tests of " + r.tests)
			s.run(ctx, r)
		}
	}
}

// A session is one proof of a module.
type session struct {
	Config
	*module
	scratch   string
	ops       []*operation
	list      []*target
	functions []*function
	entered   []*entry
	methods   []*entry // exported ones, those that are likely to fill first
	calls     *callGraph
	// without are the operations that could not be probed.
	without map[int]bool
	overlay string // the file of the overlay
	// extra are files that the overlay adds, or, without contents, takes away;
	// names are those of the files in the scratch directory.
	extra map[string][]byte
	names map[string]string
	// harvest are the drivers that run on what tests make, by finding; needs are
	// the types of which they take values, each behind its package.
	harvest map[int][]byte
	needs   map[string]bool
	// again numbers the functions whose calls by tests are kept.
	again map[*types.Func]int
	// spent is the time that went into the tests for a package.
	spent map[string]time.Duration
	// failed is the first error of writing a driver.
	failed error
	log    *results
}

// involved are the packages in which findings have their places.
func (m *module) involved(findings []*finding.Finding) []string {
	dirs := make(map[string]string)
	for path, p := range m.all {
		for _, name := range p.GoFiles {
			dirs[name] = path
		}
	}
	paths := make(map[string]bool)
	for _, f := range findings {
		paths[f.Package] = true
		for _, s := range f.Trace {
			paths[dirs[s.Pos.File]] = true
			if s.Inner != nil {
				paths[dirs[s.Inner.File]] = true
			}
		}
		for _, r := range f.Related {
			paths[dirs[r.Pos.File]] = true
		}
	}
	delete(paths, "")
	return sortedKeys(paths)
}

// plan finds what is to be probed, and makes the edits.
func (s *session) plan(findings []*finding.Finding) {
	var ops []*operation
	for _, f := range sorted(s.files) {
		ops = append(ops, s.module.operations(f)...)
	}
	s.list = s.targets(findings, ops)
	s.functions = s.module.functions(s.list)
	used := make(map[*operation]bool)
	for _, t := range s.list {
		for _, list := range [][]*operation{t.looks, t.acts, t.traps, t.others} {
			for _, op := range list {
				used[op] = true
			}
		}
	}
	for _, t := range s.list {
		if t.leave != nil {
			ops = append(ops, t.leave)
		}
		if s.uses(t); t.keeps != nil {
			ops = append(ops, t.keeps)
			used[t.keeps] = true
		}
	}
	for _, op := range ops {
		if used[op] {
			op.id = len(s.ops)
			s.ops = append(s.ops, op)
			s.rewrite(op)
		}
	}
	s.frames(s.functions, s.list)
	g := s.graph()
	s.entered = s.entries(g, s.list)
	s.methods, s.calls = g.methods(), g
	s.copying()
	s.harvesters()
	s.without = make(map[int]bool)
	s.log = newResults(s)
}

// A reach is a package with tests, and the packages with findings that it
// imports, directly or not.
type reach struct {
	tests  string
	of     []string
	levels int // how far away the nearest is
}

// maxImporters bounds the importers of one package whose tests are run.
const maxImporters = 8

// reaches lists the packages whose tests can reach findings, the nearest first.
func (s *session) reaches() []*reach {
	by := make(map[string]*reach)
	var out []*reach
	for _, t := range s.list {
		if t.why != "" {
			continue
		}
		for _, a := range s.above(t.Package) {
			r := by[a.tests]
			if r == nil {
				r = a
				by[r.tests] = r
				out = append(out, r)
			}
			r.levels = min(r.levels, a.levels)
			if !slices.Contains(r.of, t.Package) {
				r.of = append(r.of, t.Package)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b *reach) int { return cmp.Compare(a.levels, b.levels) })
	return out
}

// above lists a package and those that import it, as far as they have tests.
func (s *session) above(pkg string) []*reach {
	seen := map[string]bool{pkg: true}
	var out []*reach
	for level, n := []string{pkg}, 0; len(level) > 0 && len(out) < maxImporters; n++ {
		slices.Sort(level)
		var next []string
		for _, p := range level {
			if s.tests[p] {
				out = append(out, &reach{tests: p, levels: n})
			}
			for _, q := range s.importers[p] {
				if !seen[q] {
					seen[q] = true
					next = append(next, q)
				}
			}
		}
		level = next
	}
	return out[:min(len(out), maxImporters)]
}

func (s *session) say(what string) {
	if s.Progress != nil {
		s.Progress(what)
	}
}

// conclude notes the results in the findings.
func (s *session) conclude() {
	for _, t := range s.list {
		if t.Proof = s.log.proof(t); t.Proof.Status == finding.Confirmed {
			t.Message += " (confirmed)"
		}
	}
}
