package prove

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A driver is the generated test of one finding: it makes the object and has
// goroutines call the entries through which the finding is reached.
type driver struct {
	s       *session
	t       *target
	pkg     *types.Package
	imports map[string]string // name by path
	vars    []string          // the declarations of objects and shared arguments
	byType  map[string]string
	byRecv  map[string]string
	types   []types.Type // of the objects
	// depth is how many objects are being made, each a part of the one before.
	depth  int
	stubs  bytes.Buffer
	nstubs int
	calls  []string
	// own and all are how many of the calls reach the finding, and its map.
	own, all int
	parts    int
	form     driverForm
	// static: the expression is in no function of a round.
	static bool
}

// A driverForm is what a driver is written as.
type driverForm int

const (
	asTest      driverForm = iota // a test of its own, with probes
	asKept                        // a test that is kept, without probes
	asHarvester                   // a part of the package, for what its tests make
)

// maxCalls bounds the entries that a driver calls, maxStates the other methods
// that bring the object into other states.
const (
	maxCalls  = 8
	maxStates = 8
)

// states adds calls of other methods of the objects.
func (d *driver) states() {
	g := 0
	list := d.s.methods
	for _, fn := range d.s.calls.handlers(d.t) {
		if e := d.s.calls.decls[fn]; e != nil && e.decl.Recv != nil {
			list = append([]*entry{e}, list...)
		}
	}
	for _, e := range list {
		if e.fn.Pkg() != d.pkg || g >= maxStates {
			continue
		}
		named, ok := types.Unalias(deref(e.fn.Type().(*types.Signature).Recv().Type())).(*types.Named)
		if !ok || !d.has(named) || slices.ContainsFunc(d.calls, func(c string) bool { return strings.Contains(c, "."+e.fn.Name()+"(") }) {
			continue
		}
		before := len(d.calls)
		d.add(e)
		g += len(d.calls) - before
	}
}

// has reports whether the driver has an object of a type.
func (d *driver) has(t *types.Named) bool {
	for _, o := range d.types {
		if n, ok := types.Unalias(deref(o)).(*types.Named); ok && n.Origin() == t.Origin() {
			return true
		}
	}
	return false
}

