package outside

import (
	"fmt"
	"go/token"
	"go/types"
	"math/rand/v2"
	"testing"

	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// locksOf are three locks, which promises are of.
var locksOf = func() (out []*types.Var) {
	for i := range 3 {
		out = append(out, types.NewField(token.Pos(i+1), nil, fmt.Sprintf("mu%d", i), types.Typ[types.Int], false))
	}
	return out
}()

func funcName(i int) Name { return Name(fmt.Sprintf("in.F%d", i)) }

const funcs = 6

// passage is any.
func passage(r *rand.Rand) Passage {
	p := Passage{Apart: r.IntN(6) == 0}
	for _, v := range locksOf {
		switch r.IntN(4) {
		case 0:
			p.Takes = append(p.Takes, Lock{Place: v, Mode: locks.Write})
		case 1:
			p.Takes = append(p.Takes, Lock{Place: v, Mode: locks.Read})
		case 2:
			p.Drops = append(p.Drops, v)
		}
	}
	return p
}

// program is one in which main and six functions call each other, in their package
// and from another one.
func program(r *rand.Rand) []*Record {
	app := &Record{Path: "app", Funcs: map[Name]Decl{"app.main": {Short: "main"}}, Refs: []Ref{{To: "app.main", Loose: true}}}
	in := &Record{Path: "in", Funcs: make(map[Name]Decl)}
	for i := range funcs {
		in.Funcs[funcName(i)] = Decl{Short: fmt.Sprintf("F%d", i), Exported: true}
	}
	for range 2 + r.IntN(8) {
		call(r, app, in)
	}
	return []*Record{app, in}
}

// call adds a call; of the calls of the last function nothing is known but that
// there are some.
func call(r *rand.Rand, app, in *Record) {
	i := r.IntN(funcs)
	to, known := funcName(i), i < funcs-1
	if r.IntN(3) == 0 {
		app.Refs = append(app.Refs, Ref{From: "app.main", To: to, Loose: r.IntN(8) == 0})
		if known {
			app.Calls = append(app.Calls, Call{Caller: "app.main", Callee: to, Kind: summary.Direct, Passage: passage(r)})
		}
		return
	}
	from := funcName(r.IntN(funcs))
	in.Refs = append(in.Refs, Ref{From: from, To: to})
	if known {
		in.Steps = append(in.Steps, Step{From: from, To: to, Passage: passage(r)})
	}
}

// promisesLess reports whether q holds no lock that p does not.
func promisesLess(q, p promise) bool {
	if p == nil || q == nil {
		return p == nil
	}
	for v, mode := range q {
		if p[v] < mode {
			return false
		}
	}
	return true
}

// One more record adds no promise to a function that has callers; each call keeps
// what its callee is promised.
func TestHeldLaws(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		records := program(r)
		s := solved(records, all{}, nil)
		before := s.held(false)
		for from, steps := range s.steps.from {
			for _, st := range steps {
				if s.live[from] && !promisesLess(before[st.To], st.after(before[from])) {
					t.Fatalf("%s is promised %v, and called by %s with %v", st.To, before[st.To], from, st.after(before[from]))
				}
			}
		}
		app, in := *records[0], *records[1]
		call(r, &app, &in)
		after := solved([]*Record{&app, &in}, all{}, nil).held(false)
		for i := range funcs {
			if name := funcName(i); !promisesLess(after[name], before[name]) {
				t.Fatalf("%s: %v becomes %v with %v %v", name, before[name], after[name], app.Calls, in.Steps)
			}
		}
	}
}

// What all callers hold is held below them, through recursion, but for what is let
// go, where a goroutine begins, and where one caller does without.
func TestHeld(t *testing.T) {
	mu := locksOf[0]
	locked := Passage{Takes: []Lock{{Place: mu, Mode: locks.Write}}}
	s := solved([]*Record{
		{
			Path: "app", Funcs: map[Name]Decl{"app.main": {Short: "main"}},
			Refs:  []Ref{{To: "app.main", Loose: true}, {From: "app.main", To: "in.F0"}, {From: "app.main", To: "in.F3"}},
			Calls: []Call{{Caller: "app.main", Callee: "in.F0", Passage: locked}, {Caller: "app.main", Callee: "in.F3"}},
		},
		{
			Path:  "in",
			Funcs: map[Name]Decl{"in.F0": {Short: "F0", Exported: true}, "in.F1": {Short: "F1", Exported: true}, "in.F2": {Short: "F2", Exported: true}, "in.F3": {Short: "F3", Exported: true}, "in.F4": {Short: "F4", Exported: true}},
			Refs: []Ref{
				{From: "in.F0", To: "in.F1"}, {From: "in.F1", To: "in.F1"}, {From: "in.F1", To: "in.F2"}, {From: "in.F1", To: "in.F3"}, {From: "in.F1", To: "in.F4"},
			},
			Steps: []Step{
				{From: "in.F0", To: "in.F1"}, {From: "in.F1", To: "in.F1"}, {From: "in.F1", To: "in.F2", Passage: Passage{Drops: []*types.Var{mu}}},
				{From: "in.F1", To: "in.F3"}, {From: "in.F1", To: "in.F4", Passage: Passage{Apart: true}},
			},
		},
	}, all{}, nil)
	held := s.held(false)
	for name, want := range map[Name]int{"in.F0": 1, "in.F1": 1, "in.F2": 0, "in.F3": 0, "in.F4": 0, "app.main": 0} {
		if len(held[name]) != want {
			t.Errorf("%s: %v, want %d locks", name, held[name], want)
		}
	}
}
