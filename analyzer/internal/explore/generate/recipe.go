package generate

import "github.com/mapguard/mapguard/analyzer/internal/explore/program"

// An operation is one look, one decision, one act. It is written with a suffix
// for its variables, so that it can look twice.
type operation struct {
	*maker
	recipe *recipe
	m      int // the map
	other  int // the other map, or the same one
	key    program.Expr
	val    program.Expr
	max    int
	pick   int    // a choice among forms
	via    access // how it reaches the map
	fn     *program.Func
}

// An access is how a side of an operation reaches the map.
type access int

const (
	inline  access = iota
	bare           // through a helper that locks nothing
	locking        // through a helper that locks
)

// A recipe is what an operation does.
type recipe struct {
	name string
	// elems are the element types that it is for, nil for all.
	elems []program.Type
	// results, with item standing for the map's element type.
	results func(elem program.Type) []program.Type
	// look returns the look, and the condition under which to act; nil for
	// always.
	look func(o *operation, n string) ([]program.Stmt, program.Expr)
	act  func(o *operation, n string) []program.Stmt
	// refuse and done return the results.
	refuse, done func(o *operation, n string) []program.Expr
	// val: it takes a value.
	val bool
	// inserts: it puts entries into an empty map.
	inserts bool
	// lazy: it wants a map that is not made at first.
	lazy bool
}

func told(program.Type) []program.Type    { return []program.Type{program.Bool} }
func nothing(program.Type) []program.Type { return nil }
func elem(t program.Type) []program.Type  { return []program.Type{t} }
func both(t program.Type) []program.Type  { return []program.Type{t, program.Bool} }

func no(*operation, string) []program.Expr   { return []program.Expr{truth(false)} }
func yes(*operation, string) []program.Expr  { return []program.Expr{truth(true)} }
func none(*operation, string) []program.Expr { return nil }

// found looks the entry up and asks whether it is there.
func found(o *operation, n string) ([]program.Stmt, program.Expr) {
	return o.entry(o.m, "v"+n, "ok"+n), ref("ok" + n)
}

func missing(o *operation, n string) ([]program.Stmt, program.Expr) {
	look, cond := found(o, n)
	return look, not(cond)
}

func room(o *operation, n string) ([]program.Stmt, program.Expr) {
	return o.size(o.m, "n"+n), bin(ref("n"+n), "<", num(o.max))
}

func full(o *operation, n string) ([]program.Stmt, program.Expr) {
	look, cond := room(o, n)
	return look, not(cond)
}

// newRoom wants that the entry is missing, and that there is room.
func newRoom(o *operation, n string) ([]program.Stmt, program.Expr) {
	look := join(o.entry(o.m, "v"+n, "ok"+n), o.size(o.m, "n"+n))
	return look, bin(not(ref("ok"+n)), "&&", bin(ref("n"+n), "<", num(o.max)))
}

func value(o *operation, n string) ([]program.Stmt, program.Expr) {
	if o.via == inline && o.pick%2 == 0 {
		return []program.Stmt{define(&program.Index{Map: o.m, Key: o.key}, "v"+n)}, nil
	}
	return o.entry(o.m, "v"+n, "ok"+n), nil
}

func equal(o *operation, n string) ([]program.Stmt, program.Expr) {
	return o.entry(o.m, "v"+n, "ok"+n), bin(ref("ok"+n), "&&", bin(ref("v"+n), "==", o.val))
}

func unmade(o *operation, n string) ([]program.Stmt, program.Expr) {
	return []program.Stmt{define(&program.IsNil{Map: o.m}, "none"+n)}, ref("none" + n)
}

// light wants that the sum of all values is small.
func light(o *operation, n string) ([]program.Stmt, program.Expr) {
	return []program.Stmt{
		define(num(0), "sum"+n),
		&program.Range{Map: o.m, K: "i" + n, V: "x" + n, Body: []program.Stmt{assign("sum"+n, bin(ref("sum"+n), "+", ref("x"+n)))}},
	}, bin(ref("sum"+n), "<", num(o.max))
}

// counted takes one reference away before it looks.
func counted(o *operation, n string) ([]program.Stmt, program.Expr) {
	var look []program.Stmt
	if n == "" {
		look = append(look, &program.Add{Map: o.m, Key: o.key, X: num(-1)})
	}
	return append(look, define(&program.Index{Map: o.m, Key: o.key}, "v"+n)), not(bin(ref("v"+n), ">=", num(1)))
}

// elsewhere looks at the other map, or at another key.
func elsewhere(o *operation, n string) ([]program.Stmt, program.Expr) {
	if o.other != o.m {
		return o.entry(o.other, "v"+n, "ok"+n), ref("ok" + n)
	}
	return []program.Stmt{define(&program.Index{Map: o.m, Key: bin(o.key, "+", num(1))}, "v"+n, "ok"+n)}, not(ref("ok" + n))
}

func insert(o *operation, n string) []program.Stmt { return o.set(o.val) }

func inc(o *operation, n string) []program.Stmt { return o.set(bin(ref("v"+n), "+", num(1))) }

func remove(o *operation, n string) []program.Stmt { return o.remove() }

func empty(o *operation, n string) []program.Stmt {
	if o.pick%2 == 0 {
		return []program.Stmt{&program.Clear{Map: o.m}}
	}
	return []program.Stmt{&program.Make{Map: o.m}}
}

func move(o *operation, n string) []program.Stmt {
	return append(o.remove(), &program.Set{Map: o.m, Key: bin(o.key, "+", num(1)), X: ref("v" + n)})
}

