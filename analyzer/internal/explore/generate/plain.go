package generate

import "github.com/mapguard/mapguard/analyzer/internal/explore/program"

// A plain is an operation without a decision.
type plain struct {
	name    string
	elems   []program.Type
	results func(program.Type) []program.Type // as in a recipe
	body    func(o *operation) []program.Stmt
	// val: it takes a value. all: it takes no key. read: it changes nothing.
	val, all, read bool
}

var ints = []program.Type{program.Int}

func number(program.Type) []program.Type { return ints }

var plains = []plain{
	{name: "get", read: true, results: both, body: func(o *operation) []program.Stmt {
		return append(o.entry(o.m, "v", "ok"), ret(ref("v"), ref("ok")))
	}},
	{name: "has", read: true, results: told, body: func(o *operation) []program.Stmt {
		return append(o.entry(o.m, "v", "ok"), ret(ref("ok")))
	}},
	{name: "count", read: true, all: true, results: number, body: func(o *operation) []program.Stmt {
		return append(o.size(o.m, "n"), ret(ref("n")))
	}},
	{name: "total", read: true, all: true, elems: ints, results: number, body: func(o *operation) []program.Stmt {
		look, _ := light(o, "")
		return append(look, ret(ref("sum")))
	}},
	{name: "put", val: true, results: nothing, body: func(o *operation) []program.Stmt { return o.set(o.val) }},
	{name: "drop", results: nothing, body: func(o *operation) []program.Stmt { return o.remove() }},
	{name: "reset", all: true, results: nothing, body: func(o *operation) []program.Stmt { return empty(o, "") }},
	{name: "add", val: true, elems: ints, results: nothing, body: func(o *operation) []program.Stmt {
		return []program.Stmt{&program.Add{Map: o.m, Key: o.key, X: o.val}}
	}},
	{name: "prune", all: true, elems: ints, results: nothing, body: func(o *operation) []program.Stmt {
		return []program.Stmt{o.each(when(bin(ref("x"), ">", num(1)), &program.Delete{Map: o.m, Key: ref("i")}))}
	}},
	{name: "visit", read: true, all: true, results: nothing, body: func(o *operation) []program.Stmt {
		return []program.Stmt{o.each(&program.Emit{Key: ref("i")})}
	}},
	{name: "touch", elems: []program.Type{program.Item}, results: told, body: func(o *operation) []program.Stmt {
		look := append(o.entry(o.m, "v", "ok"), when(not(ref("ok")), ret(truth(false))))
		return append(look, &program.SetField{Item: ref("v"), X: num(1)}, ret(truth(true)))
	}},
}

// each goes through the map, with keys in i and values in x.
func (o *operation) each(body ...program.Stmt) program.Stmt {
	return &program.Range{Map: o.m, K: "i", V: "x", Body: body}
}
