package rewrite

import (
	"fmt"
	"strings"
)

// A calling says how an operation reaches the functions that look and act
// for it.
type calling int

const (
	throughMember    calling = iota // c.find(k)
	throughValue                    // find := c.find
	throughLiteral                  // find := func(k string) …
	throughFunction                 // find(c, k)
	throughInterface                // t.find(k), where t is an interface
	throughParameter                // find is a parameter
	throughClient                   // c.Find(k) in another package
)

// outside reports whether the operation itself sees neither map nor lock.
func (c calling) outside() bool {
	return c == throughInterface || c == throughParameter || c == throughClient
}

// parts says which parts of an operation are functions of their own. Each has
// its critical section, unless one section in the operation covers both.
type parts struct {
	look, act bool
	depth     int // how many functions lie between
	call      calling
	answer    *answer // how the look's function says what it has found
}

// An answer is a way for a look's function to say what it has found.
type answer struct {
	result    string // its result types
	give      string // the statements that return it
	bind      string // what the caller names
	hit, miss string
	// declares are the variables that bind declares.
	declares []string
}

// plainAnswer returns the variables of the look.
func (p *plan) plainAnswer() *answer {
	b := p.base
	a := &answer{result: results(b.vars), give: "return " + names(b.vars), bind: names(b.vars), hit: b.hit, miss: b.miss}
	for _, v := range b.vars {
		a.declares = append(a.declares, v.name)
	}
	return a
}

// answers are the rewrites in which the look's function hands the decision
// back in another form.
func answers() []option {
	return []option{
		answering("answer-nil", func(b *base) *answer {
			if b.elem != "*Item" || b.sync {
				return nil
			}
			absent, there := "v == nil", "v != nil"
			if b.hit == "ok" {
				absent, there = there, absent
			}
			return &answer{result: "*Item", give: "if !ok {\nreturn nil\n}\nreturn v", bind: "v", hit: absent, miss: there, declares: []string{"v"}}
		}),
		answering("answer-error", func(b *base) *answer {
			a := verdict(b, "error", `errors.New("nothing to do")`, "nil", "err")
			a.hit, a.miss = "err != nil", "err == nil"
			return a
		}),
		answering("answer-bool", func(b *base) *answer {
			a := verdict(b, "bool", "false", "true", "todo")
			a.hit, a.miss = "!todo", "todo"
			return a
		}),
		answering("answer-count", func(b *base) *answer {
			a := verdict(b, "int", "0", "1", "todo")
			a.hit, a.miss = "todo == 0", "todo > 0"
			return a
		}),
		answering("answer-struct", func(b *base) *answer {
			a := verdict(b, "struct{ todo bool }", "struct{ todo bool }{false}", "struct{ todo bool }{true}", "a")
			a.hit, a.miss = "!a.todo", "a.todo"
			return a
		}),
	}
}

// verdict is the answer that names the decision, not what it was made from.
// A value that the caller goes on to use comes with it.
func verdict(b *base, typ, hit, miss, name string) *answer {
	a := &answer{result: typ, bind: name, declares: []string{name}}
	val := ""
	if b.vars[0].name == "v" {
		val = "v, "
		a.result, a.bind = "("+b.vars[0].typ+", "+typ+")", "v, "+name
		a.declares = append(a.declares, "v")
	}
	a.give = fmt.Sprintf("if %s {\nreturn %s%s\n}\nreturn %s%s", b.hit, val, hit, val, miss)
	return a
}

func answering(name string, of func(*base) *answer) option {
	return option{name, func(p *plan) bool {
		if p.base.shape != lookThenAct || p.base.hit == "" {
			return false
		}
		p.parts.look = true
		p.parts.answer = of(p.base)
		return p.parts.answer != nil
	}}
}

// compositions are the rewrites that give parts of an operation functions of
// their own.
func compositions() []option {
	set := func(name string, fits func(*plan) bool, ps parts) option {
		return option{name, func(p *plan) bool {
			p.parts = ps
			return !p.base.racing() && p.base.question != whole && fits(p)
		}}
	}
	looks := func(p *plan) bool { return p.base.shape == lookThenAct }
	acts := func(p *plan) bool { return p.base.acts() }
	typed := func(p *plan) bool { return looks(p) && p.place.recv != "" && !strings.Contains(p.place.recv, "[") }
	return []option{
		set("look-member", looks, parts{look: true}),
		set("act-member", acts, parts{act: true}),
		set("members", looks, parts{look: true, act: true}),
		set("members-deep", looks, parts{look: true, act: true, depth: 2}),
		set("member-values", looks, parts{look: true, act: true, call: throughValue}),
		set("look-literal", looks, parts{look: true, call: throughLiteral}),
		set("literals", looks, parts{look: true, act: true, call: throughLiteral}),
		set("functions", typed, parts{look: true, act: true, call: throughFunction}),
		set("interface", typed, parts{look: true, act: true, call: throughInterface}),
		set("parameters", looks, parts{look: true, act: true, call: throughParameter}),
		set("client-package", func(p *plan) bool { return looks(p) && (p.place.recv == "" || typed(p)) }, parts{look: true, act: true, call: throughClient}),
	}
}

// A piece is a part of an operation with a function of its own.
type piece struct {
	name   string
	params []variable
	result string
	body   func(*fn)
}

// use makes the piece's function, and returns what a call of it begins with.
func (f *fn) use(pc piece) string {
	p := f.p
	if p.parts.call == throughClient {
		pc.name = strings.ToUpper(pc.name[:1]) + pc.name[1:]
	}
	switch p.parts.call {
	case throughLiteral:
		return f.literal(pc)
	case throughFunction:
		g := p.newFn(pc.result)
		pc.body(g)
		p.function(bug, pc.name, fmt.Sprintf("(%s, %s) %s", p.place.recv, list(pc.params), pc.result), g.body())
		return pc.name + "(c, "
	}
	p.member(bug, pc.name, pc.params, pc.result, pc.body)
	for i := range p.parts.depth {
		outer := fmt.Sprint(pc.name, "Via", i+1)
		inner := p.place.self + pc.name + "(" + names(pc.params) + ")"
		p.member(bug, outer, pc.params, pc.result, func(g *fn) {
			if pc.result == "" {
				g.add(inner)
			} else {
				g.leave(inner)
			}
		})
		pc.name = outer
	}
	p.used = append(p.used, pc)
	switch p.parts.call {
	case throughValue:
		f.first(pc.name + "Of := " + f.self + pc.name)
		return pc.name + "Of("
	case throughParameter:
		return pc.name + "("
	}
	return f.self + pc.name + "("
}

// literal declares the piece as a function literal in f.
func (f *fn) literal(pc piece) string {
	g := f.p.newFn(pc.result)
	pc.body(g)
	f.add("%s := func(%s) %s {\n%s\n}", pc.name, list(pc.params), pc.result, g.body())
	return pc.name + "("
}
