package program

import "strings"

// runner returns the name of the method that runs closures under a lock.
func (p *Program) runner(lock int, read bool) string {
	if lock == Owner {
		return "do"
	}
	name := p.Locks[lock].Name
	name = "with" + strings.ToUpper(name[:1]) + name[1:]
	if read {
		return name + "Read"
	}
	return name
}

// runners prints the methods that run closures and requests.
func (w *printer) runners() {
	for i, l := range w.p.Locks {
		for _, read := range []bool{false, true} {
			if w.runs(i, read) {
				w.underLock(l, w.p.runner(i, read), read)
			}
		}
	}
	asks, closures := w.p.asks(), w.p.closures()
	if closures {
		w.pf("")
		w.pf("// do runs f in the goroutine that owns the maps, and waits for its end.")
		w.open("func %sdo(f func()) {", w.receiver())
		w.pf("done := make(chan struct{})")
		w.open("s.calls <- func() {")
		w.pf("f()")
		w.pf("close(done)")
		w.end("}")
		w.pf("<-done")
		w.end("}")
	}
	if asks {
		w.pf("")
		w.open("func %sask(kind string, key, val int) int {", w.receiver())
		w.pf("r := request{kind, key, val, make(chan int)}")
		w.pf("s.requests <- r")
		w.pf("return <-r.reply")
		w.end("}")
	}
	if w.p.Owners > 0 && (asks || closures) {
		w.loop(asks, closures)
	}
}

func (w *printer) runs(lock int, read bool) bool {
	return w.p.Any(func(s Stmt) bool {
		in, ok := s.(*Within)
		return ok && in.Lock == lock && in.Read == read
	})
}

func (w *printer) underLock(l *Lock, name string, read bool) {
	lock, unlock := Acquire, Release
	if read {
		lock, unlock = AcquireRead, ReleaseRead
	}
	w.pf("")
	w.open("func %s%s(f func()) {", w.receiver(), name)
	w.pf("%s.%s()", w.self(l.Name), lock)
	w.pf("defer %s.%s()", w.self(l.Name), unlock)
	w.pf("f()")
	w.end("}")
}

// loop prints the goroutine that owns the maps.
func (w *printer) loop(asks, closures bool) {
	w.pf("")
	w.pf("// loop owns the maps.")
	w.open("func %sloop() {", w.receiver())
	switch {
	case asks && closures:
		w.open("for {")
		w.open("select {")
		w.indent--
		w.open("case f := <-s.calls:")
		w.pf("f()")
		w.indent--
		w.open("case r := <-s.requests:")
		w.serve()
		w.end("}")
		w.indent++
		w.indent--
		w.end("}")
	case asks:
		w.open("for r := range s.requests {")
		w.serve()
		w.end("}")
	default:
		w.open("for f := range s.calls {")
		w.pf("f()")
		w.end("}")
	}
	w.end("}")
}

// serve prints what a request does.
func (w *printer) serve() {
	w.pf("switch r.kind {")
	for _, f := range w.p.Funcs {
		if !f.Handler {
			continue
		}
		args := []string{"r.key", "r.val"}[:len(f.Params)]
		w.open("case %q:", f.Name)
		w.pf("r.reply <- s.%s(%s)", f.Name, strings.Join(args, ", "))
		w.indent--
	}
	w.pf("}")
}
