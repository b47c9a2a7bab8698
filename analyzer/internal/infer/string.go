package infer

import (
	"fmt"
	"strings"

	"github.com/mapguard/mapguard/analyzer/internal/locks"
)

// Callers writes the context for people: the locks that callers hold, what they
// own, and when the function runs.
func (f *Func) Callers() string {
	c := &f.Ctx
	var out []string
	if len(c.Entry) > 0 {
		out = append(out, "entered under "+lockNames(c.Entry))
	}
	if len(c.Usual) > len(c.Entry) {
		out = append(out, fmt.Sprintf("usually under %s (%d of %d calls)", lockNames(c.Usual), c.HeldAt, c.Calls))
	}
	for _, v := range c.Maybe {
		out = append(out, "perhaps under "+v.Name())
	}
	for i := range c.Owned.All {
		if f.Own != nil && i < len(f.Own.Inputs) {
			out = append(out, fmt.Sprintf("owns input %d", i))
		}
	}
	for _, is := range []struct {
		so   bool
		name string
	}{{c.InitOnly, "runs during initialisation"}, {c.OnceOnly, "runs once"}, {c.Root, "called from anywhere"}, {c.Escaped, "escapes"}, {c.Stored, "stored"}} {
		if is.so {
			out = append(out, is.name)
		}
	}
	if len(out) == 0 {
		return "nothing is known"
	}
	return strings.Join(out, "; ")
}

func lockNames(held []locks.Held) string {
	out := make([]string, len(held))
	for i, h := range held {
		out[i] = fmt.Sprintf("%s (%s)", h.Lock, h.Mode)
	}
	return strings.Join(out, " and ")
}