func deref(t types.Type) types.Type {
	if p, ok := t.(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// drive writes the driver of a finding; it says why there is none.
func (s *session) drive(t *target, form driverForm) (src []byte, why string) {
	p := s.pkgOf(t)
	if p == nil {
		return nil, "the package of the finding is not loaded"
	}
	d := &driver{s: s, t: t, pkg: p, form: form, imports: map[string]string{"testing": "testing"}, byType: make(map[string]string), byRecv: make(map[string]string)}
	var own, others, far []*entry
	for _, e := range s.entered {
		reaches := slices.Contains(e.of, t.id) || slices.Contains(e.changes, t.id)
		switch {
		case e.fn.Pkg() != p && reaches && d.callable(e):
			far = append(far, e)
		case e.fn.Pkg() != p:
		case slices.Contains(e.of, t.id):
			own = append(own, e)
		case slices.Contains(e.changes, t.id):
			others = append(others, e)
		}
	}
	for _, e := range own {
		d.call(e)
	}
	if d.own = len(d.calls); d.own == 0 {
		return nil, "no function that outside code can call reaches it"
	}
	for _, e := range append(others, far...) {
		d.call(e)
	}
	d.all = len(d.calls)
	d.states()
	out, err := format.Source(d.source())
	if err != nil {
		return nil, err.Error()
	}
	return out, ""
}

// callable reports whether the driver can call a function of another package:
// one that its own package imports, directly or not.
func (d *driver) callable(e *entry) bool {
	path := e.fn.Pkg().Path()
	return e.open() && !e.once && !e.alone && d.mayImport(path) && d.s.imports(d.pkg.Path(), path) &&
		d.nameable(e.fn.Signature().Params()) && (e.decl.Recv == nil || d.nameable(e.fn.Signature().Recv().Type()))
}

// imports reports whether a package of the module imports another one, directly
// or not.
func (m *module) imports(from, to string) bool {
	seen := make(map[string]bool)
	var visit func(path string) bool
	visit = func(path string) bool {
		if p := m.all[path]; p != nil && !seen[path] {
			seen[path] = true
			for q := range p.Imports {
				if q == to || visit(q) {
					return true
				}
			}
		}
		return false
	}
	return visit(from)
}

func (s *session) pkgOf(t *target) *types.Package {
	for _, p := range s.probed {
		if p.PkgPath == t.Package {
			return p.Types
		}
	}
	return nil
}

// call adds a call of an entry.
func (d *driver) call(e *entry) {
	if len(d.calls) < maxCalls {
		d.add(e)
	}
}

func (d *driver) add(e *entry) {
	sig := e.fn.Type().(*types.Signature)
	fn := e.fn.Name()
	if e.fn.Pkg() != d.pkg && sig.Recv() == nil {
		fn = d.use(e.fn.Pkg().Path()) + "." + fn
	}
	if recv := sig.Recv(); recv != nil {
		t := d.instance(recv.Type())
		if t == nil {
			return
		}
		obj, _, _ := types.LookupFieldOrMethod(t, true, d.pkg, e.fn.Name())
		m, ok := obj.(*types.Func)
		if !ok {
			return
		}
		sig, fn = m.Type().(*types.Signature), d.object(t)+"."+fn
	} else if tp := sig.TypeParams(); tp.Len() > 0 {
		args := d.arguments(tp)
		if args == nil {
			return
		}
		inst, err := types.Instantiate(nil, sig, args, true)
		if err != nil {
			return
		}
		sig = inst.(*types.Signature)
		var names []string
		for _, a := range args {
			names = append(names, d.name(a))
		}
		fn += "[" + strings.Join(names, ", ") + "]"
	}
	var args []string
	for i := range sig.Params().Len() {
		t := sig.Params().At(i).Type()
		if sig.Variadic() && i == sig.Params().Len()-1 {
			t = t.(*types.Slice).Elem()
		}
		args = append(args, d.arg(t))
	}
	text := d.used(e, sig, fn+"("+strings.Join(args, ", ")+")")
	if d.form == asHarvester {
		text = d.again(e, fn, text)
	}
	if id, ok := d.s.leaves(e, d.t); ok {
		text = fmt.Sprintf("%s(%d, %s)", d.helper("Handed"), id, text)
	}
	d.calls = append(d.calls, d.limited(e, text))
}

// limited writes a call that is made once, or by one goroutine at a time.
func (d *driver) limited(e *entry, text string) string {
	if e.once {
		v := fmt.Sprintf("once%d", len(d.calls))
		d.vars = append(d.vars, fmt.Sprintf("var %s %s.Once\n", v, d.use("sync")))
		text = fmt.Sprintf("%s(); %s.Do(func() { %s })", d.helper("Started"), v, text)
	}
	if e.alone {
		v := fmt.Sprintf("alone%d", len(d.calls))
		d.vars = append(d.vars, fmt.Sprintf("var %s %s.Mutex\n", v, d.use("sync")))
		text = fmt.Sprintf("%s.Lock(); defer %s.Unlock(); %s", v, v, text)
	}
	return text
}

// arg is the variable of an argument: all calls share one of each type, so that
// they concern the same key.
func (d *driver) arg(t types.Type) string {
	name := types.TypeString(t, nil)
	if _, ok := fresh[name]; ok {
		return d.value(t, 0)
	}
	if v := d.shared(t); v != "" {
		return v
	}
	v, ok := d.byType[name]
	if !ok {
		text := d.value(t, 0) // may need others, and the same
		if v, ok = d.byType[name]; ok {
			return v
		}
		v = fmt.Sprintf("a%d", len(d.byType))
		if _, ok := known[name]; !ok && d.form == asHarvester && d.nameable(t) {
			text = d.pick("", t, often(t), "return "+text)
		}
		d.vars = append(d.vars, fmt.Sprintf("var %s %s = %s\n_ = %s\n", v, d.name(t), text, v))
		d.byType[name] = v
	}
	return v
}

// name writes a type, and imports what it needs.
func (d *driver) name(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p == d.pkg {
			return ""
		}
		return d.use(p.Path())
	})
}

