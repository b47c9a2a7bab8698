package generate

import "github.com/mapguard/mapguard/analyzer/internal/explore/program"

// twoHeld holds both locks throughout, always in the same order.
func twoHeld(o *operation) []program.Stmt {
	if len(o.p.Locks) < 2 {
		return nil
	}
	return held(0, false, o.under(1, false, o.whole()))
}

// lockParameter leaves the operation to a helper with a parameter that says
// whether to lock. Right callers pass false only when they hold the lock.
func (o *operation) lockParameter(right bool) []program.Stmt {
	h := &program.Func{Name: o.fn.Name + "With", Results: o.fn.Results, Params: append(append([]program.Param(nil), o.fn.Params...), program.Param{Name: "lock", Type: program.Bool})}
	h.Name = lower(h.Name)
	h.Body = append([]program.Stmt{when(ref("lock"), take(o.lock(), false), deferred(o.lock(), false))}, o.whole()...)
	o.p.Funcs = append(o.p.Funcs, h)
	var args []program.Expr
	for _, p := range o.fn.Params {
		args = append(args, ref(p.Name))
	}
	call := func(lock bool) []program.Stmt {
		c := &program.Call{F: h, Args: append(append([]program.Expr(nil), args...), truth(lock))}
		return o.forward(c)
	}
	switch {
	case !right:
		return call(false)
	case o.chance(0.5):
		return call(true)
	}
	return held(o.lock(), false, call(false))
}

// forward calls a helper and returns what it returns.
func (o *operation) forward(c *program.Call) []program.Stmt {
	switch len(c.F.Results) {
	case 0:
		return []program.Stmt{&program.Do{Call: c}}
	case 1:
		return []program.Stmt{ret(c)}
	}
	return []program.Stmt{define(c, "r", "done"), ret(ref("r"), ref("done"))}
}

// delegate leaves all to a helper that locks, or to a …Locked one.
func delegate(o *operation) []program.Stmt {
	h := &program.Func{Name: lower(o.fn.Name) + "Locked", Results: o.fn.Results, Params: o.fn.Params, Body: o.whole()}
	o.p.Funcs = append(o.p.Funcs, h)
	var args []program.Expr
	for _, p := range o.fn.Params {
		args = append(args, ref(p.Name))
	}
	return held(o.lock(), false, o.forward(&program.Call{F: h, Args: args}))
}

// correlated locks, acts and unlocks under one condition, three times asked.
func correlated(o *operation) []program.Stmt {
	look, cond := o.recipe.look(o, "")
	if cond == nil || len(o.recipe.refuse(o, "")) != len(o.fn.Results) {
		return nil
	}
	for _, x := range append(o.recipe.refuse(o, ""), o.recipe.done(o, "")...) {
		if _, ok := x.(*program.Lit); !ok {
			return nil
		}
	}
	act := append(o.acting(""), o.keep(o.recipe.done(o, ""))...)
	body := []program.Stmt{
		define(bin(o.key, ">", num(1)), "mine"),
		when(ref("mine"), take(o.lock(), false)),
		when(ref("mine"), append(look, when(cond, act...))...),
		when(ref("mine"), release(o.lock(), false)),
	}
	return join(o.declare(), body, o.kept())
}

// retake calls a helper that releases the lock and takes it again.
func (o *operation) retake(again bool) []program.Stmt {
	look, cond := o.recipe.look(o, "")
	pause := []program.Stmt{&program.Do{Call: &program.Call{F: o.helper(helperPause, o.m, false)}}}
	n, body := "", join(look, o.refusing(cond, ""), pause)
	if again {
		n = "2"
		second, cond2 := o.recipe.look(o, n)
		body = join(body, second, o.refusing(cond2, n))
	}
	return o.under(o.lock(), false, join(body, o.acting(n), o.finish(n)))
}

// retakePath releases the lock and takes it again for some keys.
func retakePath(o *operation) []program.Stmt {
	look, cond := o.recipe.look(o, "")
	gap := when(bin(o.key, "==", num(1)), release(o.lock(), false), take(o.lock(), false))
	body := join(look, o.refusing(cond, ""))
	body = unlocking(o.lock(), false, body)
	tail := unlocking(o.lock(), false, append(o.acting(""), o.finish("")...))
	out := join([]program.Stmt{take(o.lock(), false)}, body, []program.Stmt{gap}, tail)
	if !ends(tail) {
		out = append(out, release(o.lock(), false))
	}
	return out
}

// somePaths takes the lock for some keys.
func somePaths(o *operation) []program.Stmt {
	return append([]program.Stmt{when(bin(o.key, ">", num(1)), take(o.lock(), false), deferred(o.lock(), false))}, o.whole()...)
}

// mark inserts an entry in the look's section, so that others find it, and
// fills it in a second one.
func mark(o *operation) []program.Stmt {
	if o.elem() != program.Int || o.recipe.name != "claim" {
		return nil
	}
	look, cond := o.recipe.look(o, "")
	first := join(look, o.refusing(cond, ""), []program.Stmt{&program.Set{Map: o.m, Key: o.key, X: num(0)}})
	return join(section(o.lock(), false, first), section(o.lock(), false, o.acting("")), o.finish(""))
}

// markElsewhere writes something in the look's section that is never looked at.
func markElsewhere(o *operation) []program.Stmt {
	if o.elem() == program.Item {
		return nil
	}
	look, cond := o.recipe.look(o, "")
	m := o.m
	if o.other != o.m && o.guard(o.other) == o.lock() && o.p.Maps[o.other].Elem == o.elem() {
		m = o.other
	}
	first := join(look, o.refusing(cond, ""), []program.Stmt{&program.Set{Map: m, Key: bin(o.key, "+", num(3)), X: zero(o.elem())}})
	return join(section(o.lock(), false, first), section(o.lock(), false, o.acting("")), o.finish(""))
}

// halfHelper looks by a helper that locks, and acts in a section of its own;
// or the other way round.
func halfHelper(o *operation) []program.Stmt {
	if o.chance(0.5) {
		o.via = locking
		look, cond := o.recipe.look(o, "")
		o.via = inline
		return join(look, o.refusing(cond, ""), section(o.lock(), false, o.acting("")), o.finish(""))
	}
	look, cond := o.recipe.look(o, "")
	o.via = locking
	return join(section(o.lock(), false, look), o.refusing(cond, ""), o.acting(""), o.finish(""))
}
