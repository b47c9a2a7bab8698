package syncmap

import "sync"

// A second map leads from another key to what the first one has: all who look there get the same object.

type coin struct {
	hits int
	uses map[string]int
}

type mint struct {
	coins   sync.Map // by design
	byLabel sync.Map
	rates   sync.Map
}

func design(label string) string { return label[:1] }

func (m *mint) coinOk(label string) *coin {
	if c, ok := m.byLabel.Load(label); ok {
		return c.(*coin)
	}
	d := design(label)
	c, ok := m.coins.Load(d)
	if !ok {
		c, _ = m.coins.LoadOrStore(d, &coin{uses: make(map[string]int)})
	}
	m.noteOk(label, c.(*coin))
	return c.(*coin)
}

func (m *mint) foundOk(label string) *coin {
	if c, ok := m.byLabel.Load(label); ok {
		return c.(*coin)
	}
	c, ok := m.coins.Load(design(label))
	if !ok {
		return nil
	}
	found := c.(*coin)
	found.hits++
	m.byLabel.Store(label, found)
	return found
}

func (m *mint) noteOk(label string, c *coin) { m.byLabel.Store(label, c) }

// The key of the first map is the caller's: two callers come with two.

type bank struct {
	tills sync.Map
	users sync.Map
}

func (b *bank) tillBad(user, till string) *coin {
	if c, ok := b.users.Load(user); ok {
		return c.(*coin)
	}
	c, ok := b.tills.Load(till)
	if !ok {
		return nil
	}
	found := c.(*coin)
	found.hits++
	b.users.Store(user, found) // want `sync-map: Load at line \d+ and Store here on b.users`
	return found
}

// What is found is only what the object is made of.

func (b *bank) copyBad(user string) *coin {
	if c, ok := b.users.Load(user); ok {
		return c.(*coin)
	}
	c, ok := b.tills.Load(design(user))
	if !ok {
		return nil
	}
	made := &coin{hits: c.(*coin).hits}
	b.users.Store(user, made) // want `sync-map: Load at line \d+ and Store here on b.users`
	made.hits++
	return made
}

// Another function renews what the first map has: who looked before that puts the old one in.

type medal struct {
	wins int
	by   map[string]int
}

type vault struct {
	medals sync.Map
	named  sync.Map
}

func (v *vault) renew(label string) *medal {
	m := &medal{by: make(map[string]int)}
	v.medals.Store(design(label), m)
	v.named.Store(label, m)
	return m
}

func (v *vault) medalBad(label string) *medal {
	if m, ok := v.named.Load(label); ok {
		return m.(*medal)
	}
	m, ok := v.medals.Load(design(label))
	if !ok {
		return nil
	}
	found := m.(*medal)
	found.wins++
	v.named.Store(label, found) // want `sync-map: Load at line \d+ and Store here on v.named`
	return found
}

// What is put in once, and taken out, is one object.

type chest struct {
	pins  sync.Map
	named sync.Map
}

func newChest(label string) *chest {
	c := &chest{}
	c.pins.Store(design(label), &medal{by: make(map[string]int)})
	return c
}

func (c *chest) add(label string) {
	c.pins.LoadOrStore(design(label), &medal{by: make(map[string]int)})
}

func (c *chest) drop(label string) {
	c.pins.Delete(design(label))
	c.named.Delete(label)
}

func (c *chest) pinOk(label string) *medal {
	if m, ok := c.named.Load(label); ok {
		return m.(*medal)
	}
	m, ok := c.pins.Load(design(label))
	if !ok {
		return nil
	}
	found := m.(*medal)
	found.wins++
	c.named.Store(label, found)
	return found
}
