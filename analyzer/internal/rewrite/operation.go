package rewrite

import "strings"

// operate prints the operation under a name.
func (p *plan) operate(name string) {
	p.groups = append(p.groups, nil)
	if p.base.racing() {
		p.race(name)
		return
	}
	f := p.newFn(p.base.result)
	switch {
	case p.parts.call == throughInterface:
		f.self = "t."
	case p.parts.call == throughClient && p.place.recv == "":
		f.self = "cache."
	}
	params := p.params()
	sig, end := f.openResult()
	p.fill(f)
	end()
	p.layout.wrap(f)
	switch p.parts.call {
	case throughInterface:
		p.overInterface(name, f, params, sig)
	case throughParameter:
		p.overParameters(name, f, params, sig)
	case throughClient:
		p.inClient(name, f, params, sig)
	default:
		p.member(bug, name, params, sig, func(g *fn) { g.head, g.lines = f.head, f.lines })
	}
}

// fill prints the operation's body.
func (p *plan) fill(f *fn) {
	switch {
	case p.base.shape == onlyAct:
		f.onlyAct()
	case p.base.shape == onlyLook:
		f.onlyLook()
	case p.wrong:
		f.apart()
	case p.base.again:
		f.twice()
	case p.parts.call.outside():
		f.delegate()
	default:
		f.together()
	}
}

func (f *fn) onlyAct() {
	b, m := f.p.base, write
	if f.p.wrong {
		m = b.act
	}
	f.apply(m, b.value)
}

func (f *fn) onlyLook() {
	b, m := f.p.base, read
	if f.p.wrong {
		m = b.look
	}
	f.lookIn(m)
	f.leave(b.onDone)
}

// apart is the wrong form: the sections of look and act are two.
func (f *fn) apart() {
	b := f.p.base
	hit, miss := f.look(b.look)
	f.pause()
	f.branch(hit, miss, func() { f.leave(b.onHit) }, func() {
		f.make()
		f.apply(b.act, b.value)
	})
}

// twice is the right form that looks a second time where it acts.
func (f *fn) twice() {
	b := f.p.base
	hit, miss := f.look(b.look)
	f.pause()
	f.branch(hit, miss, func() { f.leave(b.onHit) }, func() {
		if !f.p.parts.act {
			f.settle()
			return
		}
		params := append([]variable{{"k", "$K"}}, b.extra...)
		call := f.use(piece{"settle", params, b.result, (*fn).settle})
		f.leave(call + names(params) + ")")
	})
}

// together is the right form in which one section covers look and act.
func (f *fn) together() {
	b := f.p.base
	f.final(write, func() {
		hit, miss := f.look(none)
		f.pause()
		f.branch(hit, miss, func() { f.leave(b.onHit) }, func() {
			f.make()
			f.apply(none, b.value)
		})
	})
}

// settle looks and acts in one section, or in one step.
func (f *fn) settle() {
	b := f.p.base
	if b.sync {
		f.atomic()
		return
	}
	f.final(write, func() {
		f.seen()
		f.branch(b.hit, b.miss, func() { f.leave(b.onHit) }, func() {
			f.make()
			f.change(b.value)
			f.leave(b.onDone)
		})
	})
}

// atomic does the step of a sync.Map that looks and acts at once.
func (f *fn) atomic() {
	b := f.p.base
	step := "LoadAndDelete(k)"
	switch {
	case b.made != "":
		step = "LoadOrStore(k, NewItem(string(k)))"
	case b.value != "":
		step = "LoadOrStore(k, " + b.value + ")"
	}
	m := f.p.reach(f)
	if b.made != "" {
		f.declare(b.vars[:1])
		f.add("v, _ = %s.%s", m, step)
		f.leave(b.onHit)
		return
	}
	f.declare(b.vars)
	f.add("%s = %s.%s", b.targets(), m, step)
	early(f, b.hit, b.miss, func() { f.leave(b.onHit) }, func() { f.leave(b.onDone) })
}

// delegate calls the right operation, which is a function of the type's.
func (f *fn) delegate() {
	p := f.p
	params := p.params()
	call := f.use(piece{strings.ToLower(p.base.op) + "Now", params, p.base.result, func(g *fn) {
		ps := p.parts
		p.parts = parts{}
		g.together()
		p.parts = ps
	}})
	f.leave(call + names(params) + ")")
}

// look prints the look, here or in a function, and returns the conditions.
func (f *fn) look(m mode) (hit, miss string) {
	p := f.p
	if !p.parts.look {
		f.lookIn(m)
		return p.base.hit, p.base.miss
	}
	a := p.parts.answer
	if a == nil {
		a = p.plainAnswer()
	}
	name, params := "find", []variable{{"k", "$K"}}
	if m == none && p.base.look != none {
		name = "findLocked"
	}
	if strings.Contains(p.base.hit, "owner") && p.parts.answer != nil {
		params = append(params, p.base.extra...)
	}
	call := f.use(piece{name, params, a.result, func(g *fn) {
		g.lookIn(m)
		g.add(a.give)
	}})
	bind := a.bind
	if !p.wrong && p.settlesElsewhere() && !strings.Contains(p.base.onHit, "v") {
		bind = strings.Replace(bind, "v, ", "_, ", 1)
	}
	f.add("%s := %s%s)", bind, call, names(params))
	f.known = append(f.known, a.declares...)
	return a.hit, a.miss
}

// settlesElsewhere reports whether the right twin's second look has a function
// of its own.
func (p *plan) settlesElsewhere() bool { return p.base.again && p.parts.act }

// lookIn prints the look in a section. What a literal finds is declared above
// it.
func (f *fn) lookIn(m mode) {
	if f.p.hold.literal && m != none && !f.p.base.sync {
		f.declare(f.p.base.vars)
	}
	f.section(m, f.seen)
}

// make prints the statement that makes the value.
func (f *fn) make() {
	if f.p.base.made != "" {
		f.add(f.p.base.made)
	}
}

// pause prints what comes between look and act.
func (f *fn) pause() {
	for _, line := range f.p.layout.between {
		f.add(line)
	}
}

// apply prints the act in a section of its own, here or in a function, and
// leaves.
func (f *fn) apply(m mode, x string) {
	b := f.p.base
	if !f.p.parts.act {
		f.final(m, func() {
			f.change(x)
			f.leave(b.onDone)
		})
		return
	}
	name, params, args := "insert", []variable{{"k", "$K"}, {"x", "$V"}}, "k, "+x
	if x == "" {
		name, params, args = "remove", params[:1], "k"
	}
	if m == none && b.act != none {
		name += "Locked"
	}
	given := ""
	if x != "" {
		given = "x"
	}
	call := f.use(piece{name, params, "", func(g *fn) { g.section(m, func() { g.change(given) }) }})
	f.add("%s%s)", call, args)
	f.leave(b.onDone)
}
