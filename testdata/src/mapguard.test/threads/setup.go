package threads

// What callers set up, and a goroutine then reads.

// Hooks are set up before the engine that has them begins, in the code of others.
type Hooks struct{ byName map[string]func() }

func NewHooks() *Hooks { return &Hooks{byName: make(map[string]func())} }

// AddBad can be called later, too, but nothing shows that it is.
func (h *Hooks) AddBad(name string, f func()) { h.byName[name] = f } // want `unguarded-access: h\.byName .*, low`

type Engine struct {
	hooks *Hooks
	in    chan string
}

func NewEngine(h *Hooks) *Engine { return &Engine{hooks: h, in: make(chan string)} }

func (e *Engine) Start() { go e.run() }

func (e *Engine) run() {
	for name := range e.in {
		if f := e.hooks.byName[name]; f != nil {
			f()
		}
	}
}

// The goroutine comes with the object: all that callers do, they do beside it.
type Bell struct {
	byName map[string]func()
	in     chan string
}

func NewBell() *Bell {
	b := &Bell{byName: make(map[string]func()), in: make(chan string)}
	go b.run()
	return b
}

func (b *Bell) AddBad(name string, f func()) { b.byName[name] = f } // want `unguarded-access: b\.byName .*high`

func (b *Bell) run() {
	for name := range b.in {
		if f := b.byName[name]; f != nil {
			f()
		}
	}
}

// The goroutine makes changes: what callers read then is not set up before.
type Tally struct {
	byName map[string]int
	in     chan string
}

func (t *Tally) Start() { go t.runBad() }

func (t *Tally) runBad() {
	for name := range t.in {
		t.byName[name]++ // want `unguarded-access: t\.byName .*high`
	}
}

func (t *Tally) Of(name string) int { return t.byName[name] }
