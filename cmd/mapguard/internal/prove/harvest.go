package prove

import (
	"fmt"
	"go/ast"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
)

// How often a driver makes a value although the tests have made some: once in
// so many rounds.
const (
	mostly    = 8
	sometimes = 2
)

// often tells how often a value that the tests have made is taken: one of a
// basic type may be a key, and the driver has ways to find good keys.
func often(t types.Type) int {
	if _, ok := t.Underlying().(*types.Basic); ok {
		return sometimes
	}
	return mostly
}

// pick takes a value that the tests have made, or makes one by some statements.
func (d *driver) pick(to string, t types.Type, one int, made string) string {
	d.parts++
	d.s.needs[d.pkg.Path()+" "+types.TypeString(t, nil)] = true
	return fmt.Sprintf("%s%s[%s](round, %d, %d, func() %s {\n%s\n})", to, d.helper("Pick"), d.name(t), d.parts, one, d.name(t), made)
}

// again makes a call with the arguments of one that the tests have made.
func (d *driver) again(e *entry, fn, text string) string {
	if _, ok := d.s.again[e.fn]; !ok {
		if _, ok := e.again(d.s.free(&file{})); !ok {
			return text
		}
		d.s.again[e.fn] = len(d.s.again)
	}
	on := probes + ".None{}"
	if object, _, method := strings.Cut(fn, "."); method && e.decl.Recv != nil {
		on = object
		if !isPointer(e.fn.Type().(*types.Signature).Recv().Type()) {
			on = "*" + object
		}
	}
	return fmt.Sprintf("%s(%d, round, %s, func() { %s })", d.helper("Again"), d.s.again[e.fn], on, text)
}

// harvesters writes the drivers that run on what tests make, each as a file of
// the finding's package, and has the functions there keep what they need.
func (s *session) harvesters() {
	s.needs, s.harvest, s.again = make(map[string]bool), make(map[int][]byte), make(map[*types.Func]int)
	var pkgs []*types.Package
	for _, t := range s.list {
		if t.why != "" || t.assumed() {
			continue
		}
		if src, _ := s.drive(t, asHarvester); src != nil {
			s.harvest[t.id] = src
			if p := s.pkgOf(t); !slices.Contains(pkgs, p) {
				pkgs = append(pkgs, p)
			}
		}
	}
	n := 0
	for _, f := range sorted(s.files) {
		for _, d := range f.ast.Decls {
			decl, ok := d.(*ast.FuncDecl)
			if !ok || decl.Body == nil || !slices.Contains(pkgs, f.pkg.Types) {
				continue
			}
			if text := s.keeping(f, decl); text != "" {
				w := &rewriter{s.module, &operation{id: keepers, file: f}}
				w.open(decl.Body.Lbrace+1, decl, fmt.Sprintf(" %s.Saw(%d, func() { %s});", probes, n, text))
				n++
			}
		}
	}
}

// keepers is the number of the hooks that keep what tests make: they are taken
// back together.
const keepers = -2

// keeping are the statements that keep what a driver can use of a call.
func (s *session) keeping(f *file, decl *ast.FuncDecl) string {
	var b strings.Builder
	for _, name := range s.kept(f, decl) {
		fmt.Fprintf(&b, "%s.Keep(%s); ", probes, name)
	}
	fn, _ := f.pkg.TypesInfo.Defs[decl.Name].(*types.Func)
	id, ok := s.again[fn]
	if !ok {
		return b.String()
	}
	e := &entry{file: f, decl: decl, fn: fn}
	call, ok := e.again(s.free(&file{}))
	if !ok || strings.Contains(call, probes+"Arg") { // it has parameters without names
		return b.String()
	}
	on, recv := "_", probes+".None"
	if r := e.receiver(); r != nil {
		on, recv = r.Name, f.text(s.module, decl.Recv.List[0].Type)
	}
	var own []string // the function may change its parameters
	for _, field := range decl.Type.Params.List {
		for _, name := range field.Names {
			own = append(own, name.Name)
		}
	}
	if len(own) > 0 {
		names := strings.Join(own, ", ")
		fmt.Fprintf(&b, "%s := %s; ", names, names)
	}
	fmt.Fprintf(&b, "%s.Made(%d, func(%s %s) { %s }); ", probes, id, on, recv, call)
	return b.String()
}

// kept are the parameters of a function that a driver can use.
func (s *session) kept(f *file, decl *ast.FuncDecl) (out []string) {
	for _, list := range []*ast.FieldList{decl.Recv, decl.Type.Params} {
		if list == nil {
			continue
		}
		for _, field := range list.List {
			for _, name := range field.Names {
				if v, ok := f.pkg.TypesInfo.Defs[name].(*types.Var); ok && name.Name != "_" && s.needs[f.pkg.PkgPath+" "+types.TypeString(v.Type(), nil)] {
					out = append(out, name.Name)
				}
			}
		}
	}
	return out
}

// harvesting puts the drivers for packages into the overlay, and a test that
// runs them.
func (s *session) harvesting(r *reach) {
	s.extra = make(map[string][]byte)
	for _, t := range s.list {
		if src := s.harvest[t.id]; src != nil && slices.Contains(r.of, t.Package) && s.log.confirmed[t.id] == nil {
			s.extra[filepath.Join(s.dirOf(t.Package), fmt.Sprintf("mapguard_harvest%d.go", t.id))] = src
		}
	}
	if len(s.extra) == 0 {
		return
	}
	_, home, _ := s.home()
	s.extra[filepath.Join(s.dirOf(r.tests), "zz_mapguard_prove_test.go")] = fmt.Appendf(nil, trigger, s.all[r.tests].Name, home)
}

// trigger is the test that has the drivers run when the other ones have ended.
const (
	triggerName = "TestMapguardProve"
	trigger     = `package %s

import (
	"testing"

	%q
)

func TestMapguardProve(t *testing.T) {
	t.Parallel()
	mapguardprobe.Harvested()
}
`
)
