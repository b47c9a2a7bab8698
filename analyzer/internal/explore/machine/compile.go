package machine

import (
	"fmt"

	"github.com/mapguard/mapguard/analyzer/internal/explore/program"
)

type opcode uint8

const (
	opConst   opcode = iota // a = value m
	opMove                  // a = b
	opBin                   // a = b kind c
	opNot                   // a = !b
	opJump                  // to target
	opBranch                // to target unless a
	opPush                  // what follows depends on a …
	opPop                   // … up to here
	opRest                  // all the rest of the function depends on a
	opDepend                // a depends on b too, for it was assigned in a branch
	opNew                   // a = new item with b
	opUnlock                // release m, kind
	opDefer                 // release m, kind at the end
	opCall                  // dsts = fn(args)
	opReturn                // args
	opGo                    // fn(args)
	opEmit                  // key a
	opBegin                 // of a unit
	opEnd                   // of a unit
	opVisible               // from here on, others can notice it
	opLookup                // a, b = map m[c]
	opLen                   // a = len(map m)
	opIsNil                 // a = map m == nil
	opNext                  // a, b, and c whether there is one = next of map m after dsts[0]
	opSet                   // map m[a] = b
	opDelete                // delete(map m, a)
	opClear                 // clear(map m)
	opMake                  // map m = make(…)
	opGet                   // a = b.n
	opAddItem               // a.n += b
	opLock                  // take m, kind
	opWait                  // m times, kind
)

// An instr is one instruction.
type instr struct {
	op         opcode
	a, b, c    int16
	m          int16
	kind       int8
	target     int
	fn         int
	obj        int8 // the object of a call, or -1 for the caller's own
	args, dsts []int16
	site       int16
}

// A code is one compiled function.
type code struct {
	fn     *program.Func
	instrs []instr
	regs   int
	depth  int // of closures, while it is compiled
}

// operators number the binary operators for opBin.
var operators = map[string]int8{"+": 0, "==": 1, "!=": 2, "<": 3, ">": 4, ">=": 5, "&&": 6, "||": 7}

// A compiler compiles the functions of one program.
type compiler struct {
	p     *program.Program
	index map[*program.Func]int
	codes []*code
	sites []program.Stmt

	cur    *code
	site   int16
	scopes []map[string]int16
	err    error
}

func compile(p *program.Program) (*compiler, error) {
	c := &compiler{p: p, index: make(map[*program.Func]int)}
	for _, f := range p.Funcs {
		c.declare(f)
	}
	if p.Main != nil {
		c.declare(p.Main)
		program.Each(p.Main.Body, func(s program.Stmt) {
			if g, ok := s.(*program.Go); ok && g.Call.F.Literal {
				c.declare(g.Call.F)
			}
		})
	}
	for _, code := range c.codes {
		c.function(code)
	}
	return c, c.err
}

func (c *compiler) declare(f *program.Func) {
	c.index[f] = len(c.codes)
	c.codes = append(c.codes, &code{fn: f})
}

func (c *compiler) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf(format, args...)
	}
}

func (c *compiler) function(code *code) {
	c.cur, c.scopes = code, []map[string]int16{{}}
	for _, p := range code.fn.Params {
		c.scopes[0][p.Name] = c.reg()
	}
	c.block(code.fn.Body)
	if n := len(code.fn.Results); n > 0 && !terminates(code.fn.Body) {
		c.fail("%s ends without a return", code.fn.Name)
	}
	c.emit(instr{op: opReturn})
}

// terminates reports whether a list of statements ends in a return, as the
// language wants it of functions with results.
func terminates(body []program.Stmt) bool {
	if len(body) == 0 {
		return false
	}
	switch s := body[len(body)-1].(type) {
	case *program.Return:
		return true
	case *program.If:
		return terminates(s.Then) && terminates(s.Else)
	}
	return false
}

func (c *compiler) reg() int16 {
	c.cur.regs++
	return int16(c.cur.regs - 1)
}

func (c *compiler) emit(in instr) int {
	if in.op > opVisible && in.op <= opMake && int(in.m) >= len(c.p.Maps) {
		c.fail("no map %d", in.m)
	}
	in.site = c.site
	c.cur.instrs = append(c.cur.instrs, in)
	return len(c.cur.instrs) - 1
}

