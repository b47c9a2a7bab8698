package transfer

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// An order is two variables that hold the same two values in the one order or the other, as locks are sorted before
// they are taken: "if a.id > b.id { a, b = b, a }".
type order struct{ as, are [2]accesspath.Path }

// findOrders looks for such variables: two phis of one block, two variables that closures capture, or the least and the
// greatest of two numbers. Complexity: linear in the function.
func (a *analysis) findOrders() {
	for _, b := range a.fn.Blocks {
		for i, instr := range b.Instrs {
			switch v := instr.(type) {
			case *ssa.Phi:
				if i+1 < len(b.Instrs) {
					a.orderOfPhis(v, b.Instrs[i+1:])
				}
			case *ssa.Store:
				a.orderOfVariables(v)
			case *ssa.Call:
				a.orderOfCalls(v)
			}
		}
	}
}

func (a *analysis) addOrder(as, are [2]ssa.Value) {
	o := order{}
	for i := range as {
		o.as[i], o.are[i] = a.Paths.Key(as[i]), a.Paths.Key(are[i])
	}
	if o.are[0] != o.are[1] && o.as[0].Depth() == 0 && o.as[1].Depth() == 0 {
		a.orders = append(a.orders, o)
	}
}

// maxOrdered bounds the phis of a block that are compared with one.
const maxOrdered = 8

func (a *analysis) orderOfPhis(v *ssa.Phi, next []ssa.Instruction) {
	for i, instr := range next {
		w, ok := instr.(*ssa.Phi)
		if !ok || i == maxOrdered {
			return
		}
		x, y, straight := v.Edges[0], w.Edges[0], 0
		turned := true
		for k := range v.Edges {
			switch {
			case v.Edges[k] == x && w.Edges[k] == y:
				straight++
			case v.Edges[k] != y || w.Edges[k] != x:
				turned = false
			}
		}
		if turned && x != y && straight < len(v.Edges) {
			a.addOrder([2]ssa.Value{v, w}, [2]ssa.Value{x, y})
			return
		}
	}
}

// orderOfVariables looks at the first store of a variable, whose only other one is the half of an exchange.
func (a *analysis) orderOfVariables(st *ssa.Store) {
	v, ok := st.Addr.(*ssa.Alloc)
	if !ok {
		return
	}
	x, with, ok := exchanged(v)
	if !ok || x != st.Val {
		return
	}
	y, back, ok := exchanged(with)
	if ok && back == v && a.Paths.Of(v).ID() < a.Paths.Of(with).ID() {
		a.addOrder([2]ssa.Value{v, with}, [2]ssa.Value{x, y})
	}
}

// exchanged returns what a variable holds at first, and the one whose value it gets instead; false if anything else is
// put into it.
func exchanged(v *ssa.Alloc) (first ssa.Value, with *ssa.Alloc, ok bool) {
	for _, s := range ssautil.AllStores(v, 2) {
		ld, isLoad := s.(*ssa.UnOp)
		if isLoad && ld.Op == token.MUL {
			if from, isVar := ld.X.(*ssa.Alloc); isVar && with == nil && swapsIn(ld, v, from) {
				with = from
				continue
			}
		}
		if first != nil {
			return nil, nil, false
		}
		first = s
	}
	return first, with, first != nil && with != nil
}

// swapsIn reports whether, in the block of a load, two variables exchange their values: both are read before either is set.
func swapsIn(ld *ssa.UnOp, v, from *ssa.Alloc) bool {
	read, set := 0, 0
	for _, instr := range ld.Block().Instrs {
		switch instr := instr.(type) {
		case *ssa.UnOp:
			if instr.Op == token.MUL && (instr.X == ssa.Value(v) || instr.X == ssa.Value(from)) && set == 0 {
				read++
			}
		case *ssa.Store:
			if instr.Addr == ssa.Value(v) || instr.Addr == ssa.Value(from) {
				set++
			}
		}
	}
	return read >= 2 && set == 2
}

