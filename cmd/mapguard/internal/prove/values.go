package prove

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
)

func parse(src []byte) (*ast.File, error) {
	return parser.ParseFile(token.NewFileSet(), "", src, parser.SkipObjectResolution)
}

const request = "*net/http.Request"

// A knownType is how values of a type are made.
type knownType struct{ path, text string }

// fresh are those that belong to one call: each has its own.
var fresh = map[string]knownType{
	request:                   {"net/http/httptest", "%s.NewRequest(\"GET\", \"/x\", nil)"},
	"net/http.ResponseWriter": {"net/http/httptest", "%s.NewRecorder()"},
}

// known are values of types that cannot be made by their parts.
var known = map[string]knownType{
	"context.Context":          {"context", "%s.Background()"},
	"time.Time":                {"time", "%s.Unix(1700000000, 0)"},
	"time.Duration":            {"time", "%s.Millisecond"},
	"io.Reader":                {"strings", "%s.NewReader(\"x\")"},
	"io.Writer":                {"io", "%s.Discard"},
	"*log/slog.Logger":         {"log/slog", "%s.Default()"},
	"*log.Logger":              {"log", "%s.Default()"},
	"error":                    {"errors", "%s.New(\"x\")"},
	"*net/http.Client":         {"net/http", "%s.DefaultClient"},
	"net.Addr":                 {"net", "&%s.TCPAddr{}"},
	"*testing.T":               {"testing", "(*%s.T)(nil)"},
	"math/rand.Source":         {"math/rand", "%s.NewSource(1)"},
	"*sync.Mutex":              {"sync", "new(%s.Mutex)"},
	"*sync.RWMutex":            {"sync", "new(%s.RWMutex)"},
	"sync.Locker":              {"sync", "new(%s.Mutex)"},
	"encoding/json.RawMessage": {"encoding/json", "%s.RawMessage(\"{}\")"},
}

// maxDepth bounds how deep values are made of parts.
const maxDepth = 3

// value writes an expression of a type. What cannot be made is the zero value.
func (d *driver) value(t types.Type, depth int) string {
	if types.TypeString(t, nil) == "time.Time" && !d.static {
		d.parts++
		return fmt.Sprintf("%s(round, %d)", d.helper("Moment"), d.parts)
	}
	if types.TypeString(t, nil) == request && !d.static {
		return d.request()
	}
	for _, table := range []map[string]knownType{known, fresh} {
		if k, ok := table[types.TypeString(t, nil)]; ok {
			return fmt.Sprintf(k.text, d.use(k.path))
		}
	}
	if !d.nameable(t) {
		return d.zero(t)
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return d.basic(t, u)
	case *types.Pointer:
		if text := d.shared(t); text != "" {
			return text
		}
		if depth > maxDepth {
			return "nil"
		}
		return d.address(u.Elem(), depth+1)
	case *types.Struct:
		return d.structure(t, u, depth)
	case *types.Slice:
		if b, ok := u.Elem().Underlying().(*types.Basic); ok && b.Kind() == types.Byte {
			return d.document(t)
		}
		if depth > maxDepth {
			return "nil"
		}
		return fmt.Sprintf("%s{%s}", d.name(t), d.value(u.Elem(), depth+1))
	case *types.Map:
		return d.mapping(t, u, depth)
	case *types.Chan:
		return fmt.Sprintf("make(chan %s, 64)", d.name(u.Elem()))
	case *types.Signature:
		return d.function(u, depth)
	case *types.Interface:
		return d.implementation(t, u, depth)
	}
	return d.zero(t)
}

// nameable reports whether the driver can write the type.
func (d *driver) nameable(t types.Type) bool {
	switch t := t.(type) {
	case *types.Alias:
		return d.known(t.Obj())
	case *types.Named:
		return d.known(t.Obj())
	case *types.Map:
		return d.nameable(t.Key()) && d.nameable(t.Elem())
	case *types.Signature:
		return d.nameable(t.Params()) && d.nameable(t.Results())
	case *types.Tuple:
		for v := range t.Variables() {
			if !d.nameable(v.Type()) {
				return false
			}
		}
	case interface{ Elem() types.Type }:
		return d.nameable(t.Elem())
	}
	return true
}

// known reports whether the driver can write the name of a type.
func (d *driver) known(o *types.TypeName) bool {
	return o.Pkg() == nil || o.Pkg() == d.pkg || o.Exported() && d.mayImport(o.Pkg().Path())
}

// mayImport asks the rule of internal packages.
func (d *driver) mayImport(path string) bool {
	before, _, found := strings.Cut("/"+path+"/", "/internal/")
	return !found || strings.HasPrefix("/"+d.pkg.Path()+"/", before+"/")
}

// zero is the zero value of a type, as far as it can be written.
func (d *driver) zero(t types.Type) string {
	switch t.Underlying().(type) {
	case *types.Struct, *types.Array:
		return fmt.Sprintf("*new(%s)", d.name(t))
	case *types.Basic:
		return fmt.Sprintf("*new(%s)", d.name(t))
	}
	return "nil"
}

func (d *driver) key() string {
	if d.static {
		return `"k"`
	}
	return "key"
}

func (d *driver) basic(t types.Type, u *types.Basic) string {
	text := ""
	switch {
	case u.Info()&types.IsString != 0:
		text = d.key()
	case u.Info()&types.IsNumeric != 0 && u.Info()&types.IsComplex == 0:
		text = "n"
		if d.static {
			text = "1"
		}
	case u.Info()&types.IsBoolean != 0:
		text = "flag"
		if d.static {
			text = "true"
		}
	default:
		return fmt.Sprintf("*new(%s)", d.name(t))
	}
	return fmt.Sprintf("%s(%s)", d.name(t), text)
}

