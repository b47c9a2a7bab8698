package prove

import (
	"context"
	"fmt"
	"go/ast"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mapguard/mapguard/analyzer/finding"
	"github.com/mapguard/mapguard/cmd/mapguard/internal/prove/mapguardprobe"
)

// TestProbedProgramsDoTheSame compares what programs print with and without
// probes at all their operations on maps. Each operand tells when it is
// evaluated, so that the order shows.
func TestProbedProgramsDoTheSame(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "go.mod", "module example.org/same\n\ngo 1.21\n")
	write(t, dir, "main.go", fixedProgram)
	write(t, dir, "random.go", randomProgram(8, 60))
	plain := output(t, dir, nil, "go", "run", ".")

	s := probeAll(t, dir)
	for _, env := range [][]string{nil, {
		mapguardprobe.LogVariable + "=" + filepath.Join(t.TempDir(), "log"), mapguardprobe.DelayVariable + "=100", mapguardprobe.TimeVariable + "=1000000",
	}} {
		if probed := output(t, dir, env, "go", "run", "-overlay", s.overlay, "."); probed != plain {
			t.Errorf("with %v it prints other things:\n%s", env, difference(plain, probed))
		}
	}
	forms := make(map[form]int)
	for _, op := range s.ops {
		forms[op.form]++
	}
	for f := asGet; f <= asMethod; f++ {
		if forms[f] == 0 {
			t.Errorf("no operation of form %d", f)
		}
	}
	t.Logf("%d operations, by form: %v", len(s.ops), forms)
}

// TestLinesKeepTheirNumbers compares the lines of a probed file with those that
// it was made of.
func TestLinesKeepTheirNumbers(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "go.mod", "module example.org/same\n\ngo 1.21\n")
	write(t, dir, "main.go", fixedProgram)
	write(t, dir, "random.go", randomProgram(1, 20))
	s := probeAll(t, dir)
	f := s.files[filepath.Join(dir, "main.go")]
	was, is := strings.Split(string(f.src), "\n"), strings.Split(string(f.probed(s, "x")), "\n")
	for i, line := range was {
		name, _, _ := strings.Cut(strings.TrimSpace(line), "(")
		if strings.HasPrefix(name, "func ") && !strings.HasPrefix(strings.TrimSpace(is[i]), name) {
			t.Fatalf("line %d: %q became %q", i+1, line, is[i])
		}
	}
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func output(t *testing.T, dir string, env []string, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, append(append(os.Environ(), "GOFLAGS=", "GOWORK=off"), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, out)
	}
	return string(out)
}

func difference(a, b string) string {
	la, lb := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(la), len(lb)) {
		if la[i] != lb[i] {
			return fmt.Sprintf("line %d: %q, probed %q", i+1, la[i], lb[i])
		}
	}
	return fmt.Sprintf("%d lines, probed %d", len(la), len(lb))
}

// probeAll probes each operation of a module as look, act and access, and each
// function as one that has them.
func probeAll(t *testing.T, dir string) *session {
	t.Helper()
	ctx := context.Background()
	cfg := Config{Dir: dir, Env: []string{"GOFLAGS=", "GOWORK=off"}, Time: time.Minute}
	f := []*finding.Finding{{Package: "example.org/same", Category: "check-then-act"}, {Package: "example.org/same"}}
	m, err := survey(ctx, &cfg)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.read(ctx, &cfg, []string{"example.org/same"}); err != nil {
		t.Fatal(err)
	}
	s := &session{Config: cfg, module: m, scratch: t.TempDir(), without: make(map[int]bool)}
	pair, access := &target{Finding: f[0], pair: true}, &target{Finding: f[1], id: 1}
	s.list = []*target{pair, access}
	for _, file := range sorted(s.files) {
		for _, op := range s.module.operations(file) {
			op.id = len(s.ops)
			s.ops = append(s.ops, op)
			s.rewrite(op)
			pair.looks, pair.acts, access.traps = append(pair.looks, op), append(pair.acts, op), append(access.traps, op)
		}
		for _, d := range file.ast.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
				s.functions = append(s.functions, &function{file: file, node: fn, body: fn.Body, id: len(s.functions), has: []int{0}})
			}
		}
	}
	s.frames(s.functions, nil)
	if err := s.prepare(); err != nil {
		t.Fatal(err)
	}
	return s
}