// use imports a package.
func (d *driver) use(path string) string {
	name, ok := d.imports[path]
	if !ok {
		name = fmt.Sprintf("p%d", len(d.imports))
		d.imports[path] = name
	}
	return name
}

// source is the file.
func (d *driver) source() []byte {
	_, home, _ := d.s.home()
	var body bytes.Buffer
	for _, v := range d.vars {
		body.WriteString(v)
	}
	body.WriteString("return []func(){\n")
	for _, c := range d.calls {
		fmt.Fprintf(&body, "func() { %s },\n", c)
	}
	body.WriteString("}\n")
	var b bytes.Buffer
	fmt.Fprintf(&b, "package %s\n\nimport (\n", d.pkg.Name())
	if d.form != asKept {
		fmt.Fprintf(&b, "\t%q\n", home)
	}
	paths := sortedKeys(d.imports)
	uses := body.String() + d.stubs.String()
	for _, p := range paths {
		if name := d.imports[p]; name == p && (d.form != asHarvester || strings.Contains(uses, name+".")) {
			fmt.Fprintf(&b, "\t%q\n", p)
		} else if name != p && strings.Contains(uses, name+".") { // what was written may have been dropped
			fmt.Fprintf(&b, "\t%s %q\n", name, p)
		}
	}
	fmt.Fprintf(&b, ")\n\n%s\n", d.stubs.String())
	b.WriteString(d.frame(body.String()))
	return b.Bytes()
}

// frame puts the calls into what runs them.
func (d *driver) frame(calls string) string {
	keys := fmt.Sprintf("[]string{%s}", strings.Join(d.s.literals(d.t), ", "))
	calls = fmt.Sprintf("func(round int, key string, n int, flag bool) []func() {\n%s}", calls)
	switch d.form {
	case asKept:
		return fmt.Sprintf("%sfunc TestMapguard%s(t *testing.T) {\n%s(%d, %d, %s, %s)\n}\n", d.comment(), d.testName(), d.helper("Drive"), d.own, d.all, keys, calls)
	case asHarvester:
		return fmt.Sprintf("var _ = %s(%d, %d, %d, %s, %s)\n", d.helper("Register"), d.t.id, d.own, d.all, keys, calls)
	}
	return fmt.Sprintf("func TestMapguard%s(t *testing.T) {\n%s(%d, %d, %d, %s, %s)\n}\n", d.testName(), d.helper("Drive"), d.t.id, d.own, d.all, keys, calls)
}

// maxLiterals bounds the keys that are taken from the code.
const maxLiterals = 48

// literals are strings of the code and its tests: keys may have to be of a
// certain form.
func (s *session) literals(t *target) []string {
	var out []string
	take := func(f *ast.File) {
		ast.Inspect(f, func(n ast.Node) bool {
			if _, ok := n.(*ast.ImportSpec); ok {
				return false
			}
			if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING && len(out) < maxLiterals {
				if v, err := strconv.Unquote(l.Value); err == nil && v != "" && len(v) <= 40 && !strings.ContainsAny(v, " %\n\t") && !slices.Contains(out, strconv.Quote(v)) {
					out = append(out, strconv.Quote(v))
				}
			}
			return true
		})
	}
	for _, f := range sorted(s.files) {
		if f.pkg.PkgPath == t.Package {
			take(f.ast)
		}
	}
	out = out[:min(len(out), maxLiterals/2)]
	dirs := []string{s.dirs[t.Package]}
	for path := range s.all[t.Package].Imports {
		if s.all[path] != nil {
			dirs = append(dirs, s.dirs[path])
		}
	}
	slices.Sort(dirs[1:])
	for i, dir := range dirs {
		names, _ := filepath.Glob(filepath.Join(dir, map[bool]string{true: "*_test.go", false: "*.go"}[i == 0]))
		for _, name := range names {
			if src, err := os.ReadFile(name); err == nil {
				if f, err := parse(src); err == nil {
					take(f)
				}
			}
		}
	}
	return out
}