// address is a pointer to a new value.
func (d *driver) address(t types.Type, depth int) string {
	if !d.nameable(t) {
		return "nil"
	}
	if s, ok := t.Underlying().(*types.Struct); ok && depth <= maxDepth {
		if text := d.structure(t, s, depth); strings.HasSuffix(text, "}") {
			return "&" + text
		}
	}
	return fmt.Sprintf("new(%s)", d.name(t))
}

// structure makes a struct of its fields: maps that are there, channels with
// room, functions that return.
func (d *driver) structure(t types.Type, u *types.Struct, depth int) string {
	if depth > maxDepth {
		return d.name(t) + "{}"
	}
	own := false
	if n, ok := types.Unalias(t).(*types.Named); ok {
		if p := n.Obj().Pkg(); p != nil && p != d.pkg && !d.s.ours(p) {
			return d.name(t) + "{}" // its zero value is what it says it is
		}
		own = n.Obj().Pkg() == d.pkg
	}
	var fields []string
	for i := range u.NumFields() {
		f := u.Field(i)
		if f.Name() == "_" || !f.Exported() && (!own || f.Pkg() != d.pkg) { // its fields may be those of a type elsewhere
			continue
		}
		if text := d.value(f.Type(), depth+1); text != "nil" && !strings.HasPrefix(text, "*new(") {
			fields = append(fields, f.Name()+": "+d.some(f.Type(), text))
		}
	}
	return d.name(t) + "{" + strings.Join(fields, ", ") + "}"
}

// mapping is an empty map; one of things that hold others has an entry in some
// of the rounds.
func (d *driver) mapping(t types.Type, u *types.Map, depth int) string {
	empty := fmt.Sprintf("make(%s)", d.name(t))
	switch u.Elem().Underlying().(type) {
	case *types.Pointer, *types.Map, *types.Struct:
		if d.static || depth > maxDepth {
			return empty
		}
		key, elem := d.value(u.Key(), depth+1), d.value(u.Elem(), depth+1)
		if elem == "nil" || key == "nil" {
			return empty
		}
		d.parts++
		return fmt.Sprintf("%s[%s](round, %d, %s{%s: %s}, %s)", d.helper("Either"), d.name(t), d.parts, d.name(t), key, elem, empty)
	}
	return empty
}

// some leaves out a part in some of the rounds, where there may be none.
func (d *driver) some(t types.Type, text string) string {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Interface, *types.Signature:
		if !d.static {
			d.parts++
			return fmt.Sprintf("%s[%s](round, %d, %s)", d.helper("Some"), d.name(t), d.parts, text)
		}
	}
	return text
}

// ours reports whether a package is one of the module.
func (s *session) ours(p *types.Package) bool { return s.all[p.Path()] != nil }

// function is a literal that returns values of its results.
func (d *driver) function(sig *types.Signature, depth int) string {
	if sig.TypeParams().Len() > 0 || depth > maxDepth {
		return "nil"
	}
	var params, results, values []string
	calls := d.callbacks(sig, depth)
	for i := range sig.Params().Len() {
		t := sig.Params().At(i).Type()
		if !d.nameable(t) {
			return "nil"
		}
		text := d.name(t)
		if sig.Variadic() && i == sig.Params().Len()-1 {
			text = "..." + d.name(t.(*types.Slice).Elem())
		}
		if calls != "" {
			text = fmt.Sprintf("p%d_ %s", i, text)
		}
		params = append(params, text)
	}
	for i := range sig.Results().Len() {
		t := sig.Results().At(i).Type()
		if !d.nameable(t) {
			return "nil"
		}
		results = append(results, d.name(t))
		if t.String() == "error" {
			values = append(values, "nil")
			continue
		}
		values = append(values, d.value(t, depth+1))
	}
	return fmt.Sprintf("func(%s) (%s) { %sreturn %s }", strings.Join(params, ", "), strings.Join(results, ", "), calls, strings.Join(values, ", "))
}

// callbacks calls the functions that a function gets: what gets one mostly does.
func (d *driver) callbacks(sig *types.Signature, depth int) string {
	var b strings.Builder
	for i := range sig.Params().Len() {
		u, ok := sig.Params().At(i).Type().Underlying().(*types.Signature)
		if !ok || depth >= maxDepth {
			continue
		}
		var args []string
		for j := range u.Params().Len() - btoi(u.Variadic()) {
			args = append(args, d.value(u.Params().At(j).Type(), depth+1))
		}
		fmt.Fprintf(&b, "if p%d_ != nil { p%d_(%s) }; ", i, i, strings.Join(args, ", "))
	}
	return b.String()
}

// implementation makes a value of an interface: a stub with its methods.
func (d *driver) implementation(t types.Type, u *types.Interface, depth int) string {
	if u.NumMethods() == 0 {
		if d.static {
			return `any("k")`
		}
		return "any(key)"
	}
	if depth > maxDepth || u.IsComparable() && !u.IsMethodSet() {
		return "nil"
	}
	was := d.static
	d.static = true
	defer func() { d.static = was }()
	name := fmt.Sprintf("mapguardStub%d_%d", d.t.id, d.nstubs)
	d.nstubs++
	var text strings.Builder
	fmt.Fprintf(&text, "type %s struct{ id string }\n\n", name)
	for i := range u.NumMethods() {
		m := u.Method(i)
		if !m.Exported() && m.Pkg() != d.pkg {
			return "nil"
		}
		fn := d.function(m.Type().(*types.Signature), depth+1)
		if fn == "nil" {
			return "nil"
		}
		fmt.Fprintf(&text, "func (*%s) %s%s\n\n", name, m.Name(), strings.TrimPrefix(fn, "func"))
	}
	d.stubs.WriteString(text.String())
	return fmt.Sprintf("&%s{%q}", name, name)
}
