package machine

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mapguard/mapguard/analyzer/internal/explore/program"
)

// A Verdict says what a program is.
type Verdict int

// The verdicts.
const (
	Clean Verdict = iota
	Taste
	Stale
	Race
)

// String returns the verdict's name.
func (v Verdict) String() string { return [...]string{"clean", "taste", "stale", "race"}[v] }

// Wrong reports whether the program must be found.
func (v Verdict) Wrong() bool { return v >= Stale }

// A Truth is the verdict on a program, and what is wrong with it.
type Truth struct {
	Verdict Verdict
	// Pairs are the races and the stale decisions that do harm; Why says for
	// each which goroutines did what.
	Pairs []Pair
	Why   []string
	// Funcs are the functions in which they stand, callers included.
	Funcs map[*program.Func]bool
	// Stale and Unserializable say why the verdict is Taste.
	Stale, Unserializable, ItemRace bool
	// Loose says why it is, too: the program does nothing wrong, but owes that
	// to constants alone.
	Loose Looseness
	// States is how many states were visited.
	States int
	// Serial are the outcomes of the serial executions, by scenario.
	Serial map[string]string
}

// Judge runs a program in all its scenarios. An error says that the program is
// no good one: it can deadlock, panics when run serially, or the like.
func Judge(p *program.Program) (*Truth, error) {
	w, err := newWorld(p)
	if err != nil {
		return nil, err
	}
	j := &judge{w: w, truth: &Truth{Funcs: make(map[*program.Func]bool)}}
	for _, stage := range w.stages() {
		scenarios, err := stage()
		if err != nil {
			return nil, err
		}
		for _, sc := range scenarios {
			if err := j.scenario(sc); err != nil {
				return nil, fmt.Errorf("%s: %w", sc.Text, err)
			}
		}
		if j.truth.Verdict.Wrong() {
			break
		}
	}
	if !j.truth.Verdict.Wrong() && w.idle() {
		return nil, errors.New("an act never runs")
	}
	if t := j.truth; p.Main != nil && t.Verdict == Clean {
		if t.Loose = loose(p); t.Loose != Tight {
			t.Verdict = Taste
		}
	}
	return j.truth, nil
}

// idle reports whether there is an act that never ran, other than those that
// are dead on purpose. It cannot be told from the source that such a program
// is clean.
func (w *world) idle() bool {
	idle := false
	var look func(body []program.Stmt)
	look = func(body []program.Stmt) {
		for _, s := range body {
			switch s := s.(type) {
			case *program.If:
				if s.Dead {
					continue
				}
			case *program.Set, *program.Add, *program.Delete, *program.Clear, *program.Make:
				idle = idle || !w.acted[s]
			}
			for _, b := range program.Blocks(s) {
				look(*b)
			}
		}
	}
	for _, c := range w.codes {
		if w.p.Calls(c.fn) || c.fn.Op {
			look(c.fn.Body)
		}
	}
	return idle
}

func newWorld(p *program.Program) (*world, error) {
	if p.Documented && len(p.Ops()) == 0 {
		return nil, errors.New("no operations")
	}
	for _, f := range p.Funcs {
		if f.Handler && !p.Calls(f) {
			return nil, fmt.Errorf("nothing asks for %s", f.Name)
		}
	}
	c, err := compile(p)
	if err != nil {
		return nil, err
	}
	return &world{compiler: c, acted: make(map[program.Stmt]bool)}, nil
}

type judge struct {
	w     *world
	truth *Truth
}

// scenario judges one start.
func (j *judge) scenario(sc *Scenario) error {
	serial, err := j.w.outcomes(sc, true, nil)
	if err != nil {
		return fmt.Errorf("serial: %w", err)
	}
	if _, ok := serial["panic"]; ok {
		return errors.New("panics when run serially")
	}
	if j.truth.Serial == nil {
		j.truth.Serial = make(map[string]string)
	}
	j.truth.Serial[sc.Text] = strings.Join(slices.Sorted(maps.Keys(serial)), "\n")
	all, err := j.w.outcomes(sc, false, func(s *state) {
		j.truth.States++
		j.w.races(s, func(p Pair, item bool) { j.race(sc, p, item) })
	})
	if err != nil {
		return err
	}
	for text, stale := range all {
		_, ok := serial[text]
		for set := range stale {
			switch {
			case ok && set == 0:
			case ok:
				j.truth.Stale = true
			case set == 0:
				j.truth.Unserializable = true
			default:
				j.stale(sc, text, set)
			}
		}
	}
	if t := j.truth; t.Verdict == Clean && (t.Stale || t.Unserializable || t.ItemRace) {
		t.Verdict = Taste
	}
	return nil
}

// outcomes returns the outcomes of all executions, each with the sets of stale
// decisions with which it was met.
func (w *world) outcomes(sc *Scenario, serial bool, each func(*state)) (map[string]map[uint32]bool, error) {
	w.serial = serial
	codes := w.load(sc)
	defer func() { w.codes = w.codes[:w.base()] }()
	out := make(map[string]map[uint32]bool)
	err := w.search(w.start(sc.memory, codes...), each, func(s *state) {
		text := w.outcome(s)
		if out[text] == nil {
			out[text] = make(map[uint32]bool)
		}
		out[text][s.stale] = true
	})
	return out, err
}

func (j *judge) race(sc *Scenario, p Pair, item bool) {
	if item {
		j.truth.ItemRace = true
		return
	}
	j.truth.Verdict = Race
	j.wrong(p, sc.Text)
}

func (j *judge) stale(sc *Scenario, outcome string, set uint32) {
	j.truth.Verdict = max(j.truth.Verdict, Stale)
	for i, p := range j.w.pairs {
		if set&(1<<i) != 0 {
			j.wrong(p, sc.Text+" => "+strings.TrimSpace(outcome))
		}
	}
}

func (j *judge) wrong(p Pair, why string) {
	for _, q := range j.truth.Pairs {
		if q == p {
			return
		}
	}
	j.truth.Pairs = append(j.truth.Pairs, p)
	j.truth.Why = append(j.truth.Why, why)
	for _, f := range j.w.functions(p) {
		j.truth.Funcs[f] = true
	}
}
