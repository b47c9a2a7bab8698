package machine

import "github.com/mapguard/mapguard/analyzer/internal/explore/program"

func (c *compiler) block(body []program.Stmt) {
	c.scopes = append(c.scopes, make(map[string]int16))
	c.statements(body)
	c.scopes = c.scopes[:len(c.scopes)-1]
}

func (c *compiler) statements(body []program.Stmt) {
	for _, s := range body {
		c.sites = append(c.sites, s)
		site := int16(len(c.sites) - 1)
		c.site = site
		c.statement(s)
		c.site = site
	}
}

func (c *compiler) statement(s program.Stmt) {
	switch s := s.(type) {
	case *program.Define:
		c.store(s.X, len(s.Names), func(i int) int16 { return c.bind(s.Names[i]) })
	case *program.Assign:
		c.store(s.X, len(s.Names), func(i int) int16 { return c.lookup(s.Names[i]) })
	case *program.Var:
		c.emit(instr{op: opConst, a: c.bind(s.Name)})
	case *program.Return:
		if c.cur.depth > 0 {
			c.fail("%s: return in a closure", c.cur.fn.Name)
		}
		if len(s.Xs) != len(c.cur.fn.Results) {
			c.fail("%s: wrong number of results", c.cur.fn.Name)
		}
		var args []int16
		for _, x := range s.Xs {
			args = append(args, c.expr(x))
		}
		c.emit(instr{op: opReturn, args: args})
	case *program.Do:
		c.call(s.Call, 1)
	case *program.Emit:
		c.emit(instr{op: opEmit, a: c.expr(s.Key)})
	case *program.If:
		c.branch(s)
	case *program.Range:
		c.rangeOver(s)
	case *program.Loop:
		c.loop(s)
	default:
		c.shared(s)
	}
}

// shared compiles the statements that act on what goroutines share.
func (c *compiler) shared(s program.Stmt) {
	switch s := s.(type) {
	case *program.Set:
		key := c.expr(s.Key)
		c.emit(instr{op: opSet, m: int16(s.Map), a: key, b: c.expr(s.X)})
	case *program.Add:
		key, old, sum := c.expr(s.Key), c.reg(), c.reg()
		c.emit(instr{op: opLookup, m: int16(s.Map), a: old, b: c.reg(), c: key})
		c.emit(instr{op: opBin, a: sum, b: old, c: c.expr(s.X), kind: operators["+"]})
		c.emit(instr{op: opSet, m: int16(s.Map), a: key, b: sum})
	case *program.Delete:
		c.emit(instr{op: opDelete, m: int16(s.Map), a: c.expr(s.Key)})
	case *program.Clear:
		c.emit(instr{op: opClear, m: int16(s.Map)})
	case *program.Make:
		c.emit(instr{op: opMake, m: int16(s.Map)})
	case *program.SetField:
		item := c.expr(s.Item)
		c.emit(instr{op: opAddItem, a: item, b: c.expr(s.X)})
	case *program.LockOp:
		c.lockOp(s)
	case *program.Within:
		c.within(s)
	case *program.Go:
		var args []int16
		for _, x := range s.Call.Args {
			args = append(args, c.expr(x))
		}
		c.emit(instr{op: opGo, fn: c.index[s.Call.F], args: args, obj: int8(s.Call.Obj), kind: int8(s.Join)})
	case *program.Wait:
		c.emit(instr{op: opWait, m: int16(s.N), kind: int8(s.Join)})
	case *program.Unit:
		c.emit(instr{op: opBegin})
		c.statements(s.Body)
		c.emit(instr{op: opEnd})
	default:
		c.fail("no way to compile %T", s)
	}
}

// store compiles the right side of an assignment and moves its values.
func (c *compiler) store(x program.Expr, n int, dst func(int) int16) {
	var vals []int16
	switch x := x.(type) {
	case *program.Index:
		vals = []int16{c.reg(), c.reg()}
		c.emit(instr{op: opLookup, a: vals[0], b: vals[1], c: c.expr(x.Key), m: int16(x.Map)})
	case *program.Call:
		if len(x.F.Results) == 0 {
			c.fail("%s has no result", x.F.Name)
		}
		vals = c.call(x, n)
	default:
		vals = []int16{c.expr(x)}
	}
	if n > len(vals) {
		c.fail("%s: too many variables", c.cur.fn.Name)
		return
	}
	for i := range n {
		c.emit(instr{op: opMove, a: dst(i), b: vals[i]})
	}
}

