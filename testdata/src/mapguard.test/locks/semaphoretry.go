package locks

// A board is filled by who finds the turn free at once, and by who waits for it.
type tryBoard struct {
	turn  chan bool
	notes map[string]*int
}

func newTryBoard() *tryBoard {
	b := &tryBoard{turn: make(chan bool, 1), notes: make(map[string]*int)}
	go b.fillOk("a")
	go b.waitOk("b")
	return b
}

func (b *tryBoard) addOk(k string) {
	if b.notes[k] == nil {
		b.notes[k] = new(int)
	}
}

func (b *tryBoard) fillOk(k string) {
	select {
	case b.turn <- true:
		b.addOk(k)
		<-b.turn
	default:
	}
}

func (b *tryBoard) waitOk(k string) {
	b.turn <- true
	defer func() { <-b.turn }()
	b.addOk(k)
}

// What is done where the turn is not free is done beside who has it.
type rashBoard struct {
	turn  chan bool
	notes map[string]*int
}

func newRashBoardBad() *rashBoard {
	b := &rashBoard{turn: make(chan bool, 1), notes: make(map[string]*int)}
	go b.fillOk("a") // want `goroutine-race: rashBoard.notes is written in a goroutine`
	go b.waitOk("b")
	return b
}

func (b *rashBoard) addOk(k string) {
	if b.notes[k] == nil {
		b.notes[k] = new(int)
	}
}

func (b *rashBoard) fillOk(k string) {
	select {
	case b.turn <- true:
		<-b.turn
	default:
		b.addOk(k)
	}
}

func (b *rashBoard) waitOk(k string) {
	b.turn <- true
	defer func() { <-b.turn }()
	b.addOk(k)
}

// A pool has its one token from when it is opened on.
type tokenPool struct {
	token chan bool
	notes map[string]*int
}

func newTokenPool() *tokenPool {
	return &tokenPool{token: make(chan bool, 1), notes: make(map[string]*int)}
}

func (p *tokenPool) Open() {
	p.token <- true
	go p.fillOk("a")
	go p.tryOk("b")
}

func (p *tokenPool) fillOk(k string) {
	<-p.token
	defer func() { p.token <- true }()
	if p.notes[k] == nil {
		p.notes[k] = new(int)
	}
}

func (p *tokenPool) tryOk(k string) {
	select {
	case <-p.token:
		defer func() { p.token <- true }()
	default:
		return
	}
	if p.notes[k] == nil {
		p.notes[k] = new(int)
	}
}

// A feed has who tells that there is something, and one who passes that on.
type feed struct {
	news  chan bool
	notes map[string]*int
}

func newFeed() *feed {
	return &feed{news: make(chan bool, 1), notes: make(map[string]*int)}
}

func (f *feed) Open() {
	go f.passBad("a")
	go f.endOk("b")
	f.news <- true
}

func (f *feed) passBad(k string) {
	for range 3 {
		<-f.news
		if f.notes[k] == nil { // want `check-then-act: f.notes`
			f.notes[k] = new(int)
		}
		f.news <- true
	}
}

func (f *feed) endOk(k string) {
	<-f.news
	if f.notes[k] == nil {
		f.notes[k] = new(int)
	}
}

// A rate gives a share now and then, and some keep what they take.
type rate struct {
	share chan bool
	notes map[string]*int
}

func newRate() *rate {
	return &rate{share: make(chan bool, 1), notes: make(map[string]*int)}
}

func (r *rate) Open() {
	go r.refillOk()
	for range 2 {
		go r.takeBad("a")
	}
}

func (r *rate) refillOk() {
	for range 3 {
		r.share <- true
	}
}

func (r *rate) takeBad(k string) {
	<-r.share
	if k == "" {
		r.share <- true
		return
	}
	if r.notes[k] == nil { // want `check-then-act: r.notes`
		r.notes[k] = new(int)
	}
}

// A wake-up takes out the one before, if there is one, and puts in its own.
type wake struct {
	up    chan bool
	notes map[string]*int
}

func newWake() *wake {
	return &wake{up: make(chan bool, 1), notes: make(map[string]*int)}
}

func (w *wake) Open() {
	for range 2 {
		go w.workBad("a")
	}
}

func (w *wake) Ring() {
	select {
	case <-w.up:
	default:
	}
	w.up <- true
}

func (w *wake) workBad(k string) {
	for range 3 {
		<-w.up
		if w.notes[k] == nil { // want `check-then-act: w.notes`
			w.notes[k] = new(int)
		}
	}
}
