package rewrite

import "fmt"

// A hold is a way to write a critical section.
type hold struct {
	// around prints a section that is left at its end.
	around func(f *fn, m mode, body func())
	// last prints a section with which the function ends: all paths through
	// body leave it.
	last func(f *fn, m mode, body func())
	// literal says that a section's body is a function literal.
	literal bool
	// local says that it works for a lock that is a local variable.
	local bool
}

// section prints a section around body, or body alone.
func (f *fn) section(m mode, body func()) {
	if m == none || f.p.base.sync {
		body()
		return
	}
	f.p.hold.around(f, m, body)
}

// final is section for the end of a function.
func (f *fn) final(m mode, body func()) {
	if m == none || f.p.base.sync {
		body()
		return
	}
	f.p.hold.last(f, m, body)
}

// verbs are the methods that take and release a lock.
func (p *plan) verbs(m mode) (lock, unlock string) {
	if m == read && p.rw {
		return "RLock", "RUnlock"
	}
	return "Lock", "Unlock"
}

// leaving prints body with another way to leave the function.
func (f *fn) leaving(leave func(string), body func()) {
	outer := f.leave
	f.leave = leave
	body()
	f.leave = outer
}

// steps is the hold that takes and releases a lock by statements. They are
// made anew for each section.
func steps(verbs func(f *fn, m mode) (lock, unlock string)) hold {
	h := hold{local: true}
	h.around = func(f *fn, m mode, body func()) {
		lock, unlock := verbs(f, m)
		f.add(lock)
		body()
		f.add(unlock)
	}
	h.last = func(f *fn, m mode, body func()) {
		lock, unlock := verbs(f, m)
		f.add(lock)
		outer := f.leave
		f.leaving(func(x string) { f.add(unlock); outer(x) }, body)
	}
	return h
}

// deferring is the hold whose release is deferred: in a function literal, or
// where the function ends with the section.
func deferring(verbs func(f *fn, m mode) (lock, unlock string)) hold {
	h := hold{literal: true, local: true}
	h.around = func(f *fn, m mode, body func()) {
		f.add("func() {")
		lock, unlock := verbs(f, m)
		f.add(lock)
		f.add("defer " + unlock)
		body()
		f.add("}()")
	}
	h.last = func(f *fn, m mode, body func()) {
		lock, unlock := verbs(f, m)
		f.add(lock)
		f.add("defer " + unlock)
		body()
	}
	return h
}

// running is the hold whose section is a function literal given to a runner.
func running(call func(f *fn, m mode) string) hold {
	h := hold{literal: true}
	h.around = func(f *fn, m mode, body func()) {
		f.add(call(f, m) + "func() {")
		body()
		f.add("})")
	}
	h.last = func(f *fn, m mode, body func()) {
		res := f.fresh("got")
		f.add("var %s %s", res, f.result)
		h.around(f, m, func() {
			f.leaving(func(x string) { f.add("%s = %s", res, x); f.add("return") }, body)
		})
		f.leave(res)
	}
	return h
}

// byName names the lock in the section itself.
func byName(f *fn, m mode) (string, string) {
	lock, unlock := f.p.verbs(m)
	return f.p.place.mu + "." + lock + "()", f.p.place.mu + "." + unlock + "()"
}

func plainHold() hold { return steps(byName) }

// holding returns the rewrite that writes sections another way.
func holding(name string, h hold) option {
	return option{name, func(p *plan) bool {
		p.hold = h
		return !p.base.sync && (h.local || !p.base.racing())
	}}
}

// holds are the rewrites of critical sections.
func holds() []option {
	return append(stepHolds(), runnerHolds()...)
}

func stepHolds() []option {
	return []option{
		{"mutex", func(p *plan) bool {
			p.rw = false
			return !p.base.sync && !p.place.plain && !p.base.racing()
		}},
		holding("deferred", deferring(byName)),
		holding("deferred-literal", deferring(func(f *fn, m mode) (string, string) {
			lock, unlock := byName(f, m)
			return lock, "func() { " + unlock + " }()"
		})),
		holding("lock-pointer", steps(func(f *fn, m mode) (string, string) {
			f.first("lk := " + f.p.place.ptr)
			lock, unlock := f.p.verbs(m)
			return "lk." + lock + "()", "lk." + unlock + "()"
		})),
		holding("try-lock", steps(func(f *fn, m mode) (string, string) {
			if f.p.place.plain {
				return byName(f, m) // a sync.Locker has no TryLock
			}
			lock, unlock := byName(f, m)
			n := len(f.p.place.mu) + 1
			return "for !" + lock[:n] + "Try" + lock[n:] + " {\nruntime.Gosched()\n}", unlock
		})),
		holding("locker", steps(locker)),
		holding("method-values", steps(func(f *fn, m mode) (string, string) {
			take, drop := f.fresh("take"), f.fresh("drop")
			lock, unlock := f.p.verbs(m)
			return fmt.Sprintf("%s, %s := %s.%s, %s.%s\n%s()", take, drop, f.p.place.mu, lock, f.p.place.mu, unlock, take), drop + "()"
		})),
		holding("unlock-literal", steps(func(f *fn, m mode) (string, string) {
			lock, unlock := byName(f, m)
			free := f.fresh("free")
			return lock + "\n" + free + " := func() { " + unlock + " }", free + "()"
		})),
	}
}

