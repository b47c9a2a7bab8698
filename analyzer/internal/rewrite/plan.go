package rewrite

import (
	"fmt"
	"slices"
	"strings"
)

// A plan is a program before it is printed: the base, and what each rewrite
// has chosen in place of the plain way.
type plan struct {
	base  *base
	wrong bool

	place  place
	rw     bool // the lock is a read-write lock
	hold   hold
	reach  reach
	look   look
	put    put
	decide decide
	exit   exit
	parts  parts
	spawn  spawn
	layout layout

	key      string // the key's type
	decls    []decl
	groups   [][]string // for each bug the functions that it lies in
	declared []string
	used     []piece // what the operation calls
}

// A decl is a top-level declaration and the file that it lies in.
type decl struct {
	text string
	in   part
}

// A part says which file, or package, a declaration belongs to.
type part int

const (
	types  part = iota // the type, its constructor, the other methods
	bug                // the operation and what it calls
	client             // another package
)

// newPlan returns the plain program of a base.
func newPlan(b *base, wrong bool) *plan {
	p := &plan{
		base: b, wrong: wrong, key: "string", rw: true,
		hold: plainHold(), reach: direct, look: look{simple: true, print: lookup}, put: assign,
		decide: early, spawn: waitGroupGo,
	}
	p.place = fieldPlace()
	if b.racing() {
		p.place = localPlace()
	}
	return p
}

// expand fills in what depends on the place: the types of key, map and lock.
func (p *plan) expand(text string) string {
	lock := "sync.RWMutex"
	if !p.rw {
		lock = "sync.Mutex"
	}
	return strings.NewReplacer("$MAP", p.mapType(), "$LOCK", lock, "$K", p.key, "$V", p.base.elem).Replace(text)
}

// mapType is the type of the map as its declaration names it.
func (p *plan) mapType() string {
	switch {
	case p.base.sync:
		return "sync.Map"
	case p.place.named != "":
		return p.place.named
	}
	return "map[" + p.key + "]" + p.base.elem
}

// params are the operation's parameters.
func (p *plan) params() []variable {
	if p.base.racing() {
		return []variable{{"keys", "[]$K"}}
	}
	var ps []variable
	if p.base.question != whole {
		ps = append(ps, variable{"k", "$K"})
	}
	return append(ps, p.base.extra...)
}

// names returns the names of variables, for a call.
func names(vs []variable) string {
	var out []string
	for _, v := range vs {
		out = append(out, v.name)
	}
	return strings.Join(out, ", ")
}

// list returns the variables as a parameter list.
func list(vs []variable) string {
	var out []string
	for _, v := range vs {
		out = append(out, v.name+" "+v.typ)
	}
	return strings.Join(out, ", ")
}

// results returns the types of variables as a result list.
func results(vs []variable) string {
	if len(vs) == 1 {
		return vs[0].typ
	}
	var out []string
	for _, v := range vs {
		out = append(out, v.typ)
	}
	return "(" + strings.Join(out, ", ") + ")"
}

// A fn is the body of a function that is being printed.
type fn struct {
	p      *plan
	result string
	self   string // what calls of the type's functions begin with
	head   []string
	lines  []string
	known  []string       // variables that are declared
	leave  func(x string) // prints how the function is left with a result
	names  int            // how many names were asked for
}

func (p *plan) newFn(result string) *fn {
	f := &fn{p: p, result: result, self: p.place.self}
	f.leave = func(x string) { f.add("return %s", x) }
	return f
}

// first prints lines above all others, each once.
func (f *fn) first(lines ...string) {
	for _, line := range lines {
		if !slices.Contains(f.head, line) {
			f.head = append(f.head, line)
		}
	}
}

// fresh returns a name that is not in use.
func (f *fn) fresh(name string) string {
	if f.names++; f.names > 1 {
		name = fmt.Sprint(name, f.names)
	}
	return name
}

// add prints a line.
func (f *fn) add(format string, args ...any) {
	if len(args) > 0 {
		format = fmt.Sprintf(format, args...)
	}
	f.lines = append(f.lines, format)
}

// declare prints declarations of those variables that have none yet.
func (f *fn) declare(vs []variable) {
	for _, v := range vs {
		if !slices.Contains(f.known, v.name) {
			f.known = append(f.known, v.name)
			f.add("var %s %s", v.name, v.typ)
		}
	}
}

// body is the function's text between the braces.
func (f *fn) body() string {
	return strings.Join(append(slices.Clone(f.head), f.lines...), "\n")
}

// member declares a function of the type that holds the map, or a function
// beside the variable. A second declaration of a name adds nothing.
func (p *plan) member(in part, name string, params []variable, result string, body func(*fn)) {
	if p.again(name) {
		return
	}
	f := p.newFn(result)
	body(f)
	recv := ""
	if p.place.recv != "" {
		recv = "(" + p.place.recv + ") "
	}
	p.print(in, fmt.Sprintf("func %s%s(%s) %s {\n%s\n}", recv, name, list(params), result, f.body()))
}

// function declares a function that belongs to no type.
func (p *plan) function(in part, name, signature, body string) {
	if p.key == "K" && (strings.Contains(signature, "$K") || strings.Contains(signature, "$MAP")) {
		signature = "[K ~string]" + signature
	}
	if !p.again(name) {
		p.print(in, fmt.Sprintf("func %s%s {\n%s\n}", name, signature, body))
	}
}

func (p *plan) print(in part, text string) { p.decls = append(p.decls, decl{p.expand(text), in}) }

// again notes that the bug now at work uses a function, and reports whether
// it is declared already.
func (p *plan) again(name string) bool {
	if n := len(p.groups); n > 0 {
		p.groups[n-1] = append(p.groups[n-1], name)
	}
	if slices.Contains(p.declared, name) {
		return true
	}
	p.declared = append(p.declared, name)
	return false
}

// mapArg and mapParam hand the map to a function.
func (p *plan) mapArg(m string) string {
	if p.base.sync {
		return "&" + m
	}
	return m
}

// mapAt is the map to which an expression of mapArg's kind leads.
func (p *plan) mapAt(x string) string {
	if p.base.sync {
		return "(*" + x + ")"
	}
	return x
}

func (p *plan) mapParam() string {
	if p.base.sync {
		return "*sync.Map"
	}
	return "$MAP"
}