// randomProgram writes functions of random statements on maps.
func randomProgram(functions, statements int) string {
	r := rand.New(rand.NewSource(1))
	var b strings.Builder
	b.WriteString("package main\n\nfunc random() {\n")
	for i := range functions {
		fmt.Fprintf(&b, "\tr%d()\n", i)
	}
	b.WriteString("}\n")
	for i := range functions {
		fmt.Fprintf(&b, "\nfunc r%d() {\n\ts := &box{m: map[string]int{}, n: map[any][]int{}, d: map[int]map[string]int{}}\n\tk, v := \"a\", 1\n", i)
		for range statements {
			b.WriteString("\t" + statementOf(r) + "\n")
		}
		b.WriteString("\tshow(s, k, v)\n}\n")
	}
	return b.String()
}

// shapes are statements; KEY, NUM, ANY and MAP are chosen at random.
var shapes = []string{
	"s.m[KEY] = NUM", "s.m[KEY] += NUM", "s.m[KEY]++", "MAP[KEY] = NUM", "s.m[k] = s.m[KEY] + NUM", "v = s.m[KEY]", "v = MAP[KEY] * s.m[KEY]",
	"if x, ok := s.m[KEY]; ok { v = tr(x) }", "if _, ok := MAP[KEY]; !ok && tr(v) > 3 { MAP[KEY] = NUM }", "if s.m[KEY] == NUM { k = tr(\"b\") } else if len(s.m) > 2 { k = \"c\" }",
	"delete(s.m, KEY)", "delete(MAP, KEY)", "s.n[ANY] = append(s.n[ANY], NUM)", "s.n[ANY] = nil", "for _, x := range s.n[ANY] { v += x }",
	"if s.d[NUM%3] == nil { s.d[NUM%3] = map[string]int{} }", "if d := s.d[v%3]; d != nil { d[KEY] = NUM }", "func() { defer delete(s.m, KEY); tr(NUM) }()",
	"func() { defer func() { tr(recover() != nil) }(); s.d[NUM+7][KEY] = NUM }()", "s.m = tr(map[string]int{KEY: NUM})", "s.m[KEY], v = NUM, NUM", "for range s.m { v++ }",
	"k, v = \"d\", s.m[tr(k)]", "s.m[KEY] = func() int { return s.m[KEY] + NUM }()", "switch s.m[KEY] { case NUM: v++; default: v-- }", "tr(len(MAP)); tr(s.m != nil)",
	"s.c.Store(KEY, NUM)", "if x, ok := s.c.Load(KEY); ok { v = x.(int) }", "_, _ = s.c.LoadOrStore(KEY, NUM)", "s.c.Delete(KEY)",
}

func statementOf(r *rand.Rand) string {
	s := shapes[r.Intn(len(shapes))]
	for _, part := range []struct {
		name string
		of   []string
	}{
		{"MAP", []string{"s.m", "s.get()", "(*s).m", "s.self().m"}},
		{"KEY", []string{`"a"`, `"b"`, "k", `tr("a")`, "tr(k)", `k + "x"`, `tr(k) + tr("y")`}},
		{"NUM", []string{"1", "v", "tr(2)", "tr(v)", "tr(v)%5 + 1", "len(k)"}},
		{"ANY", []string{`"a"`, "1", "k", "tr(3)", "[1]int{v}"}},
	} {
		for strings.Contains(s, part.name) {
			s = strings.Replace(s, part.name, part.of[r.Intn(len(part.of))], 1)
		}
	}
	return s
}

func TestShapesCoverForms(t *testing.T) {
	if !slices.ContainsFunc(shapes, func(s string) bool { return strings.Contains(s, "LoadOrStore") }) {
		t.Fatal("no atomic operation")
	}
}

