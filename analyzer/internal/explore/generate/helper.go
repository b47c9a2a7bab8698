package generate

import (
	"fmt"

	"github.com/mapguard/mapguard/analyzer/internal/explore/program"
)

type helperKind int

const (
	helperGet helperKind = iota
	helperLen
	helperSet
	helperDelete
	helperPause
)

// helper returns an unexported method that does one thing with a map, under
// its lock or, named …Locked, for callers that hold it.
func (mk *maker) helper(kind helperKind, m int, locks bool) *program.Func {
	name := [...]string{"lookup", "size", "store", "drop", "pause"}[kind]
	if m > 0 {
		name += "Other"
	}
	if !locks && kind != helperPause {
		name += "Locked"
	}
	for _, f := range mk.p.Funcs {
		if f.Name == name {
			return f
		}
	}
	f := &program.Func{Name: name}
	mk.write(f, kind, m, locks)
	mk.p.Funcs = append(mk.p.Funcs, f)
	return f
}

// write gives a helper its parameters, results and body.
func (mk *maker) write(f *program.Func, kind helperKind, m int, locks bool) {
	lock, elem := mk.guard(m), mk.p.Maps[m].Elem
	k := program.Param{Name: "k", Type: program.Int}
	read := false
	switch kind {
	case helperGet:
		f.Params, f.Results, read = []program.Param{k}, []program.Type{elem, program.Bool}, true
		f.Body = []program.Stmt{define(&program.Index{Map: m, Key: ref("k")}, "v", "ok"), ret(ref("v"), ref("ok"))}
	case helperLen:
		f.Results, read = ints, true
		f.Body = []program.Stmt{define(&program.Len{Map: m}, "n"), ret(ref("n"))}
	case helperSet:
		f.Params = []program.Param{k, {Name: "v", Type: elem}}
		f.Body = []program.Stmt{&program.Set{Map: m, Key: ref("k"), X: ref("v")}}
	case helperDelete:
		f.Params = []program.Param{k}
		f.Body = []program.Stmt{&program.Delete{Map: m, Key: ref("k")}}
	case helperPause:
		f.Body = []program.Stmt{release(lock, false), take(lock, false)}
		return
	}
	if locks {
		f.Body = mk.under(lock, read && mk.p.Locks[lock].RW, f.Body)
	}
}

// under puts a whole function's body under a lock, in one of two ways.
func (mk *maker) under(lock int, read bool, body []program.Stmt) []program.Stmt {
	if mk.chance(0.5) {
		return held(lock, read, body)
	}
	return section(lock, read, body)
}

// handler returns a method that the owner runs for requests. All of them have
// one int for a result, and an int key and value.
func (mk *maker) handler(name string, body []program.Stmt) *program.Func {
	f := &program.Func{
		Name: fmt.Sprintf("%sNow", name), Handler: true,
		Params: []program.Param{{Name: "k", Type: program.Int}, {Name: "val", Type: program.Int}}, Results: []program.Type{program.Int}, Body: body,
	}
	mk.p.Funcs = append(mk.p.Funcs, f)
	return f
}
