package rewrite

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// pieces are the functions that the operation calls, each once.
func (p *plan) pieces() []piece {
	var out []piece
	for _, pc := range p.used {
		if !slices.ContainsFunc(out, func(o piece) bool { return o.name == pc.name }) {
			out = append(out, pc)
		}
	}
	return out
}

// overInterface puts the body into a function that works on an interface.
func (p *plan) overInterface(name string, f *fn, params []variable, sig string) {
	var methods []string
	for _, m := range p.pieces() {
		methods = append(methods, m.name+"("+list(m.params)+") "+m.result)
	}
	if !p.again("keeper") {
		p.print(bug, "type keeper interface {\n"+strings.Join(methods, "\n")+"\n}")
	}
	p.indirect(name, f, params, sig, []variable{{"t", "keeper"}}, "c")
}

// overParameters puts the body into a function that gets the parts as
// parameters.
func (p *plan) overParameters(name string, f *fn, params []variable, sig string) {
	var formal []variable
	var actual []string
	for _, m := range p.pieces() {
		formal = append(formal, variable{m.name, fmt.Sprintf("func(%s) %s", list(m.params), m.result)})
		actual = append(actual, p.place.self+m.name)
	}
	p.indirect(name, f, params, sig, formal, strings.Join(actual, ", "))
}

// indirect prints the body as a function with more parameters, and the
// operation that calls it.
func (p *plan) indirect(name string, f *fn, params []variable, sig string, formal []variable, actual string) {
	over := strings.ToLower(name) + "Over"
	p.function(bug, over, "("+list(slices.Concat(formal, params))+") "+sig, f.body())
	p.member(bug, name, params, f.result, func(g *fn) { g.leave(over + "(" + actual + ", " + names(params) + ")") })
}

// exported are the names that a client writes with the package's name.
var exported = regexp.MustCompile(`\b(Item|NewItem|Limit)\b`)

// inClient puts the operation into another package.
func (p *plan) inClient(name string, f *fn, params []variable, sig string) {
	p.again(name)
	signature := list(params) + ") " + sig
	if p.place.recv != "" {
		signature = "c *cache.Cache, " + signature
	}
	text := fmt.Sprintf("func %s(%s {\n%s\n}", name, signature, f.body())
	p.print(client, exported.ReplaceAllString(p.expand(text), "cache.$1"))
}
