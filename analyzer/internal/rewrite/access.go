package rewrite

import "strings"

// A reach is how a function comes to the map: it prints what that needs, and
// returns the map.
type reach func(f *fn) string

func direct(f *fn) string { return f.p.place.m }

// A look prints how the variables of a look get their values; assign is = or
// :=.
type look struct {
	simple bool // one assignment
	print  func(f *fn, m, assign string)
}

// A put prints the change of the map.
type put func(f *fn, m, x string)

// targets are the variables on the left of a look.
func (b *base) targets() string {
	if b.question == present && len(b.vars) == 1 {
		return "_, " + b.vars[0].name
	}
	return names(b.vars)
}

// ask is the plain expression of a look.
func (p *plan) ask(m string) string {
	switch {
	case p.base.question == size:
		return "len(" + m + ")"
	case p.base.question == whole && p.wrong:
		return m
	case p.base.question == whole:
		return "maps.Clone(" + m + ")"
	case p.base.sync:
		return m + ".Load(k)"
	}
	return m + "[k]"
}

func lookup(f *fn, m, assign string) {
	if f.p.base.walks {
		f.add("%s %s 0", f.p.base.targets(), assign)
		f.add("for range %s {\nn++\n}", m)
		return
	}
	f.add("%s %s %s", f.p.base.targets(), assign, f.p.ask(m))
}

// assign is the plain change.
func assign(f *fn, m, x string) {
	switch {
	case f.p.base.sync && x == "":
		f.add("%s.Delete(k)", m)
	case f.p.base.sync:
		f.add("%s.Store(k, %s)", m, x)
	case x == "":
		f.add("delete(%s, k)", m)
	default:
		f.add("%s[k] = %s", m, x)
	}
}

// askMap and change print a look and an act where they stand.
func (f *fn) askMap(assign string) { f.p.look.print(f, f.p.reach(f), assign) }

func (f *fn) change(x string) { f.p.put(f, f.p.reach(f), x) }

// seen prints the look at its place: variables without a declaration get one.
func (f *fn) seen() {
	vs := f.p.base.vars
	fresh := true
	for _, k := range f.known {
		for _, v := range vs {
			fresh = fresh && k != v.name
		}
	}
	if f.p.look.simple && fresh {
		for _, v := range vs {
			f.known = append(f.known, v.name)
		}
		f.askMap(":=")
		return
	}
	f.declare(vs)
	f.askMap("=")
}

// reaches are the rewrites of how a function comes to the map.
func reaches() []option {
	set := func(name string, r reach) option {
		return option{name, func(p *plan) bool {
			p.reach = r
			return !p.base.racing() && p.base.question != whole
		}}
	}
	return []option{
		set("map-local", func(f *fn) string {
			local := f.fresh("local")
			f.add("%s := %s", local, f.p.mapArg(f.p.place.m))
			return f.p.mapAt(local)
		}),
		set("map-local-above", func(f *fn) string {
			f.first("local := " + f.p.mapArg(f.p.place.m))
			return f.p.mapAt("local")
		}),
		set("map-pointer-local", func(f *fn) string {
			at := f.fresh("at")
			f.add("%s := &%s", at, f.p.place.m)
			return "(*" + at + ")"
		}),
		{"receiver-local", func(p *plan) bool {
			p.reach = func(f *fn) string {
				f.first("self := c")
				return strings.Replace(f.p.place.m, "c.", "self.", 1)
			}
			return p.place.recv != "" && strings.HasPrefix(p.place.m, "c.") && p.base.question != whole
		}},
		{"getter", func(p *plan) bool {
			p.reach = func(f *fn) string {
				f.p.member(bug, "entriesLocked", nil, f.p.mapParam(), func(g *fn) { g.leave(f.p.mapArg(f.p.place.m)) })
				return f.p.mapAt(f.self + "entriesLocked()")
			}
			return !p.base.racing() && !p.keyed() && p.base.question != whole && p.parts.call != throughInterface
		}},
	}
}

// keyed reports whether the key leads to the map.
func (p *plan) keyed() bool { return strings.Contains(p.place.m, "k)") }

// looks are the rewrites of the look.
func looks() []option {
	set := func(name string, fits func(*base) bool, l look) option {
		return option{name, func(p *plan) bool {
			p.look = l
			return p.base.looks() && p.base.question != whole && fits(p.base)
		}}
	}
	return []option{
		set("zero-test", func(b *base) bool { return b.elem == "*Item" && !b.sync }, look{print: func(f *fn, m, _ string) {
			f.add("v = %s[k]", m)
			f.add("ok = v != nil")
		}}),
		set("range-look", anyBase, look{print: rangeLook("%s")}),
		set("maps.All", ofEntry, look{print: rangeLook("maps.All(%s)")}),
		set("iterator", ofPlainMap, look{print: iteratorLook}),
		set("clone-look", ofPlainMap, look{print: func(f *fn, m, assign string) {
			copied := f.fresh("copied")
			f.add("%s := maps.Clone(%s)", copied, m)
			lookup(f, copied, assign)
		}}),
		set("keys-look", func(b *base) bool { return ofEntry(b) && len(b.vars) == 1 && b.question == present }, look{simple: true, print: func(f *fn, m, assign string) {
			f.add("ok %s slices.Contains(slices.Collect(maps.Keys(%s)), k)", assign, m)
		}}),
		set("look-function", anyBase, look{simple: true, print: functionLook}),
		set("look-generic", ofEntry, look{simple: true, print: genericLook}),
		set("look-called", anyBase, look{simple: true, print: func(f *fn, m, assign string) {
			f.add("%s %s func() %s {", names(f.p.base.vars), assign, results(f.p.base.vars))
			f.seenPlain(m)
			f.add("}()")
		}}),
	}
}

