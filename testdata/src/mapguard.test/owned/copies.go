package owned

import (
	"maps"
	"sync"
)

// A struct that is copied is another object. What a field of the copy refers to
// is still the original's, until the field is assigned.

type settings struct {
	name  string
	meta  map[string]string
	tags  map[string]string
	inner *tagset
	early map[string]string
	some  map[string]string
	gone  map[string]string
	out   map[string]string
}

type tagset struct{ m map[string]string }

type holder struct {
	mu  sync.Mutex
	cfg settings
	ptr *settings
}

func (h *holder) Set(k, v string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.cfg.meta[k] = v
	h.cfg.tags[k] = v
	h.cfg.early[k], h.cfg.some[k], h.cfg.gone[k], h.ptr.out[k] = v, v, v, v
	h.ptr.meta[k] = v
	h.ptr.inner.m[k] = v
}

func (h *holder) Size() (n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for range h.cfg.meta {
		n++
	}
	for range h.cfg.gone {
		n++
	}
	return n + len(h.cfg.tags) + len(h.cfg.early) + len(h.cfg.some) + len(h.ptr.out) + len(h.ptr.meta) + len(h.ptr.inner.m)
}

func (h *holder) Drop(k string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.cfg.meta, k)
	delete(h.cfg.tags, k)
	delete(h.cfg.early, k)
	delete(h.cfg.some, k)
	delete(h.cfg.gone, k)
	delete(h.ptr.out, k)
	delete(h.ptr.meta, k)
	delete(h.ptr.inner.m, k)
}

func (h *holder) clonedOk(k string) settings {
	h.mu.Lock()
	c := h.cfg
	c.meta = maps.Clone(c.meta)
	h.mu.Unlock()
	c.meta[k] = "x"
	return c
}

// The other map is the original's.
func (h *holder) otherFieldBad(k string) settings {
	h.mu.Lock()
	c := h.cfg
	c.meta = maps.Clone(c.meta)
	h.mu.Unlock()
	c.tags[k] = "x" // want `unguarded-access: .*tags`
	return c
}

func (h *holder) beforeBad(k string) settings {
	h.mu.Lock()
	c := h.cfg
	h.mu.Unlock()
	c.early[k] = "x" // want `unguarded-access: .*early`
	c.early = map[string]string{}
	c.early[k] = "y"
	return c
}

func (h *holder) onOnePathBad(k string, deep bool) settings {
	h.mu.Lock()
	c := h.cfg
	if deep {
		c.some = maps.Clone(c.some)
	}
	h.mu.Unlock()
	c.some[k] = "x" // want `unguarded-access: .*some`
	return c
}

// Where the original has none, nothing is shared.
func (s *settings) clone() *settings {
	if s == nil {
		return nil
	}
	c := &settings{}
	*c = *s
	if s.meta != nil {
		c.meta = make(map[string]string)
		for k, v := range s.meta {
			c.meta[k] = v
		}
	}
	return c
}

func (h *holder) cloneMethodOk(k string) *settings {
	h.mu.Lock()
	c := h.ptr.clone()
	h.mu.Unlock()
	c.meta[k] = "x"
	return c
}

// clone leaves the inner object as it is.
func (h *holder) cloneShallowBad(k string) *settings {
	h.mu.Lock()
	c := h.ptr.clone()
	h.mu.Unlock()
	c.inner.m[k] = "x" // want `unguarded-access: .*\.m `
	return c
}

func mark(s *settings, k string) {
	s.meta[k] = "x"
	delete(s.meta, "old")
}

func (h *holder) handedOnOk(k string) settings {
	h.mu.Lock()
	c := h.cfg
	c.meta = maps.Clone(c.meta)
	h.mu.Unlock()
	mark(&c, k)
	return c
}

func strip(s *settings, k string) { delete(s.gone, k) } // want `unguarded-access: .*gone.*, low`

// strip is told at its change: this call hands it the original's map.
func (h *holder) handedOnBefore(k string) settings {
	h.mu.Lock()
	c := h.cfg
	h.mu.Unlock()
	strip(&c, k)
	c.gone = map[string]string{}
	return c
}

// Once it is stored where others look, the copy is theirs, too.
func (h *holder) publishedBad(k string) {
	h.mu.Lock()
	c := *h.ptr
	c.out = maps.Clone(c.out)
	h.ptr = &c
	h.mu.Unlock()
	c.out[k] = "x" // want `unguarded-access: .*out`
}

func (h *holder) inARoundOk(keys []string) (out []settings) {
	for _, k := range keys {
		h.mu.Lock()
		c := h.cfg
		h.mu.Unlock()
		c.meta = map[string]string{}
		c.meta[k] = "x"
		out = append(out, c)
	}
	return out
}

func byValueOk(s settings, k string) settings {
	s.meta = maps.Clone(s.meta)
	s.meta[k] = "x"
	return s
}

func (h *holder) byValueOk(k string) settings {
	h.mu.Lock()
	c := h.cfg
	h.mu.Unlock()
	_ = c.name
	return byValueClonedOutside(c, k)
}

func byValueClonedOutside(s settings, k string) settings {
	s.meta = map[string]string{}
	s.meta[k] = "x"
	return s
}
