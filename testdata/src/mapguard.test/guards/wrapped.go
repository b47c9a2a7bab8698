package guards

import "sync"

// A lock of a wrapper is there for what comes through the wrapper. Where that is put around data which its maker's caller
// has already, the data is used without it as well: by those who have a copy, or one for an operation of theirs.

type Sheet struct{ Cells map[int]string }

type Folder struct{ Sheets map[string]*Sheet }

func (f *Folder) sheet(name string) *Sheet {
	s := f.Sheets[name]
	if s == nil {
		s = &Sheet{Cells: make(map[int]string)}
		f.Sheets[name] = s
	}
	return s
}

func (s *Sheet) CopyOk() *Sheet {
	out := &Sheet{Cells: make(map[int]string)}
	for n, c := range s.Cells {
		out.Cells[n] = c
	}
	return out
}

func (f *Folder) AllOk() *Folder {
	out := &Folder{Sheets: make(map[string]*Sheet)}
	for name, s := range f.Sheets {
		out.Sheets[name] = s.CopyOk()
	}
	return out
}

type Desk struct {
	mu     sync.Mutex
	folder *Folder
}

func Around(f *Folder) *Desk { return &Desk{folder: f} }

func (d *Desk) Write(name string, n int, text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.folder.sheet(name).Cells[n] = text
}

func (d *Desk) Blank(name string, n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if s := d.folder.Sheets[name]; s != nil {
		delete(s.Cells, n)
	}
}

func (d *Desk) BlankAll(n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, s := range d.folder.Sheets {
		delete(s.Cells, n)
	}
}

func (d *Desk) Sheet(name string) *Sheet {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.folder.sheet(name).CopyOk()
}

// Here the wrapper itself comes to the data without its lock.

type Card struct{ Lines map[int]string }

type Box struct{ Cards map[string]*Card }

func (b *Box) card(name string) *Card {
	c := b.Cards[name]
	if c == nil {
		c = &Card{Lines: make(map[int]string)}
		b.Cards[name] = c
	}
	return c
}

func (c *Card) CountBad() (n int) {
	for _, l := range c.Lines { // want `unguarded-access: c.Lines is ranged over without mu`
		n += len(l)
	}
	return n
}

type Keeper struct {
	mu  sync.Mutex
	box *Box
}

func Keep(b *Box) *Keeper { return &Keeper{box: b} }

func (k *Keeper) Write(name string, n int, text string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.box.card(name).Lines[n] = text
}

func (k *Keeper) Blank(name string, n int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if c := k.box.Cards[name]; c != nil {
		delete(c.Lines, n)
	}
}

func (k *Keeper) BlankAll(n int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, c := range k.box.Cards {
		delete(c.Lines, n)
	}
}

func (k *Keeper) Length(name string) int {
	k.mu.Lock()
	c := k.box.Cards[name]
	k.mu.Unlock()
	return c.CountBad()
}

// And here it makes the data: who has a part of it has it from there.

type Page struct{ Words map[int]string }

type Tome struct{ Pages map[string]*Page }

func (t *Tome) page(name string) *Page {
	p := t.Pages[name]
	if p == nil {
		p = &Page{Words: make(map[int]string)}
		t.Pages[name] = p
	}
	return p
}

func (p *Page) LengthBad() (n int) {
	for _, w := range p.Words { // want `unguarded-access: p.Words is ranged over without mu`
		n += len(w)
	}
	return n
}

type Author struct {
	mu   sync.Mutex
	tome *Tome
}

func NewAuthor() *Author { return &Author{tome: &Tome{Pages: make(map[string]*Page)}} }

func (a *Author) Write(name string, n int, text string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.tome.page(name).Words[n] = text
}

func (a *Author) Blank(name string, n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if p := a.tome.Pages[name]; p != nil {
		delete(p.Words, n)
	}
}

func (a *Author) BlankAll(n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, p := range a.tome.Pages {
		delete(p.Words, n)
	}
}

func (a *Author) Page(name string) *Page {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.tome.page(name)
}
