package machine_test

import (
	"testing"

	"github.com/mapguard/mapguard/analyzer/internal/explore/machine"
	p "github.com/mapguard/mapguard/analyzer/internal/explore/program"
)

// The pieces of the programs below, which all are about s.m[k] and s.mu.
var (
	key  = &p.Ref{Name: "k"}
	ok   = &p.Ref{Name: "ok"}
	ok2  = &p.Ref{Name: "ok2"}
	yes  = &p.Lit{V: 1, T: p.Bool}
	no   = &p.Lit{T: p.Bool}
	keys = []p.Param{{Name: "k", Type: p.Int}}
)

func lock() p.Stmt   { return &p.LockOp{} }
func unlock() p.Stmt { return &p.LockOp{Kind: p.Release} }
func look(name string) p.Stmt {
	return &p.Define{Names: []string{"_", name}, X: &p.Index{Key: key}}
}
func insert() p.Stmt { return &p.Set{Key: key, X: yes} }
func remove() p.Stmt { return &p.Delete{Key: key} }
func result(x p.Expr) p.Stmt {
	return &p.Return{Xs: []p.Expr{x}}
}
func when(cond p.Expr, then ...p.Stmt) p.Stmt { return &p.If{Cond: cond, Then: then} }

// claim inserts what is absent and says whether it did.
func claim(body ...p.Stmt) *p.Func {
	return &p.Func{Name: "Claim", Op: true, Params: keys, Results: []p.Type{p.Bool}, Body: append(body, result(yes))}
}

// drop deletes what is there and says nothing.
func drop(body ...p.Stmt) *p.Func {
	return &p.Func{Name: "Drop", Op: true, Params: keys, Body: body}
}

func put() *p.Func {
	return &p.Func{Name: "Put", Op: true, Params: keys, Body: []p.Stmt{lock(), insert(), unlock()}}
}

func documented(funcs ...*p.Func) *p.Program {
	return &p.Program{Documented: true, Maps: []*p.Map{{Name: "m", Elem: p.Bool}}, Locks: []*p.Lock{{Name: "mu"}}, Funcs: funcs}
}

// started is a program whose Main starts put twice, in the way of a join, and
// goes on with rest.
func started(put *p.Func, join p.Join, rest ...p.Stmt) *p.Program {
	prog := documented(put)
	prog.Documented, prog.Objects = false, 1
	call := func() *p.Call { return &p.Call{F: put, Args: []p.Expr{&p.Lit{V: 1}}} }
	prog.Main = &p.Func{Name: "Run", Body: append([]p.Stmt{
		&p.Go{Call: call(), Join: join}, &p.Go{Call: call(), Join: join},
	}, rest...)}
	return prog
}

func TestJudge(t *testing.T) {
	atEnd := func() p.Stmt { return &p.Clear{} }
	tests := []struct {
		name string
		prog *p.Program
		want machine.Verdict
	}{
		{"one section", documented(claim(lock(), look("ok"), when(ok, unlock(), result(no)), insert(), unlock())), machine.Clean},
		{"split", documented(claim(lock(), look("ok"), unlock(), when(ok, result(no)), lock(), insert(), unlock())), machine.Stale},
		{"second look", documented(claim(lock(), look("ok"), unlock(), when(ok, result(no)),
			lock(), look("ok2"), when(ok2, unlock(), result(no)), insert(), unlock())), machine.Clean},
		{"no lock", documented(claim(look("ok"), when(ok, result(no)), insert())), machine.Race},
		{"minority without lock", documented(put(), drop(remove())), machine.Race},
		{"stale without harm", documented(put(), drop(lock(), look("ok"), unlock(), when(ok, lock(), remove(), unlock()))), machine.Taste},
		{"joined", started(put(), p.WaitGroup, &p.Wait{Join: p.WaitGroup}, atEnd()), machine.Clean},
		{"joined by a channel", started(put(), p.Channel, &p.Wait{Join: p.Channel, N: 2}, atEnd()), machine.Clean},
		{"waits for one of two", started(put(), p.Channel, &p.Wait{Join: p.Channel, N: 1}, atEnd()), machine.Race},
		{"not joined", started(put(), p.NoJoin, atEnd()), machine.Race},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			truth, err := machine.Judge(test.prog)
			if err != nil {
				t.Fatal(err)
			}
			if truth.Verdict != test.want {
				t.Errorf("%s, want %s: %v", truth.Verdict, test.want, truth.Why)
			}
			if truth.Verdict.Wrong() != (len(truth.Funcs) > 0) {
				t.Errorf("%d functions take part", len(truth.Funcs))
			}
		})
	}
}

