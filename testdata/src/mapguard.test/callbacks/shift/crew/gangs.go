package crew

// A Gang keeps what its goroutines call, which is all that calls it.
type Gang struct {
	job  func(string)
	todo chan string
}

// NewGang has n goroutines run f for what they are told.
func NewGang(n int, f func(string)) *Gang {
	g := &Gang{job: f, todo: make(chan string)}
	for i := 0; i < n; i++ {
		go func() {
			for s := range g.todo {
				g.job(s)
			}
		}()
	}
	return g
}

// Tell tells one of them.
func (g *Gang) Tell(s string) { g.todo <- s }

// A Helped gang's job is also done by who asks for it.
type Helped struct {
	job  func(string)
	todo chan string
}

// NewHelped starts n goroutines.
func NewHelped(n int, f func(string)) *Helped {
	g := &Helped{job: f, todo: make(chan string)}
	for range n {
		go func() {
			for s := range g.todo {
				g.job(s)
			}
		}()
	}
	return g
}

// Do does it at once.
func (g *Helped) Do(s string) { g.job(s) }

// A Double gang has two kinds of goroutines.
type Double struct {
	job         func(string)
	early, late chan string
}

// NewDouble starts n of each kind.
func NewDouble(n int, f func(string)) *Double {
	g := &Double{job: f, early: make(chan string), late: make(chan string)}
	for range n {
		go func() { g.job(<-g.early) }()
	}
	for range n {
		go func() { g.job(<-g.late) }()
	}
	return g
}

// A Led gang has one goroutine more, which a method runs.
type Led struct {
	job  func(string)
	todo chan string
}

// NewLed starts n goroutines, and one.
func NewLed(n int, f func(string)) *Led {
	g := &Led{job: f, todo: make(chan string)}
	go g.lead()
	for range n {
		go func() { g.job(<-g.todo) }()
	}
	return g
}

func (g *Led) lead() {
	for s := range g.todo {
		g.job(s)
	}
}

// A Joined gang's maker does what its goroutines do.
type Joined struct {
	job  func(string)
	todo chan string
}

// NewJoined starts n goroutines, and joins in.
func NewJoined(n int, f func(string)) *Joined {
	g := &Joined{job: f, todo: make(chan string)}
	work := func() {
		for s := range g.todo {
			g.job(s)
		}
	}
	for range n {
		go work()
	}
	work()
	return g
}

// A Chained gang works for the one before it, too.
type Chained struct {
	job  func(string)
	todo chan string
}

// NewChained starts n goroutines.
func NewChained(n int, before *Chained, f func(string)) *Chained {
	g := &Chained{job: f, todo: make(chan string)}
	for range n {
		go func() {
			for s := range g.todo {
				g.job(s)
				before.job(s)
			}
		}()
	}
	return g
}

// A Taken gang may be one that is there already.
type Taken struct {
	job  func(string)
	todo chan string
}

// NewTaken starts n goroutines, for the old one if there is one.
func NewTaken(n int, old *Taken, f func(string)) *Taken {
	g := &Taken{job: f, todo: make(chan string)}
	if old != nil {
		g = old
	}
	for range n {
		go func() { g.job(<-g.todo) }()
	}
	return g
}

// A Copied gang is handed out by value.
type Copied struct {
	job  func(string)
	todo chan string
}

// NewCopied starts n goroutines.
func NewCopied(n int, f func(string)) Copied {
	g := &Copied{job: f, todo: make(chan string)}
	for range n {
		go func() { g.job(<-g.todo) }()
	}
	return *g
}

var last *Common

// A Common gang works for the last one, too.
type Common struct {
	job  func(string)
	todo chan string
}

// NewCommon starts n goroutines.
func NewCommon(n int, f func(string)) {
	g := &Common{job: f, todo: make(chan string)}
	last = g
	for range n {
		go func() {
			for s := range g.todo {
				g.job(s)
				last.job(s)
			}
		}()
	}
}

// A Passed gang is known to its goroutines by two names.
type Passed struct {
	job  func(string)
	todo chan string
}

// NewPassed starts n goroutines.
func NewPassed(n int, f func(string)) *Passed {
	g := &Passed{job: f, todo: make(chan string)}
	for range n {
		go func(it *Passed) {
			g.job(<-g.todo)
			it.job(<-it.todo)
		}(g)
	}
	return g
}

// A Deep gang has more goroutines whenever they are asked for.
type Deep struct {
	job  func(string)
	todo chan string
}

// NewDeep starts n goroutines, and has more started by each that calls what it gives.
func NewDeep(n int, f func(string)) func() {
	g := &Deep{job: f, todo: make(chan string)}
	for range n {
		go func() { g.job(<-g.todo) }()
	}
	return func() {
		for range n {
			go func() { g.job(<-g.todo) }()
		}
	}
}

// A Shown gang may be asked for something smaller.
type Shown struct {
	name string
	job  func(string)
	todo chan string
}

type small struct{ name string }

// NewShown starts n goroutines.
func NewShown(n int, f func(string)) any {
	g := &Shown{job: f, todo: make(chan string)}
	for range n {
		go func() { g.job(<-g.todo) }()
	}
	var it any = g
	if s, ok := it.(*small); ok {
		return s
	}
	return it
}
