package model

import (
	"go/types"
	"strings"
)

// Contents returns the named types of values that code which goes through a value by
// reflection finds in it, as encoders and printers do: what it points to, its elements, and
// its exported and embedded fields. The value's own type, or the one that it points to, is
// not among them. What an interface holds is not known by its type. Types of packages that
// inside does not accept are not entered. Complexity: linear in the types that are entered.
func Contents(t types.Type, inside func(*types.Package) bool) []*types.Named {
	c := &contents{inside: inside, seen: make(map[*types.Named]bool)}
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if own, ok := t.(*types.Named); ok {
		c.seen[own] = true
		c.arguments(own)
		if !inside(own.Obj().Pkg()) {
			return c.out
		}
		t = own.Underlying()
	}
	c.enter(t)
	return c.out
}

type contents struct {
	inside func(*types.Package) bool
	seen   map[*types.Named]bool
	out    []*types.Named
}

// enter follows a type. Only named types lead back to themselves, and these are followed once.
func (c *contents) enter(t types.Type) {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		c.named(t)
	case *types.Map:
		c.enter(t.Key())
		c.enter(t.Elem())
	case *types.Chan:
	case interface{ Elem() types.Type }:
		c.enter(t.Elem())
	case *types.Struct:
		for v := range t.Fields() {
			if v.Exported() || v.Embedded() {
				c.enter(v.Type())
			}
		}
	}
}

func (c *contents) named(t *types.Named) {
	if c.seen[t] || types.IsInterface(t) {
		return
	}
	c.seen[t] = true
	c.arguments(t)
	if c.inside(t.Obj().Pkg()) {
		c.out = append(c.out, t)
		c.enter(t.Underlying())
	}
}

// arguments follows what a generic type is made of: it may hold that.
func (c *contents) arguments(t *types.Named) {
	for arg := range t.TypeArgs().Types() {
		c.enter(arg)
	}
}

// Walked reports whether code that goes through a value by reflection calls such a method of
// what it finds: to print, encode or check it. It is told as [Sought] tells.
func Walked(method *types.Func) bool {
	name := method.Name()
	switch name {
	case "String", "GoString", "Error", "Format", "LogValue", "Value", "IsZero", "Validate", "SetDefaults":
		return Sought(method)
	}
	encodes := strings.HasPrefix(name, "Marshal") || strings.HasPrefix(name, "Unmarshal") || strings.HasPrefix(name, "Append") || strings.HasPrefix(name, "Gob")
	return encodes && Sought(method)
}
