package rewrite

// A decide prints the branch between look and act. Both onHit and onMiss leave
// the function.
type decide func(f *fn, hit, miss string, onHit, onMiss func())

// An exit says how the operation is left.
type exit int

const (
	returns  exit = iota
	named         // the result has a name and is returned by a bare return
	assigned      // all paths assign it, and one return comes at the end
)

// branch prints the decision about the operation's own conditions.
func (f *fn) branch(hit, miss string, onHit, onMiss func()) {
	if hit == "" {
		onMiss()
		return
	}
	f.p.decide(f, hit, miss, onHit, onMiss)
}

// block prints a statement with a body.
func (f *fn) block(head string, body func()) {
	f.add(head + " {")
	body()
	f.add("}")
}

func early(f *fn, hit, _ string, onHit, onMiss func()) {
	f.block("if "+hit, onHit)
	onMiss()
}

func inverted(f *fn, _, miss string, onHit, onMiss func()) {
	f.block("if "+miss, onMiss)
	onHit()
}

func otherwise(f *fn, hit, _ string, onHit, onMiss func()) {
	f.add("if %s {", hit)
	onHit()
	f.add("} else {")
	onMiss()
	f.add("}")
}

func switched(f *fn, hit, _ string, onHit, onMiss func()) {
	f.add("switch {\ncase %s:", hit)
	onHit()
	f.add("default:")
	onMiss()
	f.add("}")
}

func switchedOnValue(f *fn, hit, _ string, onHit, onMiss func()) {
	f.add("switch %s {\ncase false:", hit)
	onMiss()
	f.add("default:")
	onHit()
	f.add("}")
}

func flagged(f *fn, hit, miss string, onHit, onMiss func()) {
	flag := f.fresh("missing")
	f.add("%s := %s", flag, miss)
	inverted(f, hit, flag, onHit, onMiss)
}

func coded(f *fn, hit, miss string, onHit, onMiss func()) {
	steps := f.fresh("steps")
	f.add("%s := 0", steps)
	f.add("if %s {\n%s++\n}", miss, steps)
	inverted(f, hit, steps+" > 0", onHit, onMiss)
}

func looped(f *fn, hit, _ string, onHit, onMiss func()) {
	f.add("for {\nif %s {\nbreak\n}", hit)
	onMiss()
	f.add("}")
	onHit()
}

func jumped(f *fn, hit, _ string, onHit, onMiss func()) {
	label := f.fresh("found")
	f.add("if %s {\ngoto %s\n}", hit, label)
	f.add("{")
	onMiss()
	f.add("}\n%s:", label)
	onHit()
}

func asked(f *fn, hit, miss string, onHit, onMiss func()) {
	f.p.function(bug, "not", "(b bool) bool", "return !b")
	inverted(f, hit, "not("+hit+")", onHit, onMiss)
}

// nested asks something else first. Nothing uses the empty key.
func nested(f *fn, _, miss string, onHit, onMiss func()) {
	f.block(`if k != ""`, func() { f.block("if "+miss, onMiss) })
	onHit()
}

func both(f *fn, hit, miss string, onHit, onMiss func()) {
	inverted(f, hit, miss+` && k != ""`, onHit, onMiss)
}

// decisions are the rewrites of the branch between look and act.
func decisions() []option {
	set := func(name string, d decide) option {
		return option{name, func(p *plan) bool {
			p.decide = d
			return p.base.hit != ""
		}}
	}
	return []option{
		set("inverted", inverted), set("else", otherwise), set("switch", switched), set("switch-value", switchedOnValue),
		set("flag", flagged), set("coded", coded), set("loop-break", looped), set("goto", jumped),
		{"predicate", func(p *plan) bool {
			p.decide = asked
			return p.base.hit != "" && p.parts.call != throughClient
		}}, set("nested-if", nested), set("conjunction", both),
	}
}

// exits are the rewrites of how the operation is left.
func exits() []option {
	return []option{
		{"named-result", func(p *plan) bool {
			p.exit = named
			return !p.base.racing()
		}},
		{"one-return", func(p *plan) bool {
			p.exit, p.decide = assigned, otherwise
			return p.base.hit != ""
		}},
	}
}

// openResult prepares the operation's result, and returns how the signature
// writes it and what ends the body.
func (f *fn) openResult() (result string, end func()) {
	switch f.p.exit {
	case named:
		f.leave = func(x string) {
			if x != "res" {
				f.add("res = %s", x)
			}
			f.add("return")
		}
		return "(res " + f.result + ")", func() {}
	case assigned:
		f.add("var res %s", f.result)
		f.leave = func(x string) { f.add("res = %s", x) }
		return f.result, func() { f.add("return res") }
	}
	return f.result, func() {}
}
