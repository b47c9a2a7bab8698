package threads

import "time"

// What an object keeps in an unexported field is not what callers call methods on,
// if they can have come by it in no way.

// A Page is a type of which callers have objects, too.
type Page struct{ notes map[string]int }

func (p *Page) Count() int { return len(p.notes) }

func (p *Page) add(k string) {
	if p.notes == nil {
		p.notes = make(map[string]int)
	}
	p.notes[k]++
}

// A Book makes its own page and keeps it.
type Book struct{ first *Page }

func NewBook() *Book { return &Book{first: &Page{}} }

func (b *Book) LaterOk(k string) {
	time.AfterFunc(time.Second, func() { b.first.add(k) })
}

// A Leaf is shown to callers.
type Leaf struct{ notes map[string]int }

func (l *Leaf) CountBad() int { return len(l.notes) } // want `unguarded-access: .*, low`

func (l *Leaf) add(k string) {
	if l.notes == nil {
		l.notes = make(map[string]int)
	}
	l.notes[k]++
}

type Pad struct{ top *Leaf }

func NewPad() *Pad { return &Pad{top: &Leaf{}} }

func (p *Pad) Top() *Leaf { return p.top }

func (p *Pad) Later(k string) {
	time.AfterFunc(time.Second, func() { p.top.add(k) })
}

// A Sheet comes from callers.
type Sheet struct{ notes map[string]int }

func (s *Sheet) CountBad() int { return len(s.notes) } // want `unguarded-access: .*, low`

func (s *Sheet) add(k string) {
	if s.notes == nil {
		s.notes = make(map[string]int)
	}
	s.notes[k]++
}

type Wall struct{ pinned *Sheet }

func (b *Wall) Pin(s *Sheet) { b.pinned = s }

func (b *Wall) Later(k string) {
	time.AfterFunc(time.Second, func() { b.pinned.add(k) })
}

// A Monitor passes what callers ask for on to its own queue, which a goroutine
// works off.
type Monitor struct {
	in    chan string
	queue *delayed
}

type delayed struct {
	notes map[string]int
}

func NewMonitor() *Monitor {
	return &Monitor{in: make(chan string), queue: &delayed{notes: make(map[string]int)}}
}

func (d *delayed) delayBad(k string) { d.notes[k]++ } // want `: d\.notes.*, low`

func (d *delayed) doneBad(k string) { delete(d.notes, k) } // want `: d\.notes.*, low`

func (m *Monitor) Delay(k string) { m.queue.delayBad(k) }

func (m *Monitor) Start() {
	go func() {
		for k := range m.in {
			m.queue.doneBad(k)
		}
	}()
}
