package prove

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"strconv"
	"strings"
)

// request makes a request that says the key wherever the package asks for a part
// of one. Each call has its own: one may need a part that another must not have.
func (d *driver) request() string {
	name := fmt.Sprintf("mapguardRequest%d", d.t.id)
	if !strings.Contains(d.stubs.String(), "func "+name+"(") {
		http, test, url, text := d.use("net/http"), d.use("net/http/httptest"), d.use("net/url"), d.use("strings")
		json := d.use("encoding/json")
		fmt.Fprintf(&d.stubs, requests, name, http, strings.Join(d.s.asked(d.t), ", "), url, strings.Join(d.bodies(), ", "), json, test, url, text)
	}
	d.parts++
	return fmt.Sprintf("%s(round, %d, key)", name, d.parts)
}

const requests = `func %s(round, part int, key string) *%s.Request {
	form := uint32(round*31+part+1) * 2654435761
	form ^= form >> 15
	form = form * 2246822519 >> 8
	names, query := []string{%s}, %s.Values{}
	for i, name := range names {
		if form%%3 != 0 || form>>(i%%8)&2 == 0 {
			query.Set(name, key)
		}
	}
	fields := map[string]any{%s}
	body, _ := %s.Marshal(fields)
	r := %s.NewRequest([]string{"GET", "POST"}[round%%2], "/"+%s.PathEscape(key)+"?"+query.Encode(), %s.NewReader(string(body)))
	if p, ok := any(r).(interface{ SetPathValue(string, string) }); ok {
		for _, name := range names {
			p.SetPathValue(name, key)
		}
	}
	return r
}

`

// asked are the names for which the package of a finding asks requests, quoted.
func (s *session) asked(t *target) []string {
	names := make(map[string]bool)
	for _, f := range sorted(s.files) {
		if f.pkg.PkgPath != t.Package {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			if name := asks(f, n); name != nil && name.Kind == token.STRING {
				if v, err := strconv.Unquote(name.Value); err == nil {
					names[strconv.Quote(v)] = true
				}
			}
			return true
		})
	}
	return sortedKeys(names)
}

// asks is the name for which an expression asks a request, or a part of one: by
// a method or an index of a type of the standard library.
func asks(f *file, n ast.Node) (name *ast.BasicLit) {
	switch n := n.(type) {
	case *ast.CallExpr:
		if fn := called(f, n); fn != nil && len(n.Args) == 1 && ofRequests(fn) {
			name, _ = n.Args[0].(*ast.BasicLit)
		}
	case *ast.IndexExpr:
		if t, ok := f.pkg.TypesInfo.TypeOf(n.X).(*types.Named); ok && ofRequests(t.Obj()) {
			name, _ = n.Index.(*ast.BasicLit)
		}
	}
	return name
}

// ofRequests reports whether a package that knows requests declares an object.
func ofRequests(o types.Object) bool {
	return o.Pkg() != nil && (o.Pkg().Path() == "net/http" || o.Pkg().Path() == "net/url")
}

// bodies are what texts, and lists of them, have in the JSON or YAML form of the
// types of the driver's package: names and values, as parts of a literal.
func (d *driver) bodies() []string {
	parts := make(map[string]string)
	scope := d.pkg.Scope()
	for _, n := range scope.Names() {
		t, ok := scope.Lookup(n).(*types.TypeName)
		if !ok {
			continue
		}
		u, ok := t.Type().Underlying().(*types.Struct)
		for i := 0; ok && i < u.NumFields(); i++ {
			value := bodyValue(u.Field(i).Type())
			for _, form := range []string{"json", "yaml"} {
				tag, _, _ := strings.Cut(reflect.StructTag(u.Tag(i)).Get(form), ",")
				if value != "" && tag != "" && tag != "-" {
					parts[tag] = value
				}
			}
		}
	}
	var out []string
	for _, name := range sortedKeys(parts) {
		out = append(out, strconv.Quote(name)+": "+parts[name])
	}
	return out
}

// bodyValue is the value of a field that takes a text, or a list of them.
func bodyValue(t types.Type) string {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Info()&types.IsString != 0 {
			return "key"
		}
	case *types.Slice:
		if b, ok := u.Elem().Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 {
			return "[]string{key}"
		}
	}
	return ""
}

// document makes bytes that are a text in JSON, and so in YAML, with a key for
// each name that the types of the package have there; in some of the rounds they
// are the key alone.
func (d *driver) document(t types.Type) string {
	bodies := d.bodies()
	if len(bodies) == 0 || d.static {
		return fmt.Sprintf("%s(%s)", d.name(t), d.key())
	}
	name := fmt.Sprintf("mapguardDocument%d", d.t.id)
	if !strings.Contains(d.stubs.String(), "func "+name+"(") {
		fmt.Fprintf(&d.stubs, documents, name, d.use("encoding/json"), strings.Join(bodies, ", "))
	}
	return fmt.Sprintf("%s(%s(round, key))", d.name(t), name)
}

const documents = `func %s(round int, key string) []byte {
	if round%%3 == 2 {
		return []byte(key)
	}
	text, _ := %s.Marshal(map[string]any{%s})
	return text
}

`
