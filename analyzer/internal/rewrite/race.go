package rewrite

import "fmt"

// A spawn is a way to start goroutines and to wait for their end.
type spawn struct {
	head  string
	start func(f *fn, body func())
	join  func(loop bool) string
}

// race prints a function whose goroutines share a local map.
func (p *plan) race(name string) {
	f := p.newFn(p.base.result)
	f.first(p.layout.before...)
	f.first(p.place.local...)
	if !p.wrong && p.base.shape == raceInLoop && p.place.mu == "mu" {
		f.first("var mu $LOCK")
	}
	if p.spawn.head != "" {
		f.first(p.spawn.head)
	}
	if p.base.shape == raceInLoop {
		p.raceInLoop(f)
	} else {
		p.raceWithOwner(f)
	}
	p.layout.wrap(f)
	p.function(bug, name, "("+list(p.params())+") "+p.base.result, f.body())
}

// raceInLoop starts a goroutine for each key. Only the right form locks.
func (p *plan) raceInLoop(f *fn) {
	m := write
	if p.wrong {
		m = none
	}
	f.block("for _, k := range keys", func() {
		p.spawn.start(f, func() { f.section(m, func() { f.change(p.base.value) }) })
	})
	f.add(p.spawn.join(true))
	f.leave(p.place.m)
}

// raceWithOwner starts one goroutine, and measures the map before or after its
// end.
func (p *plan) raceWithOwner(f *fn) {
	p.spawn.start(f, func() {
		f.block("for _, k := range keys", func() { f.change(p.base.value) })
	})
	if p.wrong {
		f.seen()
		f.add(p.spawn.join(false))
	} else {
		f.add(p.spawn.join(false))
		f.seen()
	}
	f.leave(p.base.onDone)
}

var waitGroupGo = grouped(func(f *fn, body func()) {
	f.add("wg.Go(func() {")
	body()
	f.add("})")
})

// grouped is a spawn whose goroutines a WaitGroup counts.
func grouped(start func(f *fn, body func())) spawn {
	return spawn{"var wg sync.WaitGroup", start, func(bool) string { return "wg.Wait()" }}
}

// spawns are the rewrites of starting and joining goroutines.
func spawns() []option {
	set := func(name string, s spawn) option {
		return option{name, func(p *plan) bool {
			p.spawn = s
			return p.base.racing()
		}}
	}
	return []option{
		set("go-done", grouped(between("wg.Add(1)\ngo func() {\ndefer wg.Done()", "}()"))),
		set("go-variable", grouped(between("wg.Add(1)\nwork := func() {\ndefer wg.Done()", "}\ngo work()"))),
		set("go-argument", grouped(argument)),
		set("go-twice", grouped(between("wg.Add(1)\ngo func() {\ngo func() {\ndefer wg.Done()", "}()\n}()"))),
		set("go-starter", grouped(func(f *fn, body func()) {
			f.first("start := func(do func()) {\nwg.Add(1)\ngo func() {\ndefer wg.Done()\ndo()\n}()\n}")
			between("start(func() {", "})")(f, body)
		})),
		set("go-function", grouped(func(f *fn, body func()) {
			f.p.function(bug, "start", "(wg *sync.WaitGroup, do func())", "wg.Add(1)\ngo func() {\ndefer wg.Done()\ndo()\n}()")
			between("start(&wg, func() {", "})")(f, body)
		})),
		set("go-worker", grouped(worker)),
		set("go-channel", spawn{"done := make(chan struct{})", between("go func() {", "done <- struct{}{}\n}()"), received}),
		set("go-deferred-channel", spawn{"done := make(chan struct{})", between("go func() {\ndefer func() { done <- struct{}{} }()", "}()"), received}),
	}
}

func received(loop bool) string {
	if loop {
		return "for range keys {\n<-done\n}"
	}
	return "<-done"
}

func between(before, after string) func(*fn, func()) {
	return func(f *fn, body func()) {
		f.add(before)
		body()
		f.add(after)
	}
}

// argument hands key and map to the literal.
func argument(f *fn, body func()) {
	arg, typ := "k", "$K"
	if f.p.base.shape == raceWithOwner {
		arg, typ = "keys", "[]$K"
	}
	m := f.p.place.m
	f.add("wg.Add(1)\ngo func(given map[$K]int, %s %s) {\ndefer wg.Done()", arg, typ)
	f.p.place.m = "given"
	body()
	f.p.place.m = m
	f.add("}(%s, %s)", m, arg)
}

// worker starts a named function, which gets all by parameters.
func worker(f *fn, body func()) {
	p := f.p
	arg, typ := "k", "$K"
	if p.base.shape == raceWithOwner {
		arg, typ = "keys", "[]$K"
	}
	formal, actual := fmt.Sprintf("m map[$K]int, %s %s, wg *sync.WaitGroup", arg, typ), fmt.Sprintf("%s, %s, &wg", p.place.m, arg)
	if !p.wrong && p.base.shape == raceInLoop {
		formal, actual = formal+", mu *$LOCK", actual+", &"+p.place.mu
	}
	pl, head, lines := p.place, f.head, f.lines
	p.place.m, p.place.mu, p.place.ptr = "m", "mu", "mu"
	f.head, f.lines = nil, []string{"defer wg.Done()"}
	body()
	p.function(bug, "work", "("+formal+")", f.body())
	p.place, f.head, f.lines = pl, head, lines
	f.add("wg.Add(1)\ngo work(%s)", actual)
}

// locals are the rewrites of where a local map and its lock live.
func locals() []option {
	set := func(name, m, mu string, local ...string) option {
		return option{name, func(p *plan) bool {
			p.place = place{m: m, mu: mu, ptr: "&" + mu, local: local}
			return p.base.racing()
		}}
	}
	return []option{
		set("local-struct", "st.m", "st.mu", "var st struct {\nmu $LOCK\nm map[$K]int\n}", "st.m = make(map[$K]int)"),
		set("local-pointer", "st.m", "st.mu", "st := &struct {\nmu $LOCK\nm map[$K]int\n}{m: make(map[$K]int)}"),
		set("local-literal", "m", "mu", "m := map[$K]int{}"),
		set("local-declared", "m", "mu", "var m map[$K]int", "m = make(map[$K]int)"),
	}
}