// orderOfCalls looks for max(x, y) beside min(x, y).
func (a *analysis) orderOfCalls(least *ssa.Call) {
	x, y, ok := a.ofTwo(least, "min")
	if !ok {
		return
	}
	for call := range ssautil.Calls(a.fn) {
		greatest, isCall := call.(*ssa.Call)
		if !isCall {
			continue
		}
		v, w, ok := a.ofTwo(greatest, "max")
		if ok && (v == x && w == y || v == y && w == x) {
			a.addOrder([2]ssa.Value{least, greatest}, [2]ssa.Value{x, y})
			return
		}
	}
}

func (a *analysis) ofTwo(call *ssa.Call, name string) (x, y ssa.Value, ok bool) {
	b, builtin := call.Call.Value.(*ssa.Builtin)
	if !builtin || b.Name() != name || len(call.Call.Args) != 2 {
		return nil, nil, false
	}
	return call.Call.Args[0], call.Call.Args[1], true
}

// findPairs looks for the locks that the function takes or lets go by the names of such variables.
func (a *analysis) findPairs() {
	if len(a.orders) == 0 {
		return
	}
	known := make(map[accesspath.Path]bool)
	for _, b := range a.fn.Blocks {
		for _, instr := range b.Instrs {
			e := a.effects[instr]
			if e == nil {
				continue
			}
			for _, d := range e.does {
				for _, l := range d.Exit().Locks() {
					a.pairOf(l.Path, known)
				}
			}
		}
	}
}

func (a *analysis) pairOf(lock accesspath.Path, known map[accesspath.Path]bool) {
	for _, o := range a.orders {
		first := a.put(lock, o.as[1], o.as[0])
		second := a.put(lock, o.as[0], o.as[1])
		if first == second || known[first] {
			continue
		}
		known[first] = true
		p := locks.Pair{As: [2]accesspath.Path{first, second}, Same: a.equality(o.are[0], o.are[1])}
		p.Are = [2]accesspath.Path{a.put(first, o.as[0], o.are[0]), a.put(second, o.as[1], o.are[1])}
		if p.Are[0].Known() && p.Are[1].Known() {
			a.lockPairs = append(a.lockPairs, p)
		}
	}
}

// named returns s with the locks of two such variables by their own names where both are held.
func (a *analysis) named(s locks.State) locks.State {
	for _, p := range a.lockPairs {
		s = s.Named(p)
	}
	return s
}

// put returns p with one root replaced, in its keys, too.
func (a *analysis) put(p, from, to accesspath.Path) accesspath.Path {
	return a.Paths.Substitute(p, accesspath.Path{}, func(r accesspath.Root) (accesspath.Path, bool) {
		if r == from.Root() {
			return to, true
		}
		return a.Paths.Root(r), true
	})
}

// unordered names two objects that are compared by their own names where they are in two such variables: whether they
// are one does not depend on their order.
func (a *analysis) unordered(x, y accesspath.Path) (accesspath.Path, accesspath.Path) {
	for _, o := range a.orders {
		if x == o.as[0] && y == o.as[1] || x == o.as[1] && y == o.as[0] {
			return o.are[0], o.are[1]
		}
	}
	return x, y
}

// ordered reports whether two such variables are compared.
func (a *analysis) ordered(op *ssa.BinOp) bool {
	x, y := a.Paths.Of(op.X), a.Paths.Of(op.Y)
	first, _ := a.unordered(x, y)
	return first != x
}

// equality returns the condition that two objects are one, by whichever comparison it is asked; the zero condition where
// one of them may be another one by the next.
func (a *Env) equality(x, y accesspath.Path) locks.Cond {
	if !settledName(x) || !settledName(y) || x == y {
		return locks.Cond{}
	}
	if x.ID() > y.ID() {
		x, y = y, x
	}
	p := a.Paths.Apply(x, token.EQL, y)
	if !p.Known() {
		return locks.Cond{}
	}
	return locks.Cond{Val: p, Test: locks.True, Holds: true, Left: x, Right: y}
}

// settledName reports whether a path names a value, and not what a variable holds.
func settledName(p accesspath.Path) bool {
	switch p.Root().Val.(type) {
	case *ssa.Alloc, *ssa.FreeVar:
		return false
	}
	return p.Known()
}
