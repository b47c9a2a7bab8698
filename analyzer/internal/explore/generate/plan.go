package generate

import "github.com/mapguard/mapguard/analyzer/internal/explore/program"

// A plan is how an operation is kept atomic, or is not. It returns nil where
// it does not fit the operation.
type plan struct {
	name string
	kind planKind
	body func(o *operation) []program.Stmt
}

// A planKind says what to expect of a plan.
type planKind int

const (
	right planKind = iota // it keeps the operation atomic
	apart                 // look and act are under locks, not together
	racy                  // something is not under the map's lock
)

func (o *operation) lock() int { return o.guard(o.m) }

// rw reports whether the map's lock can be held for reading.
func (o *operation) rw() bool { return o.p.Locks[o.lock()].RW }

// whole returns the operation's statements without locks: with an early return
// where it refuses, or with the act inside the decision.
func (o *operation) whole() []program.Stmt {
	look, cond := o.recipe.look(o, "")
	return join(look, o.decide(cond, ""))
}

// decide returns the decision and the act.
func (o *operation) decide(cond program.Expr, n string) []program.Stmt {
	act, done := o.recipe.act(o, n), o.recipe.done(o, n)
	if cond == nil {
		return append(act, o.last(done)...)
	}
	refuse := o.recipe.refuse(o, n)
	if o.pick%3 == 0 && len(refuse) == len(done) {
		return join([]program.Stmt{when(cond, append(act, o.last(done)...)...)}, o.last(refuse))
	}
	return join([]program.Stmt{when(not(cond), ret(refuse...))}, act, o.last(done))
}

func (o *operation) last(results []program.Expr) []program.Stmt {
	if len(results) == 0 {
		return nil
	}
	return []program.Stmt{ret(results...)}
}

// refusing returns the decision not to act, as a statement of its own.
func (o *operation) refusing(cond program.Expr, n string) []program.Stmt {
	if cond == nil {
		return nil
	}
	return []program.Stmt{when(not(cond), ret(o.recipe.refuse(o, n)...))}
}

func (o *operation) acting(n string) []program.Stmt { return o.recipe.act(o, n) }

func (o *operation) finish(n string) []program.Stmt { return o.last(o.recipe.done(o, n)) }

// apart looks in one section and acts in another.
func (o *operation) sections(lookLock int, read bool, actLock int) []program.Stmt {
	look, cond := o.recipe.look(o, "")
	first := section(lookLock, read, look)
	if o.pick%2 == 0 && cond != nil {
		first = section(lookLock, read, append(look, o.refusing(cond, "")...))
		cond = nil
	}
	return join(first, o.refusing(cond, ""), section(actLock, false, o.acting("")), o.finish(""))
}

// plans are all plans but those of programs with an owner.
var plans = []plan{
	{"one", right, func(o *operation) []program.Stmt { return o.under(o.lock(), false, o.whole()) }},
	{"helpers under lock", right, func(o *operation) []program.Stmt {
		o.via = bare
		return o.under(o.lock(), false, o.whole())
	}},
	{"closure", right, closure},
	{"second look", right, func(o *operation) []program.Stmt { return o.secondLook("2") }},
	{"two locks held", right, twoHeld},
	{"lock parameter", right, func(o *operation) []program.Stmt { return o.lockParameter(true) }},
	{"correlated", right, correlated},
	{"retake, look again", right, func(o *operation) []program.Stmt { return o.retake(true) }},
	{"mark", right, mark},
	{"locked helper", right, delegate},

	{"split", apart, func(o *operation) []program.Stmt { return o.sections(o.lock(), false, o.lock()) }},
	{"upgrade", apart, func(o *operation) []program.Stmt {
		if !o.rw() {
			return nil
		}
		return o.sections(o.lock(), true, o.lock())
	}},
	{"two helpers", apart, func(o *operation) []program.Stmt {
		o.via = locking
		return o.whole()
	}},
	{"helper, then section", apart, halfHelper},
	{"two closures", apart, twoClosures},
	{"other look", apart, otherLook},
	{"carried", apart, func(o *operation) []program.Stmt { return o.secondLook("") }},
	{"two locks", apart, func(o *operation) []program.Stmt {
		if len(o.p.Locks) < 2 {
			return nil
		}
		return o.sections(o.lock(), false, 1-o.lock())
	}},
	{"wrong lock", racy, func(o *operation) []program.Stmt {
		if len(o.p.Locks) < 2 {
			return nil
		}
		return o.under(1-o.lock(), false, o.whole())
	}},
	{"read lock", racy, func(o *operation) []program.Stmt {
		if !o.rw() {
			return nil
		}
		return o.under(o.lock(), true, o.whole())
	}},
	{"no lock", racy, func(o *operation) []program.Stmt { return o.whole() }},
	{"look without lock", racy, func(o *operation) []program.Stmt {
		look, cond := o.recipe.look(o, "")
		return join(look, o.refusing(cond, ""), section(o.lock(), false, o.acting("")), o.finish(""))
	}},
	{"act without lock", racy, func(o *operation) []program.Stmt {
		look, cond := o.recipe.look(o, "")
		return join(section(o.lock(), false, look), o.refusing(cond, ""), o.acting(""), o.finish(""))
	}},
	{"some paths", racy, somePaths},
	{"lock parameter false", racy, func(o *operation) []program.Stmt { return o.lockParameter(false) }},
	{"retake", apart, func(o *operation) []program.Stmt { return o.retake(false) }},
	{"retake on a path", apart, retakePath},
	{"mark elsewhere", apart, markElsewhere},
}

