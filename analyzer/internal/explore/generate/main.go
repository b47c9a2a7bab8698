package generate

import (
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/explore/program"
)

// main makes the function that starts goroutines on an object: something
// before, the goroutines, a wait for all of them, some or none, something
// after.
func (mk *maker) main() {
	f := &program.Func{Name: "Run"}
	mk.p.Main = f
	joins := program.Join(mk.r.IntN(4))
	apart := !mk.p.Global && mk.chance(0.06)
	if apart {
		mk.p.Objects = 2
		mk.tag("two objects")
	}
	if mk.chance(0.4) {
		mk.tag("seeded")
		f.Body = append(f.Body, mk.bare(num(3))...)
	}
	workers := mk.workers()
	phases := mk.chance(0.08) && joins != program.NoJoin
	for i, share := range mk.shares(workers) {
		g := mk.worker(share, i, joins)
		if apart {
			onto(g, i%2)
		}
		f.Body = append(f.Body, g)
		if phases && i == 0 {
			mk.tag("phases")
			f.Body = append(f.Body, &program.Wait{Join: joins, N: 1})
		}
	}
	if phases {
		workers--
	}
	f.Body = append(f.Body, mk.after(joins, workers)...)
}

// workers draws how many goroutines there are.
func (mk *maker) workers() int {
	switch {
	case mk.chance(0.15):
		mk.tag("one goroutine")
		return 1
	case mk.chance(0.15):
		mk.tag("three goroutines")
		return 3
	}
	return 2
}

// shares returns which operations each goroutine is to call: all of them, or
// those that are its own.
func (mk *maker) shares(workers int) [][]*program.Func {
	ops := mk.p.Ops()
	var out [][]*program.Func
	if mk.chance(0.35) {
		mk.tag("shares of the operations")
		for i := range workers {
			out = append(out, ops[i*len(ops)/workers:(i+1)*len(ops)/workers])
		}
		return out
	}
	for range workers {
		share := slices.Clone(ops)
		mk.r.Shuffle(len(share), func(i, j int) { share[i], share[j] = share[j], share[i] })
		out = append(out, share)
	}
	return out
}

// onto lets a goroutine work on another object.
func onto(s program.Stmt, obj int) {
	program.EachExpr([]program.Stmt{s}, func(x program.Expr) {
		if c, ok := x.(*program.Call); ok {
			c.Obj = obj
		}
	})
}

// after makes what Main does at the end.
func (mk *maker) after(joins program.Join, workers int) []program.Stmt {
	var out []program.Stmt
	early := mk.chance(0.1)
	if early {
		mk.tag("uses the map before the wait")
		out = append(out, mk.atEnd()...)
	}
	if joins == program.NoJoin {
		mk.tag("no wait")
		return out
	}
	n := workers
	if joins == program.Channel && workers > 1 && mk.chance(0.2) {
		mk.tag("waits for some")
		n--
	}
	mk.tag([...]string{"", "WaitGroup", "WaitGroup.Go", "channel"}[joins])
	out = append(out, &program.Wait{Join: joins, N: n})
	if mk.chance(0.4) {
		mk.tag("uses the map after the wait")
		out = append(out, mk.atEnd()...)
	}
	return out
}

// bare writes to a map without a lock, in Main.
func (mk *maker) bare(key program.Expr) []program.Stmt {
	o := &operation{maker: mk, m: mk.r.IntN(len(mk.p.Maps)), key: key}
	if mk.p.Maps[o.m].Lazy {
		return nil
	}
	return []program.Stmt{&program.Set{Map: o.m, Key: key, X: mk.constant(o.m)}}
}

func (mk *maker) constant(m int) program.Expr {
	switch mk.p.Maps[m].Elem {
	case program.Bool:
		return truth(true)
	case program.Item:
		return &program.NewItem{N: num(2)}
	}
	return num(2)
}

// atEnd uses a map in Main, by itself or by an operation.
func (mk *maker) atEnd() []program.Stmt {
	switch mk.r.IntN(3) {
	case 0:
		return mk.bare(num(1))
	case 1:
		return []program.Stmt{&program.Range{Map: mk.r.IntN(len(mk.p.Maps)), K: "i", V: "x", Body: nil}}
	}
	ops := mk.p.Ops()
	return []program.Stmt{&program.Do{Call: mk.call(ops[mk.r.IntN(len(ops))], 3)}}
}

// call calls an operation with constants; val is the goroutine's own value.
func (mk *maker) call(f *program.Func, val int) *program.Call {
	c := &program.Call{F: f}
	for _, p := range f.Params {
		if p.Name == "k" {
			c.Args = append(c.Args, num(1+mk.r.IntN(8)/7))
		} else {
			c.Args = append(c.Args, num(val))
		}
	}
	return c
}

// worker makes the i-th goroutine. It calls its share of the operations, so
// that each has a caller, and one more.
func (mk *maker) worker(share []*program.Func, i int, joins program.Join) program.Stmt {
	val := i + 1
	ops := mk.p.Ops()
	calls := slices.Clone(share)
	if len(calls) < 2 || len(calls) < 4 && mk.chance(0.2) {
		calls = append(calls, ops[mk.r.IntN(len(ops))])
	}
	if mk.chance(0.12) && mk.style == locked {
		if body := mk.inlineUnit(val); body != nil {
			for _, f := range share {
				body = append(body, &program.Do{Call: mk.call(f, val)})
			}
			return &program.Go{Call: &program.Call{F: &program.Func{Name: "literal", Literal: true, Body: body}}, Join: joins}
		}
	}
	if len(calls) == 1 && len(share) <= 1 {
		return &program.Go{Call: mk.call(calls[0], val), Join: joins}
	}
	var body []program.Stmt
	for _, f := range calls {
		body = append(body, &program.Do{Call: mk.call(f, val)})
	}
	if mk.chance(0.1) {
		mk.tag("loop")
		body = []program.Stmt{&program.Loop{N: 2, Body: body}}
	}
	return &program.Go{Call: &program.Call{F: &program.Func{Name: "literal", Literal: true, Body: body}}, Join: joins}
}

// inlineUnit makes one operation of what a goroutine does by itself: a look
// and an act by helpers that lock, or in sections of its own.
func (mk *maker) inlineUnit(val int) []program.Stmt {
	o := &operation{maker: mk, m: mk.r.IntN(len(mk.p.Maps)), key: num(1), max: 2, fn: &program.Func{}}
	o.other = o.m
	if mk.p.Maps[o.m].Lazy {
		return nil
	}
	o.val = mk.constant(o.m)
	o.recipe = &recipe{name: "inline", look: missing, act: insert, refuse: none, done: none}
	if mk.chance(0.5) {
		o.recipe.look, o.recipe.act = found, remove
	}
	var body []program.Stmt
	if mk.chance(0.5) {
		mk.tag("inline in one section")
		look, cond := o.recipe.look(o, "")
		body = section(o.lock(), false, append(look, when(cond, o.acting("")...)))
	} else {
		mk.tag("inline by two helpers")
		o.via = locking
		look, cond := o.recipe.look(o, "")
		body = append(look, when(cond, o.acting("")...))
	}
	return []program.Stmt{&program.Unit{Body: body}}
}