// locker takes the lock through the interface sync.Locker.
func locker(f *fn, m mode) (string, string) {
	l := f.fresh("locker")
	return fmt.Sprintf("var %s sync.Locker = %s\n%s.Lock()", l, f.p.asLocker(m), l), l + ".Unlock()"
}

// asLocker is the lock as a sync.Locker.
func (p *plan) asLocker(m mode) string {
	if m == read && p.rw {
		return p.place.mu + ".RLocker()"
	}
	return p.place.ptr
}

func runnerHolds() []option {
	wrappers := func(f *fn, m mode) (string, string) {
		lock, unlock := f.p.verbs(m)
		return f.self + wrapper(f.p, lock) + "()", f.self + wrapper(f.p, unlock) + "()"
	}
	acquire := func(f *fn, m mode) (string, string) {
		free := f.fresh("free")
		return free + " := " + f.self + acquirer(f.p, m) + "()", free + "()"
	}
	return []option{
		wrapped("wrappers", steps(wrappers)),
		wrapped("wrappers-deferred", deferring(wrappers)),
		wrapped("acquire", steps(acquire)),
		wrapped("acquire-deferred", deferring(acquire)),
		wrapped("runner", running(func(f *fn, m mode) string { return f.self + runner(f.p, m) + "(" })),
		holding("runner-function", locally(running(func(f *fn, m mode) string {
			return runnerFunction(f.p, m) + "(" + f.p.place.ptr + ", "
		}))),
		holding("runner-generic", generic()),
	}
}

func locally(h hold) hold {
	h.local = true
	return h
}

// wrapped is holding for wrappers of a lock, which need its type's functions,
// and get no key to find a shard.
func wrapped(name string, h hold) option {
	inner := holding(name, h)
	return option{name, func(p *plan) bool { return inner.apply(p) && !p.base.racing() && !p.keyed() }}
}

// wrapper declares a function that takes or releases the lock.
func wrapper(p *plan, verb string) string {
	name := map[string]string{"Lock": "lock", "Unlock": "unlock", "RLock": "rlock", "RUnlock": "runlock"}[verb]
	p.member(bug, name, nil, "", func(f *fn) { f.add("%s.%s()", p.place.mu, verb) })
	return name
}

// acquirer declares a function that takes the lock and returns its release.
func acquirer(p *plan, m mode) string {
	lock, unlock := p.verbs(m)
	name := "acquire" + lock[:len(lock)-len("Lock")]
	p.member(bug, name, nil, "func()", func(f *fn) {
		f.add("%s.%s()", p.place.mu, lock)
		f.add("return %s.%s", p.place.mu, unlock)
	})
	return name
}

// runner declares a function that runs another one under the lock.
func runner(p *plan, m mode) string {
	lock, unlock := p.verbs(m)
	name := "with" + lock
	p.member(bug, name, []variable{{"do", "func()"}}, "", func(f *fn) {
		f.add("%s.%s()", p.place.mu, lock)
		f.add("defer %s.%s()", p.place.mu, unlock)
		f.add("do()")
	})
	return name
}

// runnerFunction is runner for any lock.
func runnerFunction(p *plan, m mode) string {
	lock, unlock := p.verbs(m)
	name := "with" + lock
	typ := "sync.Locker"
	if lock == "RLock" {
		typ = "interface {\nRLock()\nRUnlock()\n}"
	}
	p.function(bug, name, "(l "+typ+", do func())", "l."+lock+"()\ndefer l."+unlock+"()\ndo()")
	return name
}

// generic is a runner that returns the literal's result. What is left at its
// end has none, and takes the plain way.
func generic() hold {
	h := plainHold()
	h.last = func(f *fn, m mode, body func()) {
		res := f.fresh("got")
		f.add("%s := %s(%s, func() %s {", res, genericRunner(f.p), f.p.asLocker(m), f.result)
		f.leaving(func(x string) { f.add("return %s", x) }, body)
		f.add("})")
		f.leave(res)
	}
	return h
}

func genericRunner(p *plan) string {
	p.function(bug, "under", "[T any](l sync.Locker, do func() T) T", "l.Lock()\ndefer l.Unlock()\nreturn do()")
	return "under"
}