func anyBase(*base) bool { return true }

func ofPlainMap(b *base) bool { return !b.sync }

func ofEntry(b *base) bool { return b.question != size && !b.sync }

// iteratorLook goes over an iterator of the program's own.
func iteratorLook(f *fn, m, assign string) {
	f.p.function(bug, "entriesOf", "(m $MAP) iter.Seq2[$K, $V]", "return func(yield func($K, $V) bool) {\nfor key, x := range m {\nif !yield(key, x) {\nreturn\n}\n}\n}")
	rangeLook("entriesOf(%s)")(f, m, assign)
}

func functionLook(f *fn, m, assign string) {
	g := f.p.newFn("")
	g.seenPlain("m")
	f.p.function(bug, "search", "(m "+f.p.mapParam()+", k $K) "+results(f.p.base.vars), g.body())
	f.add("%s %s search(%s, k)", names(f.p.base.vars), assign, f.p.mapArg(m))
}

// genericLook calls a function that returns the value and whether it is there.
func genericLook(f *fn, m, assign string) {
	f.p.function(bug, "search", "[K comparable, V any](m map[K]V, k K) (V, bool)", "x, found := m[k]\nreturn x, found")
	left := names(f.p.base.vars)
	switch {
	case f.p.base.question == value:
		left += ", _"
	case len(f.p.base.vars) == 1:
		left = "_, " + left
	}
	f.add("%s %s search(%s, k)", left, assign, m)
}

// seenPlain prints the plain look and returns what it found.
func (f *fn) seenPlain(m string) {
	lookup(f, m, ":=")
	f.add("return %s", names(f.p.base.vars))
}

// rangeLook looks by going over all entries, as over says.
func rangeLook(over string) func(f *fn, m, _ string) {
	return func(f *fn, m, _ string) {
		b := f.p.base
		if b.sync {
			syncRange(f, m)
			return
		}
		over := strings.Replace(over, "%s", m, 1)
		f.zero(b.vars)
		switch {
		case b.question == size:
			f.add("for range %s {\nn++\n}", over)
		case b.question == value:
			f.add("for key, x := range %s {\nif key == k {\n%s = x\n}\n}", over, b.vars[0].name)
		case len(b.vars) == 1:
			f.add("for key := range %s {\nif key == k {\nok = true\n}\n}", over)
		default:
			f.add("for key, x := range %s {\nif key == k {\nv, ok = x, true\n}\n}", over)
		}
	}
}

// zero forgets what an earlier look has found.
func (f *fn) zero(vs []variable) {
	zeros := map[string]string{"bool": "false", "int": "0", "string": `""`}
	for _, v := range vs {
		zero, ok := zeros[v.typ]
		if !ok {
			zero = "nil"
		}
		f.add("%s = %s", v.name, zero)
	}
}

func syncRange(f *fn, m string) {
	found := "v, ok = x, true"
	if len(f.p.base.vars) == 1 {
		found = "ok = true"
	}
	x := strings.TrimSuffix(found, ", true")
	name := "x"
	if x == found {
		name = "_"
	}
	f.add("%s.Range(func(key, %s any) bool {\nif key == any(k) {\n%s\n}\nreturn !ok\n})", m, name, found)
}

// puts are the rewrites of the act.
func puts() []option {
	set := func(name string, fits func(*base) bool, u put) option {
		return option{name, func(p *plan) bool {
			p.put = u
			return p.base.acts() && fits(p.base)
		}}
	}
	inserts := func(b *base) bool { return b.value != "" && !b.sync }
	deletes := func(b *base) bool { return b.value == "" && !b.sync }
	return []option{
		set("maps.Copy", inserts, func(f *fn, m, x string) { f.add("maps.Copy(%s, map[%s]$V{k: %s})", m, f.p.key, x) }),
		set("maps.Insert", inserts, func(f *fn, m, x string) {
			f.add("maps.Insert(%s, maps.All(map[%s]$V{k: %s}))", m, f.p.key, x)
		}),
		set("maps.DeleteFunc", deletes, func(f *fn, m, _ string) {
			f.add("maps.DeleteFunc(%s, func(key %s, _ $V) bool { return key == k })", m, f.p.key)
		}),
		set("act-function", anyBase, actFunction),
		set("act-generic", inserts, func(f *fn, m, x string) {
			f.p.function(bug, "change", "[K comparable, V any](m map[K]V, k K, x V)", "m[k] = x")
			f.add("change(%s, k, %s)", m, x)
		}),
		set("act-called", anyBase, literal("func() {", "}()")),
		set("act-deferred", anyBase, literal("func() {\ndefer func() {", "}()\n}()")),
		set("act-looped", anyBase, literal("for range 1 {", "}")),
		set("act-callback", anyBase, func(f *fn, m, x string) {
			f.p.function(bug, "run", "(do func())", "do()")
			literal("run(func() {", "})")(f, m, x)
		}),
	}
}

// literal wraps the plain act.
func literal(before, after string) put {
	return func(f *fn, m, x string) {
		f.add(before)
		assign(f, m, x)
		f.add(after)
	}
}

func actFunction(f *fn, m, x string) {
	g := f.p.newFn("")
	if x == "" {
		assign(g, "m", "")
		f.p.function(bug, "change", "(m "+f.p.mapParam()+", k $K)", g.body())
		f.add("change(%s, k)", f.p.mapArg(m))
		return
	}
	assign(g, "m", "x")
	f.p.function(bug, "change", "(m "+f.p.mapParam()+", k $K, x "+f.p.base.elem+")", g.body())
	f.add("change(%s, k, %s)", f.p.mapArg(m), x)
}