func (c *compiler) lockOp(s *program.LockOp) {
	c.declaredLock(s.Lock)
	op := opLock
	if s.Kind == program.Release || s.Kind == program.ReleaseRead {
		op = opUnlock
		if s.Deferred {
			op = opDefer
		}
	}
	c.emit(instr{op: op, m: int16(s.Lock), kind: int8(s.Kind)})
}

func (c *compiler) declaredLock(lock int) {
	if lock >= len(c.p.Locks) {
		c.fail("no lock %d", lock)
	}
}

func (c *compiler) within(s *program.Within) {
	lock, take, release := int16(s.Lock), program.Acquire, program.Release
	if s.Lock == program.Owner {
		lock = c.owner()
	} else {
		c.declaredLock(s.Lock)
	}
	if s.Read {
		take, release = program.AcquireRead, program.ReleaseRead
	}
	c.emit(instr{op: opLock, m: lock, kind: int8(take)})
	c.cur.depth++
	c.block(s.Body)
	c.cur.depth--
	c.emit(instr{op: opUnlock, m: lock, kind: int8(release)})
}

// branch compiles an if statement. What its branches hold depends on the
// condition, and so do the variables that they assign; where a branch can
// return, all the rest of the function does.
func (c *compiler) branch(s *program.If) {
	c.scopes = append(c.scopes, make(map[string]int16))
	if s.Init != nil {
		c.statement(s.Init)
	}
	cond := c.expr(s.Cond)
	leave := c.depend(cond, s.Then, s.Else)
	skip := c.emit(instr{op: opBranch, a: cond})
	c.block(s.Then)
	end := c.emit(instr{op: opJump})
	c.here(skip)
	c.block(s.Else)
	c.here(end)
	leave()
	c.scopes = c.scopes[:len(c.scopes)-1]
}

// depend begins a part that depends on cond; the result ends it.
func (c *compiler) depend(cond int16, blocks ...[]program.Stmt) func() {
	returns, assigned := effects(blocks)
	if returns {
		c.emit(instr{op: opRest, a: cond})
	} else {
		c.emit(instr{op: opPush, a: cond})
	}
	return func() {
		if !returns {
			c.emit(instr{op: opPop})
		}
		for _, name := range assigned {
			if r, ok := c.visible(name); ok {
				c.emit(instr{op: opDepend, a: r, b: cond})
			}
		}
	}
}

// visible finds a variable that a branch assigned, unless it is the branch's
// own.
func (c *compiler) visible(name string) (int16, bool) {
	for i := len(c.scopes) - 1; i >= 0; i-- {
		if r, ok := c.scopes[i][name]; ok {
			return r, true
		}
	}
	return 0, false
}

// effects reports whether blocks can return, and which variables they assign.
func effects(blocks [][]program.Stmt) (returns bool, assigned []string) {
	for _, b := range blocks {
		program.Each(b, func(s program.Stmt) {
			switch s := s.(type) {
			case *program.Return:
				returns = true
			case *program.Assign:
				assigned = append(assigned, s.Names...)
			}
		})
	}
	return returns, assigned
}

// rangeOver goes through a map in the order of its keys. What the order decides
// is not for generated programs.
func (c *compiler) rangeOver(s *program.Range) {
	c.scopes = append(c.scopes, make(map[string]int16))
	pos, k, v, more := c.constant(0), c.bind(s.K), c.bind(s.V), c.reg()
	top := c.emit(instr{op: opNext, m: int16(s.Map), a: k, b: v, c: more, dsts: []int16{pos}})
	leave := c.depend(more, s.Body)
	exit := c.emit(instr{op: opBranch, a: more})
	c.block(s.Body)
	if c.cur.instrs[top+1].op == opPush {
		c.emit(instr{op: opPop})
	}
	c.emit(instr{op: opJump, target: top})
	c.here(exit)
	leave()
	c.scopes = c.scopes[:len(c.scopes)-1]
}

// loop unrolls a loop.
func (c *compiler) loop(s *program.Loop) {
	for i := range s.N {
		c.scopes = append(c.scopes, map[string]int16{s.Var: c.constant(i)})
		c.block(s.Body)
		c.scopes = c.scopes[:len(c.scopes)-1]
	}
}