// A stale decision is told with its look and its act.
func TestPairs(t *testing.T) {
	seen, act := look("ok"), insert()
	prog := documented(claim(lock(), seen, unlock(), when(ok, result(no)), lock(), act, unlock()))
	truth, err := machine.Judge(prog)
	if err != nil {
		t.Fatal(err)
	}
	if len(truth.Pairs) != 1 || truth.Pairs[0].Look != seen || truth.Pairs[0].Act != act {
		t.Errorf("pairs %v, look %p, act %p", truth.Pairs, seen, act)
	}
}

// Programs that could not be compared with are refused.
func TestRefused(t *testing.T) {
	twice := documented(put(), &p.Func{Name: "Twice", Op: true, Body: []p.Stmt{lock(), lock()}})
	locked := documented(put(), &p.Func{Name: "Leave", Op: true, Body: []p.Stmt{lock()}})
	unset := documented(put(), drop(&p.Emit{Key: &p.Ref{Name: "x"}}))
	idle := documented(put(), drop(when(no, lock(), remove(), unlock())))
	for name, prog := range map[string]*p.Program{"twice": twice, "never unlocked": locked, "undefined": unset, "idle": idle} {
		if truth, err := machine.Judge(prog); err == nil {
			t.Errorf("%s: %s", name, truth.Verdict)
		}
	}
}

// What a program with Main owes to constants alone is no merit of its locks.
func TestLoose(t *testing.T) {
	// split looks and inserts in two sections.
	split := claim(lock(), look("ok"), unlock(), when(ok, result(no)), lock(), insert(), unlock())
	call := func(f *p.Func, key int) *p.Call { return &p.Call{F: f, Args: []p.Expr{&p.Lit{V: key}}} }
	run := func(f *p.Func, join p.Join, key int) p.Stmt { return &p.Go{Call: call(f, key), Join: join} }
	wait := func() p.Stmt { return &p.Wait{Join: p.WaitGroup} }
	tests := []struct {
		name string
		body []p.Stmt
		want machine.Looseness
	}{
		{"one goroutine", []p.Stmt{run(split, p.WaitGroup, 1)}, machine.Tight},
		{"one after the other", []p.Stmt{run(split, p.WaitGroup, 1), wait(), run(split, p.WaitGroup, 1)}, machine.Tight},
		{"two keys", []p.Stmt{run(split, p.WaitGroup, 1), run(split, p.WaitGroup, 2)}, machine.Keys},
		{"taken before", []p.Stmt{run(split, p.WaitGroup, 1), wait(), run(split, p.WaitGroup, 1), run(split, p.WaitGroup, 1)}, machine.Before},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			prog := documented(split)
			prog.Documented, prog.Objects, prog.Main = false, 1, &p.Func{Name: "Run", Body: test.body}
			truth, err := machine.Judge(prog)
			if err != nil {
				t.Fatal(err)
			}
			if truth.Loose != test.want || (truth.Verdict == machine.Taste) != (test.want != machine.Tight) {
				t.Errorf("%s, owed to %q, want %q", truth.Verdict, truth.Loose, test.want)
			}
			if len(prog.Main.Body) != len(test.body) {
				t.Error("the program is another one now")
			}
		})
	}
}

// A map that takes two calls to fill is filled in some scenario, whatever there
// is beside it.
func TestMemoriesOfTwoMaps(t *testing.T) {
	op := func(name string, body ...p.Stmt) *p.Func {
		return &p.Func{Name: name, Op: true, Params: keys, Body: body}
	}
	n := &p.Ref{Name: "n"}
	flush := &p.Func{Name: "Flush", Op: true, Params: keys, Results: []p.Type{p.Bool}, Body: []p.Stmt{
		lock(), &p.Define{Names: []string{"n"}, X: &p.Len{Map: 1}}, unlock(),
		when(&p.Bin{Op: "<", X: n, Y: &p.Lit{V: 2}}, result(no)), lock(), &p.Clear{Map: 1}, unlock(), result(yes),
	}}
	set := func(v int) p.Stmt { return &p.Set{Key: key, X: &p.Lit{V: v}} }
	prog := documented(put(), op("Put2", lock(), set(2), unlock()), op("Put3", lock(), set(3), unlock()), flush,
		op("PutOther", lock(), &p.Set{Map: 1, Key: key, X: yes}, unlock()))
	prog.Maps = []*p.Map{{Name: "m", Elem: p.Int}, {Name: "index", Elem: p.Bool}}
	truth, err := machine.Judge(prog)
	if err != nil {
		t.Fatal(err)
	}
	if truth.Verdict != machine.Stale {
		t.Errorf("%s: two calls flush one map, and both say so", truth.Verdict)
	}
}
