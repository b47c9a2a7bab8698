package prove

import (
	"go/ast"
	"go/types"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/mapguard/mapguard/analyzer/finding"
)

// A finding may say no more than that a call makes the access, where that lies
// in another package. Then all operations there that may be it get a probe, and
// count as the finding's own while their goroutine is in the function of the
// call.

// beyond lists the packages, besides those that are read, in which the accesses
// of calls may lie.
func (m *module) beyond(findings []*finding.Finding) []string {
	at := make(map[spot]bool)
	for _, f := range sorted(m.files) {
		for _, op := range m.operations(f) {
			at[spot{f, m.offset(op.at)}] = true
		}
	}
	out := make(map[string]bool)
	for _, f := range findings {
		for _, s := range f.Trace {
			sp := m.spot(s.Pos)
			call := m.call(sp)
			if call == nil || at[sp] || s.Inner != nil || s.Role != finding.Access {
				continue
			}
			for _, fn := range m.callees(sp.file, call) {
				if p := fn.Pkg(); p != nil && m.all[p.Path()] != nil {
					out[p.Path()] = true
				}
			}
			parts := strings.Split(f.Location, ".")
			for _, path := range m.mentions(f.Package, bare(parts[len(parts)-1])) {
				out[path] = true
			}
		}
	}
	for _, p := range m.probed {
		delete(out, p.PkgPath)
	}
	return sortedKeys(out)
}

// maxMentions bounds the packages that are read for a name.
const maxMentions = 12

// mentions are the packages with a name in their sources that a package imports,
// the nearest first.
func (m *module) mentions(pkg, name string) (out []string) {
	word := regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\b`)
	seen := map[string]bool{pkg: true}
	for level := []string{pkg}; len(level) > 0 && len(out) < maxMentions; {
		var next []string
		for _, path := range level {
			for _, q := range sortedKeys(m.all[path].Imports) {
				if !seen[q] && m.all[q] != nil {
					seen[q] = true
					next = append(next, q)
				}
			}
		}
		for _, path := range next {
			if m.contains(path, word) {
				out = append(out, path)
			}
		}
		level = next
	}
	return out[:min(len(out), maxMentions)]
}

// contains reports whether a source file of a package has a word.
func (m *module) contains(path string, word *regexp.Regexp) bool {
	return slices.ContainsFunc(m.all[path].GoFiles, func(name string) bool {
		src, err := os.ReadFile(name)
		return err == nil && word.Match(src)
	})
}

// call finds the call of which the analyzer says that it is at a place.
func (m *module) call(at spot) (found *ast.CallExpr) {
	if at.file == nil {
		return nil
	}
	ast.Inspect(at.file.ast, func(n ast.Node) bool {
		if n == nil || at.offset < m.offset(n.Pos()) || at.offset >= m.offset(n.End()) {
			return n == nil
		}
		if c, ok := n.(*ast.CallExpr); ok && m.offset(c.Lparen) == at.offset {
			found = c
		}
		return true
	})
	return found
}

// callees are the function of a call, and those that it gets as arguments.
func (m *module) callees(f *file, call *ast.CallExpr) (out []*types.Func) {
	if fn := called(f, call); fn != nil {
		out = append(out, fn)
	}
	return append(out, handed(f, call)...)
}

// handed are the functions that a call gets as arguments.
func handed(f *file, call *ast.CallExpr) (out []*types.Func) {
	for _, arg := range call.Args {
		if fn := called(f, &ast.CallExpr{Fun: arg}); fn != nil {
			out = append(out, fn)
		}
	}
	return out
}

// holders are the variables or fields that may hold the map of a finding, as far
// as its location tells: that begins with a type or variable of the package, or
// with the name of another package, or is a field elsewhere.
func (m *module) holders(f *finding.Finding) (out []types.Object) {
	parts := strings.Split(f.Location, ".")
	for _, p := range m.probed {
		o := p.Types.Scope().Lookup(bare(parts[0]))
		switch {
		case p.PkgPath == f.Package && o != nil:
			return solid(field(o, parts))
		case p.PkgPath == f.Package:
		case len(parts) == 1:
			out = append(out, fieldsOf(p.Types, bare(parts[0]))...)
		case p.Name == parts[0]:
			out = append(out, solid(field(p.Types.Scope().Lookup(bare(parts[1])), parts[1:]))...)
		}
	}
	return out
}

// fieldsOf are the fields of a name that the types of a package have.
func fieldsOf(p *types.Package, name string) (out []types.Object) {
	for _, n := range p.Scope().Names() {
		t, ok := p.Scope().Lookup(n).(*types.TypeName)
		if !ok {
			continue
		}
		if s, ok := t.Type().Underlying().(*types.Struct); ok {
			for i := range s.NumFields() {
				if f := s.Field(i); f.Name() == name && f.Pkg() == p {
					out = append(out, f)
				}
			}
		}
	}
	return out
}

func solid(o types.Object) []types.Object {
	if o == nil {
		return nil
	}
	return []types.Object{o}
}

// bare is a part of a location without its index.
func bare(part string) string {
	name, _, _ := strings.Cut(part, "[")
	return name
}

// field follows the parts of a location from an object on.
func field(o types.Object, parts []string) types.Object {
	for i, part := range parts {
		if o == nil || i == len(parts)-1 {
			return o
		}
		t := o.Type()
		for range strings.Count(part, "[…") {
			t = element(t)
		}
		o, _, _ = types.LookupFieldOrMethod(t, true, home(t, o), bare(parts[i+1]))
	}
	return o
}

// home is the package whose names may be used of a type.
func home(t types.Type, o types.Object) *types.Package {
	if n, ok := types.Unalias(deref(t)).(*types.Named); ok && n.Obj().Pkg() != nil {
		return n.Obj().Pkg()
	}
	return o.Pkg()
}

func element(t types.Type) types.Type {
	if e, ok := deref(t).Underlying().(interface{ Elem() types.Type }); ok {
		return e.Elem()
	}
	return t
}

// through returns the operations that the call of a step may make: those on the
// map's own variable, and on others of its type, or of that of a map that the call
// gets, that may be names for it.
func (t *target) through(m *module, at spot, ops []*operation) (out []*operation) {
	call := m.call(at)
	if call == nil {
		return nil
	}
	kinds := mapsOf(at.file, call)
	var of []types.Object
	for _, o := range m.holders(t.Finding) {
		if v, ok := o.(*types.Var); ok {
			of, kinds = append(of, v.Origin()), append(kinds, v.Type())
		}
	}
	for _, op := range ops {
		other := op.place.local() && slices.ContainsFunc(kinds, func(k types.Type) bool {
			return types.Identical(op.mapType().Underlying(), k.Underlying())
		})
		if op.place.below == 0 && (other || slices.Contains(of, op.place.of)) {
			out = add(out, op)
		}
	}
	return out
}

// mapsOf are the types of the maps that a call gets, as its object or as
// arguments.
func mapsOf(f *file, call *ast.CallExpr) (out []types.Type) {
	list := slices.Clone(call.Args)
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		list = append(list, sel.X)
	}
	for _, e := range list {
		if t := f.pkg.TypesInfo.TypeOf(e); t != nil && f.isMap(e) {
			out = append(out, t)
		}
	}
	return out
}

// mapType is the type of the map, or of the concurrent map.
func (op *operation) mapType() types.Type { return op.file.pkg.TypesInfo.TypeOf(op.object) }