// here makes the jump at that index lead to the next instruction.
func (c *compiler) here(at int) { c.cur.instrs[at].target = len(c.cur.instrs) }

func (c *compiler) lookup(name string) int16 {
	for i := len(c.scopes) - 1; i >= 0; i-- {
		if r, ok := c.scopes[i][name]; ok {
			return r
		}
	}
	c.fail("%s: undefined: %s", c.cur.fn.Name, name)
	return 0
}

func (c *compiler) bind(name string) int16 {
	r := c.reg()
	c.scopes[len(c.scopes)-1][name] = r
	return r
}

func (c *compiler) expr(x program.Expr) int16 {
	switch x := x.(type) {
	case *program.Lit:
		return c.constant(x.V)
	case *program.Ref:
		return c.lookup(x.Name)
	case *program.Bin:
		return c.binary(x)
	case *program.Call:
		return c.call(x, 1)[0]
	}
	dst := c.reg()
	switch x := x.(type) {
	case *program.Not:
		c.emit(instr{op: opNot, a: dst, b: c.expr(x.X)})
	case *program.Index:
		c.emit(instr{op: opLookup, a: dst, b: c.reg(), c: c.expr(x.Key), m: int16(x.Map)})
	case *program.Len:
		c.emit(instr{op: opLen, a: dst, m: int16(x.Map)})
	case *program.IsNil:
		c.emit(instr{op: opIsNil, a: dst, m: int16(x.Map)})
	case *program.NewItem:
		c.emit(instr{op: opNew, a: dst, b: c.expr(x.N)})
	case *program.Field:
		c.emit(instr{op: opGet, a: dst, b: c.expr(x.X)})
	default:
		c.fail("no way to compile %T", x)
	}
	return dst
}

func (c *compiler) constant(v int) int16 {
	r := c.reg()
	c.emit(instr{op: opConst, a: r, m: int16(v)})
	return r
}

// binary compiles an operation; && and || leave out their right side.
func (c *compiler) binary(x *program.Bin) int16 {
	dst := c.reg()
	left := c.expr(x.X)
	if x.Op != "&&" && x.Op != "||" {
		c.emit(instr{op: opBin, a: dst, b: left, c: c.expr(x.Y), kind: operators[x.Op]})
		return dst
	}
	c.emit(instr{op: opMove, a: dst, b: left})
	test := left
	if x.Op == "||" {
		test = c.reg()
		c.emit(instr{op: opNot, a: test, b: left})
	}
	skip := c.emit(instr{op: opBranch, a: test})
	right := c.expr(x.Y)
	c.emit(instr{op: opBin, a: dst, b: left, c: right, kind: operators[x.Op]})
	c.here(skip)
	return dst
}

// call compiles a call for so many results; there is at least one register.
func (c *compiler) call(x *program.Call, results int) []int16 {
	var args []int16
	for _, a := range x.Args {
		args = append(args, c.expr(a))
	}
	if len(args) != len(x.F.Params) || results > 1 && results != len(x.F.Results) {
		c.fail("%s is not called as it is declared", x.F.Name)
	}
	dsts := make([]int16, max(results, 1))
	for i := range dsts {
		dsts[i] = c.reg()
	}
	obj := int8(-1)
	if c.p.Main != nil && (c.cur.fn == c.p.Main || c.cur.fn.Literal) {
		obj = int8(x.Obj)
	}
	if x.F.Handler {
		c.emit(instr{op: opLock, m: c.owner(), kind: int8(program.Acquire)})
	}
	fn, ok := c.index[x.F]
	if !ok {
		c.fail("%s is not declared", x.F.Name)
	}
	c.emit(instr{op: opCall, fn: fn, args: args, dsts: dsts, obj: obj})
	if x.F.Handler {
		c.emit(instr{op: opUnlock, m: c.owner(), kind: int8(program.Release)})
	}
	return dsts
}

// owner is the number of the lock that stands for the owner.
func (c *compiler) owner() int16 { return int16(len(c.p.Locks)) }
