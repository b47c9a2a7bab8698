package program

import (
	"bytes"
	"fmt"
	"go/format"
	"strings"
)

// A Source is a program as Go source.
type Source struct {
	Text string
	// Lines holds the line of each statement, Funcs the first and the last
	// line of each function.
	Lines map[Stmt]int
	Funcs map[*Func][2]int
}

// Print writes a program as a package of that name. Main of a program with
// package-level maps is the function main of a command: no other goroutine can run it
// a second time.
func Print(p *Program, pkg string) (*Source, error) {
	w := &printer{p: p, line: 1, src: &Source{Lines: make(map[Stmt]int), Funcs: make(map[*Func][2]int)}}
	w.header(pkg)
	w.types()
	for _, f := range p.Funcs {
		w.method(f)
	}
	w.runners()
	w.main()
	text, err := format.Source(w.buf.Bytes())
	if err != nil {
		return nil, fmt.Errorf("%w in\n%s", err, w.buf.Bytes())
	}
	w.src.Text = string(text)
	if got := strings.Count(w.src.Text, "\n") + 1; got != w.line {
		return nil, fmt.Errorf("gofmt moves lines: %d, not %d, in\n%s", got, w.line, text)
	}
	return w.src, nil
}

// TypeName returns the name of the struct type.
func (p *Program) TypeName() string {
	if p.Documented {
		return "Store"
	}
	return "store"
}

// Command reports whether the program is a command rather than a library.
func (p *Program) Command() bool { return p.Global && p.Main != nil }

type printer struct {
	p      *Program
	buf    bytes.Buffer
	line   int
	indent int
	src    *Source
	used   map[decl]bool
	// inMain: an object is named by its variable, not by the receiver.
	inMain bool
}

// pf writes a line.
func (w *printer) pf(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if text != "" {
		w.buf.WriteString(strings.Repeat("\t", w.indent))
	}
	w.buf.WriteString(text)
	w.buf.WriteByte('\n')
	w.line += 1 + strings.Count(text, "\n")
}

// open and end write the lines around a block.
func (w *printer) open(format string, args ...any) {
	w.pf(format, args...)
	w.indent++
}

func (w *printer) end(format string, args ...any) {
	w.indent--
	w.pf(format, args...)
}

func (w *printer) header(pkg string) {
	if w.p.Command() {
		pkg = "main"
	}
	w.pf("// Package %s was generated from seed %d.", pkg, w.p.Seed)
	w.pf("package %s", pkg)
	if len(w.p.Locks) > 0 || w.joins(WaitGroup) || w.joins(WaitGroupGo) {
		w.pf("")
		w.pf(`import "sync"`)
	}
}

func (w *printer) joins(j Join) bool {
	return w.p.Any(func(s Stmt) bool {
		g, ok := s.(*Go)
		return ok && g.Join == j
	})
}

// Emits reports whether the program calls its user back.
func (p *Program) Emits() bool {
	return p.Any(func(s Stmt) bool { _, ok := s.(*Emit); return ok })
}

// asks and calls report whether the owner is sent requests, closures.
func (p *Program) asks() bool {
	for _, f := range p.Funcs {
		if f.Handler {
			return true
		}
	}
	return false
}

func (p *Program) closures() bool {
	return p.Any(func(s Stmt) bool {
		in, ok := s.(*Within)
		return ok && in.Lock == Owner
	})
}

func (p *Program) items() bool {
	for _, m := range p.Maps {
		if m.Elem == Item {
			return true
		}
	}
	return false
}

func (w *printer) types() {
	p := w.p
	if p.items() {
		w.pf("")
		w.pf("type item struct{ n int }")
	}
	if p.asks() {
		w.pf("")
		w.open("type request struct {")
		w.pf("kind string")
		w.pf("key, val int")
		w.pf("reply chan int")
		w.end("}")
	}
	w.pf("")
	if p.Global {
		w.open("var (")
		w.fields(func(name, typ string) {
			if typ == "func(int)" {
				w.pf("%s = func(int) {}", name)
				return
			}
			w.pf("%s %s", name, typ)
		}, func(m *Map) { w.pf("%s = make(map[int]%s)", m.Name, m.Elem) })
		w.end(")")
		return
	}
	if p.Documented {
		w.pf("// Store keeps entries by number. It is safe for concurrent use.")
	}
	w.open("type %s struct {", p.TypeName())
	w.fields(func(name, typ string) { w.pf("%s %s", name, typ) }, nil)
	w.end("}")
	w.constructor()
}

