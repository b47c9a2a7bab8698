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
// of one.
func (d *driver) request() string {
	name := fmt.Sprintf("mapguardRequest%d", d.t.id)
	if !strings.Contains(d.stubs.String(), "func "+name+"(") {
		http, test, url, text := d.use("net/http"), d.use("net/http/httptest"), d.use("net/url"), d.use("strings")
		json := d.use("encoding/json")
		fmt.Fprintf(&d.stubs, requests, name, http, strings.Join(d.s.asked(d.t), ", "), url, strings.Join(d.bodies(), ", "), json, test, url, text)
	}
	return fmt.Sprintf("%s(round, key)", name)
}

const requests = `func %s(round int, key string) *%s.Request {
	names, query := []string{%s}, %s.Values{}
	for i, name := range names {
		if round%%3 != 0 || round>>(i%%8)&2 == 0 {
			query.Set(name, key)
		}
	}
	fields := map[string]string{}
	for _, name := range []string{%s} {
		fields[name] = key
	}
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

// bodies are the names under which texts stand in the JSON form of the types of
// the driver's package, quoted.
func (d *driver) bodies() []string {
	names := make(map[string]bool)
	scope := d.pkg.Scope()
	for _, n := range scope.Names() {
		t, ok := scope.Lookup(n).(*types.TypeName)
		if !ok {
			continue
		}
		u, ok := t.Type().Underlying().(*types.Struct)
		for i := 0; ok && i < u.NumFields(); i++ {
			tag, _, _ := strings.Cut(reflect.StructTag(u.Tag(i)).Get("json"), ",")
			if b, text := u.Field(i).Type().Underlying().(*types.Basic); text && b.Info()&types.IsString != 0 && tag != "" {
				names[strconv.Quote(tag)] = true
			}
		}
	}
	return sortedKeys(names)
}
