package owned

import (
	"errors"
	"path"
	"sync"
)

// What a function gets from itself comes from the ways that end the recursion: what it stores in there stays with the one
// who has the whole.

type drawer struct {
	in   *cabinet
	over *drawer
	last *drawer
}

type cabinet struct {
	mu      sync.Mutex
	drawers map[string]*drawer
}

// drawer returns the drawer of a name, and makes it, with those over it. The caller must hold c.mu.
func (c *cabinet) drawer(name string) (*drawer, error) {
	if d, ok := c.drawers[name]; ok {
		return d, nil
	}
	if name == "" {
		return nil, errors.New("no name")
	}
	d := &drawer{in: c}
	if up := path.Dir(name); up != name {
		over, err := c.drawer(up)
		if err != nil {
			return nil, err
		}
		d.over, over.last = over, d
	}
	c.drawers[name] = d
	return d, nil
}

func (c *cabinet) Drawer(name string) (*drawer, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.drawer(name)
}

func NewCabinetOk(names []string) (*cabinet, error) {
	c := &cabinet{drawers: make(map[string]*drawer)}
	for _, n := range names {
		if _, err := c.drawer(n); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// Here one of the ways that end the recursion gives what others know.

type shelf struct {
	in   *store
	over *shelf
	last *shelf
}

type store struct {
	mu      sync.Mutex
	shelves map[string]*shelf
}

var ground = new(shelf)

// shelf returns the shelf of a name, and makes it, with those over it. The caller must hold s.mu.
func (s *store) shelf(name string) *shelf {
	if name == "." {
		return ground
	}
	if b, ok := s.shelves[name]; ok {
		return b
	}
	b := &shelf{in: s, over: s.shelf(path.Dir(name))}
	b.over.last = b
	s.shelves[name] = b
	return b
}

func (s *store) Shelf(name string) *shelf {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.shelf(name)
}

func newStoreBad(names []string) *store {
	s := &store{shelves: make(map[string]*shelf)}
	for _, n := range names {
		s.shelf(n) // want `unguarded-access: store.shelf needs mu.*, low`
	}
	return s
}

// And here the recursion lets others know what it makes.

type pond struct {
	mu    sync.Mutex
	fish  map[string]*fish
	spawn chan *fish
}

type fish struct {
	in   *pond
	from *fish
}

// hatch must be called with p.mu held.
func (p *pond) hatch(name string, n int) *fish {
	f := &fish{in: p}
	if n > 0 {
		f.from = p.hatch(name+"'", n-1)
		p.spawn <- f.from
	}
	p.fish[name] = f
	return f
}

func (p *pond) Hatch(name string) *fish {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.hatch(name, 1)
}

func newPondBad(names []string, spawn chan *fish) *pond {
	p := &pond{fish: make(map[string]*fish), spawn: spawn}
	for _, n := range names {
		p.hatch(n, 3) // want `unguarded-access: pond.hatch needs mu.*, low`
	}
	return p
}