// fields writes the declarations of maps, locks and channels. A map that is
// made at once is left to made, unless that is nil.
func (w *printer) fields(field func(name, typ string), made func(*Map)) {
	locks := func(above bool) {
		for _, l := range w.p.Locks {
			if l.Above != above {
				continue
			}
			typ := "sync.Mutex"
			if l.RW {
				typ = "sync.RWMutex"
			}
			field(l.Name, typ)
		}
	}
	locks(true)
	for _, m := range w.p.Maps {
		if made != nil && !m.Lazy {
			made(m)
			continue
		}
		field(m.Name, "map[int]"+m.Elem.String())
	}
	locks(false)
	if w.p.asks() {
		field("requests", "chan request")
	}
	if w.p.closures() {
		field("calls", "chan func()")
	}
	if w.p.Emits() {
		field("notify", "func(int)")
	}
}

// Constructor returns the name of the function that makes an object.
func (p *Program) Constructor() string {
	if p.Documented {
		return "New"
	}
	return "newStore"
}

func (w *printer) constructor() {
	p := w.p
	param, name := "", p.Constructor()
	if p.Emits() {
		param = "notify func(int)"
	}
	w.pf("")
	if p.Documented {
		w.pf("// New returns an empty Store.")
	}
	w.open("func %s(%s) *%s {", name, param, p.TypeName())
	w.literal(param != "")
	if p.asks() || p.closures() {
		for range p.Owners {
			w.pf("go s.loop()")
		}
	}
	w.pf("return s")
	w.end("}")
}

// literal makes the object.
func (w *printer) literal(notify bool) {
	p := w.p
	var fields []string
	for _, m := range p.Maps {
		if !m.Lazy {
			fields = append(fields, fmt.Sprintf("%s: make(map[int]%s),", m.Name, m.Elem))
		}
	}
	if p.asks() {
		fields = append(fields, "requests: make(chan request),")
	}
	if p.closures() {
		fields = append(fields, "calls: make(chan func()),")
	}
	if notify {
		fields = append(fields, "notify: notify,")
	}
	if len(fields) == 0 {
		w.pf("s := &%s{}", p.TypeName())
		return
	}
	w.open("s := &%s{", p.TypeName())
	for _, f := range fields {
		w.pf("%s", f)
	}
	w.end("}")
}

// self returns how a field or method of the object is written.
func (w *printer) self(name string) string {
	if w.p.Global {
		return name
	}
	return "s." + name
}

func (w *printer) receiver() string {
	if w.p.Global {
		return ""
	}
	return "(s *" + w.p.TypeName() + ") "
}

func (w *printer) method(f *Func) {
	w.pf("")
	if w.p.Documented && f.Op {
		claim := ""
		if w.p.Global {
			claim = " It is safe for concurrent use."
		}
		w.pf("// %s is an operation.%s", f.Name, claim)
	}
	start := w.line
	w.open("func %s%s(%s)%s {", w.receiver(), f.Name, params(f.Params), results(f.Results))
	w.used = used(f.Body)
	w.block(f.Body)
	w.end("}")
	w.src.Funcs[f] = [2]int{start, w.line - 1}
}

func params(ps []Param) string {
	var out []string
	for _, p := range ps {
		out = append(out, p.Name+" "+p.Type.String())
	}
	return strings.Join(out, ", ")
}

func results(ts []Type) string {
	var out []string
	for _, t := range ts {
		out = append(out, t.String())
	}
	switch len(out) {
	case 0:
		return ""
	case 1:
		return " " + out[0]
	}
	return " (" + strings.Join(out, ", ") + ")"
}

func (w *printer) main() {
	f := w.p.Main
	if f == nil {
		return
	}
	w.pf("")
	name := "Run"
	if w.p.Command() {
		name = "main"
	}
	start := w.line
	w.open("func %s() {", name)
	w.inMain = true
	notify := ""
	if w.p.Emits() {
		notify = "func(int) {}"
	}
	for i := range w.p.Objects {
		if !w.p.Global && uses(f, i) {
			w.pf("%s := %s(%s)", objects[i], w.p.Constructor(), notify)
		}
	}
	if w.joins(WaitGroup) || w.joins(WaitGroupGo) {
		w.pf("var wg sync.WaitGroup")
	}
	if w.joins(Channel) {
		w.pf("done := make(chan struct{}, 8)")
	}
	w.used = used(f.Body)
	w.block(f.Body)
	w.end("}")
	w.src.Funcs[f] = [2]int{start, w.line - 1}
}

// objects are the variables of Main.
var objects = [...]string{"s", "t"}

// uses reports whether Main names an object. What it does to maps by itself,
// it does to the first one.
func uses(f *Func, obj int) bool {
	named := false
	EachExpr(f.Body, func(x Expr) {
		switch x := x.(type) {
		case *Call:
			named = named || x.Obj == obj && !x.F.Literal
		case *Index, *Len, *IsNil:
			named = named || obj == 0
		}
	})
	Each(f.Body, func(s Stmt) {
		switch s.(type) {
		case *Set, *Add, *Delete, *Clear, *Make, *LockOp, *Range:
			named = named || obj == 0
		}
	})
	return named
}