const fixedProgram = `package main

import (
	"fmt"
	"maps"
	"sort"
	"sync"
)

type box struct {
	m map[string]int
	n map[any][]int
	d map[int]map[string]int
	c sync.Map
}

func (s *box) get() map[string]int { fmt.Println("get"); return s.m }
func (s *box) self() *box          { fmt.Println("self"); return s }

type table[K comparable, V any] struct{ rows map[K]V }

func (t *table[K, V]) put(k K, v V) { t.rows[k] = v }
func (t *table[K, V]) all(each func(K, V)) int {
	n := 0
	for k, v := range t.rows {
		each(k, v)
		n++
	}
	return n
}

func of[M ~map[K]V, K comparable, V any](m M, k K) (V, bool) {
	v, ok := m[k]
	return v, ok
}

type names map[string]int

func (n names) add(k string) int { n[k]++; return n[k] }

func tr[T any](v T) T { fmt.Printf("%v;", v); return v }

func show(s *box, k string, v int) {
	fmt.Println()
	fmt.Println(s.m, s.n, s.d, k, v)
}

func caught(name string, f func()) {
	defer func() { fmt.Println(name, recover()) }()
	f()
}

func loops(m map[string]int) (sum int) {
	var keys []string
outer:
	for k := range m {
		for range m {
			if len(k) > 3 {
				continue outer
			}
			break
		}
		keys = append(keys, k)
	}
	sort.Strings(keys)
	fmt.Println(keys)
	for k := range m {
		if k == "gone" {
			delete(m, k)
		}
	}
	for i := 0; i < len(m); i++ {
		sum += i
	}
	return sum
}

func ends(m map[string]int, k string) int {
	if v, ok := m[k]; ok {
		return v
	} else if n := len(m); n > 1 {
		return n
	} else {
		return -m["none"]
	}
}

func locked(mu *sync.Mutex, m map[string]int) func() int {
	mu.Lock()
	defer mu.Unlock()
	m["locked"]++
	return func() int { mu.Lock(); defer mu.Unlock(); return m["locked"] }
}

func main() {
	random()
	t := &table[string, int]{rows: map[string]int{}}
	t.put("a", 1)
	fmt.Println(t.all(func(k string, v int) { fmt.Println(k, v) }), t.rows)
	fmt.Println(of(names{"x": 4}, "x"))
	fmt.Println(names{}.add("n"))
	m := map[string]int{"a": 1, "long name": 2, "gone": 3}
	fmt.Println(loops(m), ends(m, "a"), ends(m, "z"), ends(nil, "z"))
	maps.Copy(m, map[string]int{"copied": 1})
	maps.DeleteFunc(m, func(k string, v int) bool { return v == 2 })
	fmt.Println(maps.Clone(m), len(m), m == nil, m != nil)
	clear(m)
	fmt.Println(len(m))
	caught("nil map", func() { var none map[string]int; none["a"] = tr(1) })
	caught("no key", func() { n := map[any]int{}; n[[]int{1}] = 1 })
	caught("no key read", func() { n := map[any]int{}; _ = n[func() {}] })
	caught("nil box", func() { var s *box; s.m["a"] = 1 })
	var ptr *map[string]int = &m
	(*ptr)["p"] = 1
	arr := [2]map[string]int{{}, {}}
	arr[tr(1)]["x"] = tr(2)
	fmt.Println(*ptr, arr, locked(new(sync.Mutex), m)())
	var v, ok = m["p"]
	var w int
	w, ok = m["q"]
	fmt.Println(v, w, ok)
	var c sync.Map
	c.Store("a", 1)
	c.Range(func(k, v any) bool { fmt.Println(k, v); return true })
	x, loaded := c.LoadAndDelete("a")
	fmt.Println(x, loaded)
	fmt.Println(c.Load("a"))
	fmt.Println(c.CompareAndSwap("a", 1, 2))
	func() {
		defer c.Store("late", tr(1))
		defer delete(m, tr("p"))
		go func() {}()
	}()
	fmt.Println(m)
	done := make(chan map[string]int, 1)
	done <- map[string]int{"sent": 1}
	m["received"] = (<-done)["sent"]
	type pair struct{ a, b int }
	p := map[pair]*pair{{1, 2}: {3, 4}}
	p[pair{1, 2}].a++
	fmt.Println(p[pair{1, 2}].a, m["received"])
}
`
