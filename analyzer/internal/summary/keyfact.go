package summary

import (
	"go/token"
	"go/types"
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
)

// A KeyFact is one part of a computed key, as that of a lock that is one of several by the hash of a name. A key is written with each
// function or operator behind what it is applied to.
type KeyFact struct {
	// Leaf is what is not computed; the others are zero then.
	Leaf PathFact
	// Op is an operator, or Func the full name of a function.
	Op   token.Token
	Func string
	// Two: it is applied to the two parts before, and not to one.
	Two bool
}

// maxKeyParts bounds the parts of a computed key in a fact.
const maxKeyParts = 8

// computed returns a key for other packages; nil if they cannot name it, or it has too many parts.
func (c *Codec) computed(k accesspath.Path) []KeyFact {
	if !k.IsComputed() {
		leaf := c.path(k)
		if leaf.Root == 0 || slices.ContainsFunc(leaf.Steps, func(s StepFact) bool { return s.Key != nil }) {
			return nil
		}
		return []KeyFact{{Leaf: leaf}}
	}
	out := c.computed(k.Parent())
	if out == nil {
		return nil
	}
	by := KeyFact{Two: k.Key().Known()}
	if by.Two {
		second := c.computed(k.Key())
		if second == nil {
			return nil
		}
		out = append(out, second...)
	}
	if len(out) >= maxKeyParts {
		return nil
	}
	switch op := k.Computed().(type) {
	case token.Token:
		by.Op = op
	case *types.Func:
		by.Func = op.FullName()
	case string:
		by.Func = op // it is from another package's fact itself
	default:
		return nil
	}
	return append(out, by)
}

// computed returns the key that a fact holds; unknown if there is none. A function that other packages need not know stands there
// by its name.
func (d *decoder) computed(parts []KeyFact) accesspath.Path {
	var stack []accesspath.Path
	pop := func() (p accesspath.Path) {
		if n := len(stack); n > 0 {
			p, stack = stack[n-1], stack[:n-1]
		}
		return p
	}
	for _, part := range parts {
		if part.Op == 0 && part.Func == "" {
			stack = append(stack, d.path(part.Leaf))
			continue
		}
		var second accesspath.Path
		if part.Two {
			if second = pop(); !second.Known() {
				return accesspath.Path{}
			}
		}
		first := pop()
		if !first.Known() {
			return accesspath.Path{}
		}
		if part.Func != "" {
			stack = append(stack, d.table.Apply(first, part.Func, second))
		} else {
			stack = append(stack, d.table.Apply(first, part.Op, second))
		}
	}
	return pop()
}