// create makes an item.
func create(o *operation, n string) []program.Stmt {
	return append([]program.Stmt{define(&program.NewItem{N: num(1)}, "it"+n)}, o.set(ref("it"+n))...)
}

func pure(o *operation, n string) []program.Stmt { return o.set(bin(o.key, "+", num(o.max))) }

func makeMap(o *operation, n string) []program.Stmt { return []program.Stmt{&program.Make{Map: o.m}} }

// recipes are what operations do: those with a decision.
var recipes = []recipe{
	{name: "claim", inserts: true, elems: []program.Type{program.Int, program.Bool}, results: told, look: missing, act: insert, refuse: no, done: yes, val: true},
	{name: "claimPure", inserts: true, elems: []program.Type{program.Bool}, results: told, look: missing, refuse: no, done: yes,
		act: func(o *operation, n string) []program.Stmt { return o.set(truth(true)) }},
	{name: "getOrCreate", inserts: true, elems: []program.Type{program.Item}, results: elem, look: missing, act: create,
		refuse: func(o *operation, n string) []program.Expr { return []program.Expr{ref("v" + n)} },
		done:   func(o *operation, n string) []program.Expr { return []program.Expr{ref("it" + n)} }},
	{name: "memo", inserts: true, elems: []program.Type{program.Int}, results: elem, look: missing, act: pure,
		refuse: func(o *operation, n string) []program.Expr { return []program.Expr{ref("v" + n)} },
		done:   func(o *operation, n string) []program.Expr { return []program.Expr{bin(o.key, "+", num(o.max))} }},
	{name: "limit", inserts: true, results: told, look: room, act: insert, refuse: no, done: yes, val: true},
	{name: "limitNew", inserts: true, results: told, look: newRoom, act: insert, refuse: no, done: yes, val: true},
	{name: "take", results: both, look: found, act: remove,
		refuse: func(o *operation, n string) []program.Expr { return []program.Expr{zero(o.elem()), truth(false)} },
		done:   func(o *operation, n string) []program.Expr { return []program.Expr{ref("v" + n), truth(true)} }},
	{name: "removeTold", results: told, look: found, act: remove, refuse: no, done: yes},
	{name: "removeQuiet", results: nothing, look: found, act: remove, refuse: none, done: none},
	{name: "bump", inserts: true, elems: []program.Type{program.Int}, results: elem, look: value, act: inc, refuse: none,
		done: func(o *operation, n string) []program.Expr { return []program.Expr{bin(ref("v"+n), "+", num(1))} }},
	{name: "bumpQuiet", inserts: true, elems: []program.Type{program.Int}, results: nothing, look: value, act: inc, refuse: none, done: none},
	{name: "bumpIf", elems: []program.Type{program.Int}, results: told, look: found, act: inc, refuse: no, done: yes},
	{name: "replaceIf", results: told, look: found, act: insert, refuse: no, done: yes, val: true},
	{name: "move", results: told, look: found, act: move, refuse: no, done: yes},
	{name: "flush", results: told, look: full, act: empty, refuse: no, done: yes},
	{name: "cross", results: told, look: elsewhere, act: insert, refuse: no, done: yes, val: true},
	{name: "crossRemove", results: told, look: elsewhere, act: remove, refuse: no, done: yes},
	{name: "lazy", results: nothing, look: unmade, act: makeMap, refuse: none, done: none, lazy: true},
	{name: "budget", inserts: true, elems: []program.Type{program.Int}, results: told, look: light, act: insert, refuse: no, done: yes, val: true},
	{name: "release", elems: []program.Type{program.Int}, results: told, look: counted, act: remove, refuse: no, done: yes},
	{name: "compareDelete", elems: []program.Type{program.Int}, results: told, look: equal, act: remove, refuse: no, done: yes, val: true},
	{name: "swap", inserts: true, results: elem, look: value, act: insert, refuse: none, val: true,
		done: func(o *operation, n string) []program.Expr { return []program.Expr{ref("v" + n)} }},
}

func (o *operation) elem() program.Type { return o.p.Maps[o.m].Elem }

// entry looks an entry up, inline or by a helper.
func (o *operation) entry(m int, v, ok string) []program.Stmt {
	var x program.Expr = &program.Index{Map: m, Key: o.key}
	if o.via != inline {
		x = &program.Call{F: o.helper(helperGet, m, o.via == locking), Args: []program.Expr{o.key}}
	}
	return []program.Stmt{define(x, v, ok)}
}

func (o *operation) size(m int, n string) []program.Stmt {
	var x program.Expr = &program.Len{Map: m}
	if o.via != inline {
		x = &program.Call{F: o.helper(helperLen, m, o.via == locking)}
	}
	return []program.Stmt{define(x, n)}
}

func (o *operation) set(x program.Expr) []program.Stmt {
	if o.via != inline {
		return []program.Stmt{&program.Do{Call: &program.Call{F: o.helper(helperSet, o.m, o.via == locking), Args: []program.Expr{o.key, x}}}}
	}
	return []program.Stmt{&program.Set{Map: o.m, Key: o.key, X: x}}
}

func (o *operation) remove() []program.Stmt {
	if o.via != inline {
		return []program.Stmt{&program.Do{Call: &program.Call{F: o.helper(helperDelete, o.m, o.via == locking), Args: []program.Expr{o.key}}}}
	}
	return []program.Stmt{&program.Delete{Map: o.m, Key: o.key}}
}
