package mapescape

import (
	"errors"
	"os"
	"strings"
	"sync"
)

// What comes behind a section that makes a map where there is none may read it without the lock, if it cannot come there
// in another way.

// The call that makes it may fail, and its caller goes on.
type Teas struct {
	mu    sync.Mutex
	names map[string]int // guarded by mu
}

func (t *Teas) Weight(n string, kinds []string) int {
	_ = t.prepare(kinds)
	return t.weightBad(n)
}

func (t *Teas) prepare(kinds []string) error {
	if len(kinds) == 0 {
		return errors.New("no kinds")
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.names == nil {
		t.names = make(map[string]int)
		for i, n := range kinds {
			t.names[n] = i
		}
	}
	return nil
}

func (t *Teas) weightBad(n string) int {
	return t.names[n] // want `unguarded-access: t\.names`
}

// One in between does not tell its caller of the error.
type Nuts struct {
	mu    sync.Mutex
	names map[string]int // guarded by mu
}

func (t *Nuts) Weight(n string, kinds []string) (int, error) {
	if err := t.ensure(kinds); err != nil {
		return 0, err
	}
	return t.weightBad(n), nil
}

func (t *Nuts) ensure(kinds []string) error {
	if err := t.prepare(kinds); err != nil {
		println(err.Error())
	}
	return nil
}

func (t *Nuts) prepare(kinds []string) error {
	if len(kinds) == 0 {
		return errors.New("no kinds")
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.names == nil {
		t.names = make(map[string]int)
		for i, n := range kinds {
			t.names[n] = i
		}
	}
	return nil
}

func (t *Nuts) weightBad(n string) int {
	return t.names[n] // want `unguarded-access: t\.names`
}

// One in between hands the error on.
type Oils struct {
	mu    sync.Mutex
	file  string
	names map[string]int // guarded by mu
}

func (o *Oils) Weight(n string) (int, error) {
	if err := o.ensure(); err != nil {
		return 0, err
	}
	return o.weightOk(n), nil
}

func (o *Oils) Weights(all []string) (sum int, err error) {
	if err := o.prepare(); err != nil {
		return 0, err
	}
	for _, n := range all {
		sum += o.weightOk(n)
	}
	return sum, nil
}

func (o *Oils) ensure() error { return o.prepare() }

func (o *Oils) prepare() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.names != nil {
		return nil
	}
	text, err := os.ReadFile(o.file)
	if err != nil {
		return err
	}
	o.names = make(map[string]int)
	for i, n := range strings.Fields(string(text)) {
		o.names[n] = i
	}
	return nil
}

func (o *Oils) weightOk(n string) int { return o.names[n] }

// The section may end without a map, and its caller is not told.
type Jams struct {
	mu    sync.Mutex
	file  string
	names map[string]int // guarded by mu
}

func (j *Jams) Weight(n string) int {
	j.prepare()
	return j.weightBad(n)
}

func (j *Jams) prepare() {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.names != nil {
		return
	}
	text, err := os.ReadFile(j.file)
	if err != nil {
		return
	}
	j.names = make(map[string]int)
	for i, n := range strings.Fields(string(text)) {
		j.names[n] = i
	}
}

func (j *Jams) weightBad(n string) int {
	return j.names[n] // want `unguarded-access: j\.names`
}

// It makes one only while something else is so.
type Inks struct {
	mu    sync.Mutex
	wet   bool
	names map[string]int // guarded by mu
}

func (i *Inks) Fill() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.wet = true
}

func (i *Inks) Weight(n string) int {
	i.prepare()
	return i.weightBad(n)
}

func (i *Inks) prepare() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.names == nil && i.wet {
		i.names = make(map[string]int)
		i.names["blue"] = 1
	}
}

func (i *Inks) weightBad(n string) int {
	return i.names[n] // want `unguarded-access: i\.names`
}

// Who finds a map without the lock does not come to the section, though the map may be in the making.
type Dyes struct {
	mu    sync.Mutex
	kinds []string
	names map[string]int // guarded by mu
}

func (d *Dyes) Weight(n string) int {
	d.prepare()
	return d.weightBad(n)
}

func (d *Dyes) prepare() {
	if d.names != nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.names == nil {
		d.names = make(map[string]int)
		for i, n := range d.kinds {
			d.names[n] = i
		}
	}
}

func (d *Dyes) weightBad(n string) int {
	return d.names[n] // want `unguarded-access: d\.names`
}

// The path leads to another object by then.
type Rugs struct {
	mu    sync.Mutex
	names map[string]int // guarded by mu
	next  *Rugs
}

type RugWalk struct{ at *Rugs }

func (w *RugWalk) Weight(n string) int {
	w.at.prepare()
	w.at = w.at.next
	return w.weight(n)
}

func (w *RugWalk) weight(n string) int { return w.at.weightBad(n) }

func (r *Rugs) prepare() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.names == nil {
		r.names = make(map[string]int)
		r.names["red"] = 1
	}
}

func (r *Rugs) weightBad(n string) int {
	return r.names[n] // want `unguarded-access: r\.names`
}

// So does the name of a variable.
type mats struct {
	mu    sync.Mutex
	names map[string]int // guarded by mu
}

var newestMats = &mats{}

func MatWeight(n string) int {
	newestMats.prepare()
	newestMats = &mats{}
	return matWeightBad(n)
}

func matWeightBad(n string) int {
	return newestMats.names[n] // want `unguarded-access: newestMats\.names`
}

func (m *mats) prepare() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.names == nil {
		m.names = make(map[string]int)
		m.names["red"] = 1
	}
}

// A function that holds the lock runs what makes the map.
type Caps struct {
	mu    sync.Mutex
	names map[string]int // guarded by mu
}

func (c *Caps) Weight(n string) int {
	c.locked(func() {
		if c.names == nil {
			c.names = make(map[string]int)
			c.names["red"] = 1
		}
	})
	return c.weightOk(n)
}

func (c *Caps) locked(do func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	do()
}

func (c *Caps) weightOk(n string) int { return c.names[n] }

// It does not always.
type Hats struct {
	mu    sync.Mutex
	shut  bool
	names map[string]int // guarded by mu
}

func (h *Hats) Weight(n string) int {
	h.locked(func() {
		if h.names == nil {
			h.names = make(map[string]int)
			h.names["red"] = 1
		}
	})
	return h.weightBad(n)
}

func (h *Hats) Turn() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.shut = !h.shut
}

func (h *Hats) locked(do func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.shut {
		do()
	}
}

func (h *Hats) weightBad(n string) int {
	return h.names[n] // want `unguarded-access: h\.names`
}
