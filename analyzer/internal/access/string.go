package access

import (
	"fmt"
	"strings"

	"github.com/mapguard/mapguard/analyzer/internal/locks"
)

var opNames = [...]string{
	Lookup: "lookup", Len: "len", Range: "range", NilTest: "nil test", Return: "return", Leak: "leak", Insert: "insert",
	Delete: "delete", Clear: "clear", Assign: "assign", Load: "load", Store: "store", Remove: "remove", Visit: "visit",
	Grow: "grow", Atomic: "atomic",
}

func (o Op) String() string {
	if int(o) < len(opNames) && opNames[o] != "" {
		return opNames[o]
	}
	return "none"
}

// Under writes the locks that a state holds, perhaps on some paths only; nothing
// if there are none.
func Under(s locks.State) string {
	var held []string
	for _, h := range s.Held() {
		held = append(held, h.Lock.String()+" ("+h.Mode.String()+")")
	}
	for _, l := range s.Perhaps() {
		held = append(held, "perhaps "+l.String())
	}
	if len(held) == 0 {
		return ""
	}
	return " under " + strings.Join(held, " and ")
}

// String writes the access for people: what is done to which map and entry, under
// which locks, and what else is known of it.
func (a *Access) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s", a.Op, a.Path)
	if a.Key.Known() {
		fmt.Fprintf(&b, "[%s]", a.Key)
	}
	b.WriteString(Under(a.Held))
	if a.InnerFunc != "" {
		b.WriteString(", in " + a.InnerFunc)
	}
	for _, is := range []struct {
		so   bool
		name string
	}{
		{a.Fresh, "fresh"}, {a.Once, "once"}, {a.Spawned, "in a goroutine"}, {a.Joined, "after a wait"},
		{a.Validated, "validated"}, {a.Filled, "filled"}, {a.When.Param > 0, "on a condition"},
	} {
		if is.so {
			b.WriteString(", " + is.name)
		}
	}
	return b.String()
}
