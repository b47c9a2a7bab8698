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