// secondLook looks again under the lock. With the same suffix as the first
// look, it carries the first one's value over.
func (o *operation) secondLook(n string) []program.Stmt {
	look, cond := o.recipe.look(o, "")
	again, cond2 := o.recipe.look(o, "2")
	if cond == nil && n == "" {
		return nil // there is no question, only a value
	}
	read := o.rw() && o.chance(0.7)
	inner := join(again, o.refusing(cond2, "2"), o.acting(n), o.finish(n))
	return join(section(o.lock(), read, look), o.refusing(cond, ""), o.under(o.lock(), false, inner))
}

// otherLook asks another question the second time.
func otherLook(o *operation) []program.Stmt {
	look, cond := o.recipe.look(o, "")
	again, cond2 := room(o, "2")
	if o.recipe.name == "limit" || o.recipe.name == "flush" {
		again, cond2 = missing(o, "2")
	}
	if cond == nil {
		return nil
	}
	inner := join(again, o.refusing2(cond2), o.acting(""), o.finish(""))
	return join(section(o.lock(), false, look), o.refusing(cond, ""), section(o.lock(), false, inner))
}

// refusing2 refuses with the results of the first look.
func (o *operation) refusing2(cond program.Expr) []program.Stmt {
	return []program.Stmt{when(not(cond), ret(o.recipe.refuse(o, "")...))}
}

// closure runs everything in a closure under the lock.
func closure(o *operation) []program.Stmt { return o.closure(o.lock()) }

func (o *operation) closure(lock int) []program.Stmt {
	look, cond := o.recipe.look(o, "")
	act := append(o.acting(""), o.keep(o.recipe.done(o, ""))...)
	body := append(look, act...)
	if cond != nil {
		refuse := o.keep(o.recipe.refuse(o, ""))
		body = append(look, &program.If{Cond: cond, Then: act, Else: refuse})
	}
	return join(o.declare(), []program.Stmt{&program.Within{Lock: lock, Body: body}}, o.kept())
}

// declare declares variables for the results, keep sets them, kept returns
// them.
func (o *operation) declare() []program.Stmt {
	var out []program.Stmt
	for i, t := range o.fn.Results {
		out = append(out, &program.Var{Name: resultNames[i], T: t})
	}
	return out
}

var resultNames = [...]string{"r", "done"}

func (o *operation) keep(xs []program.Expr) []program.Stmt {
	var out []program.Stmt
	for i, x := range xs {
		if lit, ok := x.(*program.Lit); ok && lit.V == 0 {
			continue // it is the zero value
		}
		out = append(out, assign(resultNames[i], x))
	}
	return out
}

func (o *operation) kept() []program.Stmt {
	var out []program.Expr
	for i := range o.fn.Results {
		out = append(out, ref(resultNames[i]))
	}
	return o.last(out)
}

// twoClosures looks in one closure and acts in another.
func twoClosures(o *operation) []program.Stmt { return o.closures(o.lock()) }

func (o *operation) closures(lock int) []program.Stmt {
	look, cond := o.recipe.look(o, "")
	if cond == nil || o.usesLook() {
		return nil // the value would have to leave the closure
	}
	look = append(look, assign("todo", cond))
	return join([]program.Stmt{&program.Var{Name: "todo", T: program.Bool}, &program.Within{Lock: lock, Body: look}},
		o.refusing(ref("todo"), ""), []program.Stmt{&program.Within{Lock: lock, Body: o.acting("")}}, o.finish(""))
}
