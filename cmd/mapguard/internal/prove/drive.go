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
	args    []string          // the expressions of shared arguments
	byType  map[string]int
	objects []string
	byRecv  map[string]string
	types   []types.Type // of the objects
	stubs   bytes.Buffer
	nstubs  int
	calls   []string
	// own and all are how many of the calls reach the finding, and its map.
	own, all int
	parts    int
	keep     bool // for a file that has no probes
	// static: the expression is in no function of a round.
	static bool
}

// maxCalls bounds the entries that a driver calls, maxStates the other methods
// that bring the object into other states.
const (
	maxCalls  = 8
	maxStates = 8
)

// states adds calls of other methods of the objects.
func (d *driver) states() {
	g := 0
	for _, e := range d.s.methods {
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
func (s *session) drive(t *target, keep bool) (src []byte, why string) {
	p := s.pkgOf(t)
	if p == nil {
		return nil, "the package of the finding is not loaded"
	}
	d := &driver{s: s, t: t, pkg: p, keep: keep, imports: map[string]string{"testing": "testing"}, byType: make(map[string]int), byRecv: make(map[string]string)}
	var own, others []*entry
	for _, e := range s.entered {
		switch {
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
	for _, e := range others {
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
	text := fn + "(" + strings.Join(args, ", ") + ")"
	if id, ok := d.s.leaves(e, d.t); ok {
		text = fmt.Sprintf("%s(%d, %s)", d.helper("Handed"), id, text)
	}
	if e.once {
		v := fmt.Sprintf("once%d", len(d.calls))
		d.args = append(d.args, fmt.Sprintf("var %s %s.Once", v, d.use("sync")))
		text = fmt.Sprintf("%s(); %s.Do(func() { %s })", d.helper("Started"), v, text)
	}
	d.calls = append(d.calls, text)
}

// instance gives the type parameters of a receiver arguments.
func (d *driver) instance(t types.Type) types.Type {
	ptr, isPtr := t.(*types.Pointer)
	if isPtr {
		t = ptr.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return nil
	}
	t = named.Origin()
	if tp := named.Origin().TypeParams(); tp.Len() > 0 {
		args := d.arguments(tp)
		if args == nil {
			return nil
		}
		inst, err := types.Instantiate(nil, named.Origin(), args, true)
		if err != nil {
			return nil
		}
		t = inst
	}
	return types.NewPointer(t)
}

// arguments chooses type arguments: the first of some types that suits.
func (d *driver) arguments(tp *types.TypeParamList) []types.Type {
	var out []types.Type
	for i := range tp.Len() {
		var chosen types.Type
		for _, kind := range []types.BasicKind{types.String, types.Int, types.Float64} {
			if c, ok := tp.At(i).Constraint().Underlying().(*types.Interface); ok && types.Satisfies(types.Typ[kind], c) {
				chosen = types.Typ[kind]
				break
			}
		}
		if chosen == nil {
			return nil
		}
		out = append(out, chosen)
	}
	return out
}

// object is the variable of the receiver.
func (d *driver) object(t types.Type) string {
	name := d.name(t)
	if v, ok := d.byRecv[name]; ok {
		return v
	}
	v := fmt.Sprintf("o%d", len(d.objects))
	d.byRecv[name] = v
	d.types = append(d.types, t)
	elem := t.(*types.Pointer).Elem()
	text := fmt.Sprintf("%s := %s\n", v, d.address(elem, 0))
	if made := d.constructor(elem, v); made != "" {
		text += made
	}
	d.objects = append(d.objects, text+fmt.Sprintf("_ = %s\n", v))
	return v
}

// constructor makes the object by a function of the package.
func (d *driver) constructor(t types.Type, v string) string {
	named, ok := t.(*types.Named)
	if !ok {
		return ""
	}
	best, params := "", 100
	scope := d.pkg.Scope()
	for _, name := range scope.Names() {
		fn, ok := scope.Lookup(name).(*types.Func)
		if !ok {
			continue
		}
		sig := fn.Type().(*types.Signature)
		n := sig.Params().Len()
		if sig.TypeParams().Len() != named.TypeArgs().Len() || !makes(sig, named) || n >= params {
			continue
		}
		text := name
		if n := named.TypeArgs().Len(); n > 0 {
			var args []types.Type
			var names []string
			for i := range n {
				args, names = append(args, named.TypeArgs().At(i)), append(names, d.name(named.TypeArgs().At(i)))
			}
			inst, err := types.Instantiate(nil, sig, args, true)
			if err != nil {
				continue
			}
			sig, text = inst.(*types.Signature), name+"["+strings.Join(names, ", ")+"]"
		}
		var args []string
		for i := range n - btoi(sig.Variadic()) {
			args = append(args, d.arg(sig.Params().At(i).Type()))
		}
		star := ""
		if _, ptr := sig.Results().At(0).Type().(*types.Pointer); !ptr {
			star = "&"
		}
		second := ""
		if sig.Results().Len() == 2 {
			second = ", _"
		}
		best, params = fmt.Sprintf("if round%%4 != 3 {\nif made%s := %s(%s); %s {\n%s = %smade\n}\n}\n", second, text, strings.Join(args, ", "), map[string]string{"": "made != nil", "&": "true"}[star], v, star), n
	}
	return best
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// makes reports whether a function returns the object, alone or with an error.
func makes(sig *types.Signature, named *types.Named) bool {
	r := sig.Results()
	if r.Len() == 0 || r.Len() > 2 || r.Len() == 2 && r.At(1).Type().String() != "error" {
		return false
	}
	t := r.At(0).Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Origin() == named.Origin()
}

// arg is the variable of an argument: all calls share one of each type, so that
// they concern the same key.
func (d *driver) arg(t types.Type) string {
	name := types.TypeString(t, nil)
	i, ok := d.byType[name]
	if !ok {
		text := d.value(t, 0) // may need others
		i = len(d.args)
		d.args = append(d.args, fmt.Sprintf("var a%d %s = %s", i, d.name(t), text))
		d.byType[name] = i
	}
	return fmt.Sprintf("a%d", i)
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
	var used []string
	var body bytes.Buffer
	for _, a := range d.args {
		body.WriteString(a + "\n")
	}
	for _, i := range d.byType {
		used = append(used, fmt.Sprintf("_ = a%d\n", i))
	}
	slices.Sort(used)
	body.WriteString(strings.Join(used, ""))
	for _, o := range d.objects {
		body.WriteString(o)
	}
	body.WriteString("return []func(){\n")
	for _, c := range d.calls {
		fmt.Fprintf(&body, "func() { %s },\n", c)
	}
	body.WriteString("}\n")
	var b bytes.Buffer
	fmt.Fprintf(&b, "package %s\n\nimport (\n", d.pkg.Name())
	if !d.keep {
		fmt.Fprintf(&b, "\t%q\n", home)
	}
	paths := sortedKeys(d.imports)
	uses := body.String() + d.stubs.String()
	for _, p := range paths {
		if name := d.imports[p]; name == p {
			fmt.Fprintf(&b, "\t%q\n", p)
		} else if strings.Contains(uses, name+".") { // what was written may have been dropped
			fmt.Fprintf(&b, "\t%s %q\n", name, p)
		}
	}
	fmt.Fprintf(&b, ")\n\n%s\n%sfunc TestMapguard%s(t *testing.T) {\n", d.stubs.String(), d.comment(), d.testName())
	fmt.Fprintf(&b, "%s(%d, %d, []string{%s}, func(round int, key string, n int, flag bool) []func() {\n", d.helper("Drive"), d.own, d.all, strings.Join(d.s.literals(d.t), ", "))
	b.Write(body.Bytes())
	b.WriteString("})\n}\n")
	return b.Bytes()
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
