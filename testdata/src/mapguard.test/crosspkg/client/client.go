// Package client is the third one. // want package:`locked\.m by locked\.mu`
package client

import (
	"sync"

	"mapguard.test/crosspkg/api"
	"mapguard.test/crosspkg/store"
)

func throughTwoPackagesBad(s *api.Server, k string) *store.Item {
	v := s.Find(k)
	if v == nil {
		v = &store.Item{}
		s.Add(k, v) // want `split-lock: .*items`
	}
	return v
}

func openBad(o *store.Open, k string) {
	if !o.Has(k) { // want `check-then-act: .*items`
		o.Add(k, &store.Item{})
	}
}

func openOk(o *store.Open, k string) {
	o.Mu.Lock()
	defer o.Mu.Unlock()
	if !o.Has(k) {
		o.Add(k, &store.Item{})
	}
}

func openSplitBad(o *store.Open, k string) {
	o.Mu.Lock()
	has := o.Has(k)
	o.Mu.Unlock()
	if !has {
		o.Mu.Lock()
		defer o.Mu.Unlock()
		o.Add(k, &store.Item{}) // want `split-lock: .*items`
	}
}

type own struct {
	o store.Open
	m map[string]*store.Item // guarded by o.Mu
}

// The lock stands in the struct of a field.
func (w *own) paramBad(k string) {
	if !store.Exists(w.m, k) { // want `check-then-act: .*w\.m`
		w.m[k] = &store.Item{}
	}
}

func (w *own) paramOk(k string) {
	w.o.Mu.Lock()
	defer w.o.Mu.Unlock()
	if !store.Exists(w.m, k) {
		w.m[k] = &store.Item{}
	}
}

func (w *own) ensureBad(k string) {
	store.Ensure(w.m, k) // want `(check-then-act|unguarded-access): .*w\.m`
}

func (w *own) ensureOk(k string) {
	w.o.Mu.Lock()
	defer w.o.Mu.Unlock()
	store.Ensure(w.m, k)
}

func genericBad(c *store.Cache[string, *store.Item], k string) *store.Item {
	v, ok := c.Load(k)
	if !ok {
		v = &store.Item{}
		c.Save(k, v) // want `split-lock: .*m`
	}
	return v
}

func genericDifferentCachesOk(c, d *store.Cache[string, *store.Item], k string) {
	if _, ok := c.Load(k); !ok {
		d.Save(k, &store.Item{})
	}
}

// Mu is forgotten: the documentation of Add asks for it.
func openForgottenBad(o *store.Open, k string) {
	o.Add(k, &store.Item{}) // want `unguarded-access: .*items`
}

type items struct {
	mu sync.Mutex
	m  map[string]*store.Item // guarded by mu
}

func (i *items) ensureBad(k string) {
	store.Ensure(i.m, k) // want `(check-then-act|unguarded-access): .*i\.m`
}

func (i *items) ensureOk(k string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	store.Ensure(i.m, k)
}

func (i *items) existsBad(k string) {
	if !store.Exists(i.m, k) { // want `check-then-act: .*i\.m`
		i.m[k] = &store.Item{}
	}
}

func (i *items) existsOk(k string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if !store.Exists(i.m, k) {
		i.m[k] = &store.Item{}
	}
}

type locked struct {
	mu sync.Mutex
	m  map[string]int // guarded by mu
}

// The imported function never returns, so the unlocking path ends there.
func (l *locked) noReturnOk(k string) {
	l.mu.Lock()
	if l.m[k] != 0 {
		l.mu.Unlock()
		store.Die("twice")
	}
	l.m[k] = 1
	l.mu.Unlock()
}
