package rewrite

import (
	"slices"
	"strings"
)

// A layout says what stands around the operation.
type layout struct {
	before, between []string // statements at the start, and between look and act
	inLoop          bool     // the body stands in a loop that runs once
	twoFiles        bool
	reversed        bool // declarations stand in the opposite order
	twice           bool // there are two such operations
	claimed         bool // the type's documentation says that it is shared
	declared        bool // a comment on the lock names the map
	started         bool // goroutines that this package starts call the operation
	rename          []string
}

// wrap adds to the body what stands around it.
func (l *layout) wrap(f *fn) {
	if l.inLoop {
		f.lines = slices.Concat([]string{"for {"}, f.lines, []string{"}"})
	}
	if !f.p.base.racing() {
		f.head = slices.Concat(l.before, f.head)
	}
}

const otherLock = "statsMu.Lock()\nstats++\nstatsMu.Unlock()"

// layouts are the rewrites around the operation.
func layouts() []option {
	set := func(name string, fits func(*plan) bool, l layout) option {
		return option{name, func(p *plan) bool {
			p.layout = l
			return fits(p)
		}}
	}
	always := func(*plan) bool { return true }
	own := func(p *plan) bool { return p.parts.call != throughClient }
	typed := func(p *plan) bool { return strings.Contains(p.place.decls, typeDoc) }
	return []option{
		set("logging", always, layout{before: []string{`log.Print("called")`}, between: []string{`log.Print("looked")`}}),
		set("other-map", always, layout{before: []string{"tried := map[string]int{}", `tried["a"]++`}, between: []string{`more := map[string]int{"a": 1}`, `more["b"]++`}}),
		set("sleep", func(p *plan) bool { return p.base.shape == lookThenAct }, layout{between: []string{"time.Sleep(time.Millisecond)"}}),
		set("other-lock", func(p *plan) bool {
			return own(p) && !p.base.racing()
		}, layout{before: []string{otherLock}, between: []string{otherLock}}),
		set("in-loop", func(p *plan) bool { return p.exit != assigned }, layout{inLoop: true}),
		set("two-files", own, layout{twoFiles: true}),
		set("reversed", own, layout{reversed: true}),
		set("two-bugs", always, layout{twice: true}),
		set("claimed", typed, layout{claimed: true}),
		set("declared", func(p *plan) bool {
			return !p.base.sync && strings.HasSuffix(p.place.m, ".m") && strings.Contains(p.place.decls, "\tmu $LOCK\n")
		}, layout{declared: true}),
		set("started", func(p *plan) bool { return own(p) && !p.base.racing() && p.base.question != whole }, layout{started: true}),
		set("renamed", own, layout{rename: []string{
			"Cache", "Registry", "NewCache", "NewRegistry", "m", "known", "mu", "guardian", "k", "id", "v", "found", "ok", "there",
			"c", "r", "item", "made", "Ensure", "Fetch", "Claim", "Enter", "Take", "Pick", "Set", "Note", "Join", "Admit", "Release", "GiveBack",
			"owner", "who", "cur", "held", "find", "peek", "insert", "keep", "remove", "forget", "settle", "agree", "entries",
		}}),
		set("terse", own, layout{rename: []string{
			"Cache", "T", "NewCache", "NewT", "m", "x", "mu", "l", "k", "p", "v", "q", "ok", "b", "c", "t", "item", "y", "x", "z",
			"Ensure", "F", "Claim", "F", "Take", "F", "Set", "F", "Join", "F", "Release", "F", "Owner", "F", "Free", "F",
			"find", "f", "insert", "g", "remove", "h", "settle", "i", "entries", "e", "t", "w", "l", "lk1",
		}}),
	}
}

// typeDoc is the documentation of the type that holds the map.
const typeDoc = "// Cache holds entries by key."

// surroundings prints the declarations other than the operation's.
func (p *plan) surroundings() {
	decls := p.place.declarations(p)
	if p.layout.claimed {
		decls = strings.Replace(decls, typeDoc, typeDoc+" It is safe for concurrent use\n// by several goroutines.", 1)
	}
	if p.layout.declared {
		decls = strings.Replace(decls, "\tmu $LOCK\n", "\tmu $LOCK // protects m\n", 1)
	}
	for _, d := range splitDecls(decls) {
		p.print(types, d)
	}
	if p.base.elem == "*Item" {
		p.print(types, "// An Item counts its uses.\ntype Item struct {\nname string\nuses atomic.Int64\n}")
		p.print(types, "// NewItem returns an item without a use.\nfunc NewItem(name string) *Item { return &Item{name: name} }")
		p.print(types, "// Use counts a use and returns the number of all.\nfunc (i *Item) Use() int64 { return i.uses.Add(1) }")
	}
	if p.base.question == size && !p.base.racing() {
		p.print(types, "// Limit is the greatest number of entries.\nconst Limit = 8")
	}
	if slices.Contains(p.layout.before, otherLock) {
		p.print(types, "var (\nstatsMu sync.Mutex\nstats int\n)")
	}
	if !p.base.racing() {
		p.others()
	}
}

// splitDecls cuts a text where a line begins a declaration after the end of
// another one.
func splitDecls(text string) []string {
	var out []string
	var cur []string
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		begins := strings.HasPrefix(line, "// ") || strings.HasPrefix(line, "type ") || strings.HasPrefix(line, "func ") || strings.HasPrefix(line, "var ")
		if begins && len(cur) > 0 && !strings.HasPrefix(cur[len(cur)-1], "// ") {
			out = append(out, strings.Join(cur, "\n"))
			cur = nil
		}
		cur = append(cur, line)
	}
	return append(out, strings.Join(cur, "\n"))
}

// others prints the functions beside the operation: right ones, which show
// that the map is shared and by which lock it is guarded.
func (p *plan) others() {
	around := func(m mode, f *fn) {
		if p.base.sync {
			return
		}
		mu := p.place.others
		if mu == "" {
			mu = p.place.mu
		}
		lock, unlock := p.verbs(m)
		f.add("%s.%s()", mu, lock)
		f.add("defer %s.%s()", mu, unlock)
	}
	key := variable{"k", "$K"}
	p.member(types, "Put", []variable{key, {"x", "$V"}}, "", func(f *fn) {
		around(write, f)
		assign(f, p.place.m, "x")
	})
	p.member(types, "Drop", []variable{key}, "", func(f *fn) {
		around(write, f)
		assign(f, p.place.m, "")
	})
	p.member(types, "Has", []variable{key}, "bool", func(f *fn) {
		around(read, f)
		ask := p.place.m + "[k]"
		if p.base.sync {
			ask = p.ask(p.place.m)
		}
		f.add("_, ok := " + ask)
		f.add("return ok")
	})
	if p.layout.started {
		args := map[string]string{"": "", "owner": `, "me"`, "d": ", 1"}[names(p.base.extra)]
		p.member(types, "Serve", []variable{{"keys", "[]$K"}}, "", func(f *fn) {
			f.add("for _, k := range keys {\ngo %s%s(k%s)\n}", p.place.self, p.base.op, args)
		})
	}
}
