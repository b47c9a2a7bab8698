package machine

import (
	"fmt"
	"strings"

	"github.com/mapguard/mapguard/analyzer/internal/explore/program"
)

// What operations return is logged as numbers: ints as they are, bools and
// items from bases of their own.
const (
	endOfOp  int16 = -1000
	boolBase int16 = 1000
	itemBase int16 = 2000
)

func logged(t program.Type, v int16) int16 {
	switch t {
	case program.Bool:
		return boolBase + v
	case program.Item:
		return itemBase + v
	}
	return v
}

// An outcome is written as text, so that a program that is run as Go can write
// the same: what each goroutine's operations returned, what the maps hold,
// what the items in both hold, how often the user was called back. Items are
// numbered in the order in which the text first names them.
type outcome struct {
	b     strings.Builder
	items []int16
}

// Outcome returns the outcome of a finished execution.
func (w *world) outcome(s *state) string {
	if s.panics {
		return "panic"
	}
	var o outcome
	for t := range s.threads {
		o.b.WriteString("T")
		for _, v := range s.threads[t].log {
			o.result(v)
		}
		o.b.WriteString("; ")
	}
	for m := range s.made {
		elem := w.p.Maps[m%len(w.p.Maps)].Elem
		fmt.Fprintf(&o.b, "%s", w.p.Maps[m%len(w.p.Maps)].Name)
		for k, v := range s.entries(m) {
			if v != absent {
				fmt.Fprintf(&o.b, " %d:", k)
				o.result(logged(elem, v))
			}
		}
		o.b.WriteString("; ")
	}
	for i := 0; i < len(o.items); i++ {
		fmt.Fprintf(&o.b, "#%d=%d ", i, s.items[o.items[i]-1])
	}
	for k, n := range s.emitted {
		if n > 0 {
			fmt.Fprintf(&o.b, "e%d*%d ", k, n)
		}
	}
	return o.b.String()
}

func (o *outcome) result(v int16) {
	switch {
	case v == endOfOp:
		o.b.WriteString(" |")
	case v == itemBase:
		o.b.WriteString(" nil")
	case v > itemBase:
		fmt.Fprintf(&o.b, " #%d", o.number(v-itemBase))
	case v >= boolBase:
		fmt.Fprintf(&o.b, " %t", v > boolBase)
	default:
		fmt.Fprintf(&o.b, " %d", v)
	}
}

func (o *outcome) number(item int16) int {
	for i, x := range o.items {
		if x == item {
			return i
		}
	}
	o.items = append(o.items, item)
	return len(o.items) - 1
}
