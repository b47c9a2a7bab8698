package explore_test

import (
	"fmt"
	"strings"

	"github.com/mapguard/mapguard/analyzer/internal/explore/machine"
	"github.com/mapguard/mapguard/analyzer/internal/explore/program"
)

// harness writes the file that runs a program as Go, beside its own: a
// function Try that runs one execution of each scenario and hands each outcome
// to a function, as machine writes it.
func harness(c *testCase, pkg string, scenarios []*machine.Scenario) string {
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nimport (\n\t\"fmt\"\n\t\"sync\"\n)\n", pkg)
	b.WriteString(recorder)
	b.WriteString("\n// Try runs each scenario once.\nfunc Try(gosched func(), report func(scenario int, outcome string)) {\n")
	for i, sc := range scenarios {
		writeScenario(&b, c.prog, i, sc)
	}
	b.WriteString("}\n")
	return b.String()
}

// recorder writes outcomes. Goroutines return pointers and plain values.
const recorder = `
type recorder struct {
	text  string
	items []any
	read  []func() int
}

func (o *recorder) add(v any, field func() int) {
	if field == nil {
		o.text += fmt.Sprintf(" %v", v)
		return
	}
	for i, x := range o.items {
		if x == v {
			o.text += fmt.Sprintf(" #%d", i)
			return
		}
	}
	o.items, o.read = append(o.items, v), append(o.read, field)
	o.text += fmt.Sprintf(" #%d", len(o.items)-1)
}

func (o *recorder) end() string {
	for i, f := range o.read {
		o.text += fmt.Sprintf("#%d=%d ", i, f())
	}
	return o.text
}
`

// writeScenario writes a block that runs a scenario.
func writeScenario(b *strings.Builder, p *program.Program, n int, sc *machine.Scenario) {
	fmt.Fprintf(b, "\t{\n\t\tvar mu sync.Mutex\n\t\temitted := make(map[int]int)\n")
	fmt.Fprintf(b, "\t\tcount := func(k int) { mu.Lock(); emitted[k]++; mu.Unlock() }\n\t\t_ = count\n")
	notify := ""
	if p.Emits() {
		notify = "count"
	}
	fmt.Fprintf(b, "\t\ts := New(%s)\n", notify)
	for _, call := range sc.Before {
		fmt.Fprintf(b, "\t\ts.%s\n", call)
	}
	fmt.Fprintf(b, "\t\tmu.Lock(); clear(emitted); mu.Unlock()\n\t\tvar o recorder\n\t\tvar wg sync.WaitGroup\n")
	var records []string
	for t, calls := range sc.Threads {
		fmt.Fprintf(b, "\t\tvar t%d struct { %s }\n\t\t_ = t%d\n\t\twg.Go(func() {\n", t, variables(calls), t)
		records = append(records, `o.text += "T"`)
		for i, call := range calls {
			fmt.Fprintf(b, "\t\t\tgosched()\n\t\t\t%ss.%s\n", assigned(t, i, call), call)
			for j, typ := range call.F.Results {
				records = append(records, record(fmt.Sprintf("t%d.r%d_%d", t, i, j), typ))
			}
			records = append(records, `o.text += " |"`)
		}
		fmt.Fprintf(b, "\t\t})\n")
		records = append(records, `o.text += "; "`)
	}
	fmt.Fprintf(b, "\t\twg.Wait()\n")
	for _, r := range records {
		fmt.Fprintf(b, "\t\t%s\n", r)
	}
	writeMaps(b, p)
	fmt.Fprintf(b, "\t\ttext := o.end()\n\t\tfor k := range 10 {\n\t\t\tif n := emitted[k]; n > 0 {\n\t\t\t\ttext += fmt.Sprintf(\"e%%d*%%d \", k, n)\n\t\t\t}\n\t\t}\n")
	fmt.Fprintf(b, "\t\treport(%d, text)\n\t}\n", n)
}

// writeMaps writes what records the maps at the end.
func writeMaps(b *strings.Builder, p *program.Program) {
	for _, m := range p.Maps {
		fmt.Fprintf(b, "\t\to.text += %q\n\t\tfor k := range 10 {\n\t\t\tif v, ok := s.%s[k]; ok {\n", m.Name, m.Name)
		fmt.Fprintf(b, "\t\t\t\to.text += fmt.Sprintf(\" %%d:\", k)\n\t\t\t\t%s\n\t\t\t}\n\t\t}\n\t\to.text += \"; \"\n", record("v", m.Elem))
	}
}

// record records a value, an item by its identity.
func record(v string, t program.Type) string {
	if t == program.Item {
		return fmt.Sprintf("if %s == nil { o.add(\"nil\", nil) } else { o.add(%s, func() int { return %s.n }) }", v, v, v)
	}
	return fmt.Sprintf("o.add(%s, nil)", v)
}

// variables declares a place for each result of a goroutine's calls.
func variables(calls []machine.Invocation) string {
	var out []string
	for i, call := range calls {
		for j, t := range call.F.Results {
			out = append(out, fmt.Sprintf("r%d_%d %s", i, j, t))
		}
	}
	return strings.Join(out, "; ")
}

func assigned(t, i int, call machine.Invocation) string {
	var out []string
	for j := range call.F.Results {
		out = append(out, fmt.Sprintf("t%d.r%d_%d", t, i, j))
	}
	if len(out) == 0 {
		return ""
	}
	return strings.Join(out, ", ") + " = "
}
