package generate

import "github.com/mapguard/mapguard/analyzer/internal/explore/program"

// ownerPlan draws how an operation asks the goroutine that owns the maps.
func (mk *maker) ownerPlan() *plan {
	if mk.sloppy > 0 {
		switch mk.r.IntN(3) {
		case 0:
			return &plan{name: "past the owner", kind: racy, body: func(o *operation) []program.Stmt { return o.whole() }}
		case 1:
			return &plan{name: "two requests", kind: apart, body: twoRequests}
		}
		return &plan{name: "two calls of the owner", kind: apart, body: func(o *operation) []program.Stmt { return o.closures(program.Owner) }}
	}
	if mk.chance(0.5) {
		return &plan{name: "request", body: request}
	}
	return &plan{name: "call of the owner", body: func(o *operation) []program.Stmt { return o.closure(program.Owner) }}
}

// request sends one request for the whole operation. Its answer is one int.
func request(o *operation) []program.Stmt {
	if len(o.fn.Results) > 1 || o.elem() != program.Int {
		return nil
	}
	body := o.whole()
	answerInts(body, o.fn.Results)
	if !ends(body) {
		body = append(body, ret(num(0)))
	}
	h := o.handler(lower(o.fn.Name), body)
	return o.answered(&program.Call{F: h, Args: o.arguments()})
}

func (o *operation) arguments() []program.Expr {
	out := []program.Expr{}
	for _, p := range o.fn.Params {
		out = append(out, ref(p.Name))
	}
	for len(out) < 2 {
		out = append(out, num(0))
	}
	return out
}

// answered returns what a request answers, as the operation's result.
func (o *operation) answered(c *program.Call) []program.Stmt {
	switch {
	case len(o.fn.Results) == 0:
		return []program.Stmt{&program.Do{Call: c}}
	case o.fn.Results[0] == program.Bool:
		return []program.Stmt{ret(bin(c, "==", num(1)))}
	}
	return []program.Stmt{ret(c)}
}

// answerInts makes all results ints.
func answerInts(body []program.Stmt, results []program.Type) {
	program.Each(body, func(s program.Stmt) {
		r, ok := s.(*program.Return)
		if !ok {
			return
		}
		if len(results) == 0 {
			r.Xs = []program.Expr{num(0)}
			return
		}
		if lit, ok := r.Xs[0].(*program.Lit); ok {
			r.Xs[0] = num(lit.V)
		}
	})
}

// twoRequests looks by one request and acts by another.
func twoRequests(o *operation) []program.Stmt {
	if o.elem() == program.Item {
		return nil
	}
	look, cond := o.recipe.look(o, "")
	if cond == nil || o.usesLook() {
		return nil
	}
	ask := o.handler(lower(o.fn.Name)+"May", join(look, []program.Stmt{when(cond, ret(num(1))), ret(num(0))}))
	act := o.handler(lower(o.fn.Name), append(o.acting(""), ret(num(0))))
	args := o.arguments()
	return join(o.refusing(bin(&program.Call{F: ask, Args: args}, "==", num(1)), ""),
		[]program.Stmt{&program.Do{Call: &program.Call{F: act, Args: args}}}, o.finish(""))
}

// usesLook reports whether the act or a result uses what the look saw, or a
// result what the act made.
func (o *operation) usesLook() bool {
	uses := false
	visit := func(x program.Expr) {
		if r, ok := x.(*program.Ref); ok {
			uses = uses || r.Name == "v" || r.Name == "n" || r.Name == "it"
		}
	}
	program.EachExpr([]program.Stmt{ret(o.recipe.done(o, "")...), ret(o.recipe.refuse(o, "")...)}, visit)
	if o.recipe.name != "getOrCreate" {
		program.EachExpr(o.acting(""), visit)
	}
	return uses
}

// ownPlain gives a plain operation to the owner.
func (mk *maker) ownPlain(o *operation, pl *plain) bool {
	if mk.sloppy > 0 && mk.chance(0.15) {
		mk.sloppy--
		mk.tag("plain past the owner")
		o.fn.Body = pl.body(o)
		return true
	}
	body := pl.body(o)
	if len(o.fn.Results) > 1 || o.elem() == program.Item || mk.chance(0.5) {
		inner := join(body)
		for i, s := range inner {
			if r, ok := s.(*program.Return); ok {
				inner = join(inner[:i], o.keep(r.Xs))
				break
			}
		}
		nested := false
		program.Each(inner, func(s program.Stmt) { _, ok := s.(*program.Return); nested = nested || ok })
		if nested {
			return false // it returns inside
		}
		o.fn.Body = join(o.declare(), []program.Stmt{&program.Within{Lock: program.Owner, Body: inner}}, o.kept())
		return true
	}
	if n := len(body); n > 0 && len(o.fn.Results) == 1 && o.fn.Results[0] == program.Bool {
		if r, ok := body[n-1].(*program.Return); ok {
			body = join(body[:n-1], []program.Stmt{when(r.Xs[0], ret(num(1))), ret(num(0))})
		}
	}
	if !ends(body) {
		body = append(body, ret(num(0)))
	}
	o.fn.Body = o.answered(&program.Call{F: mk.handler(lower(o.fn.Name), body), Args: o.arguments()})
	return true
}
