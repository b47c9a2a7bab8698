package summary

import (
	"fmt"
	"strings"

	"github.com/mapguard/mapguard/analyzer/internal/access"
)

var kindNames = [...]string{"calls", "defers", "starts", "calls once", "lets go of"}

func (k CallKind) String() string { return kindNames[k] }

// String writes the summary for people, line by line: what the function does to
// maps, locks and owners, what its results tell, and what it calls.
func (f *Func) String() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("%s", f.Name)
	for i := range f.Accesses {
		line("  %d: %s", i, &f.Accesses[i])
	}
	for _, p := range f.Pairs {
		line("  %d decides on %d: %s", p.Check, p.Act, p.Dependence)
	}
	if !f.Effect.None() {
		line("  %s", f.Effect)
	}
	if f.Own != nil && f.Own.String() != "" {
		line("  %s", f.Own)
	}
	for i, r := range f.Results {
		if r.Path.Known() {
			line("  result %d is %s", i, r.Path)
		}
		if len(r.Checks) > 0 {
			line("  result %d tells of %v", i, r.Checks)
		}
	}
	for i := range f.Calls {
		line("  %s", &f.Calls[i])
	}
	for i := range f.Runs {
		r := &f.Runs[i]
		line("  %s: %s%s", r.Func, r.Fate, access.Under(r.Held))
	}
	for _, c := range f.Cuts {
		line("  cut short: %s", c)
	}
	return b.String()
}

// String writes the call for people.
func (c *Call) String() string {
	args := make([]string, len(c.Args))
	for i, p := range c.Args {
		args[i] = p.String()
	}
	return fmt.Sprintf("%s %s(%s)%s", c.Kind, keyName(c.Callee), strings.Join(args, ", "), access.Under(c.Held))
}

func keyName(key any) string {
	if fn, ok := key.(interface{ Name() string }); ok {
		return fn.Name()
	}
	return fmt.Sprint(key)
}
