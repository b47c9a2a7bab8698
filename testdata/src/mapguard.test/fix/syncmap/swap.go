package syncmap

import (
	"sync"
	"time"
)

type tally struct {
	m     sync.Map
	limit int
}

type span struct {
	n    int
	last time.Duration
}

func (t *tally) start(k string) { t.m.LoadOrStore(k, 0) }

func (t *tally) addBad(k string) bool {
	v, ok := t.m.Load(k)
	if !ok {
		return false
	}
	// One more.
	n := v.(int) + 1
	t.m.Store(k, n) // want `sync-map: .*`
	return true
}

func (t *tally) nextBad(k string) int {
	v, ok := t.m.Load(k)
	if !ok {
		return 0
	}
	n := v.(int)
	if n >= t.limit {
		return n
	}
	n2 := n + 1
	t.m.Store(k, n2) // want `sync-map: .*`
	return n2
}

func (t *tally) underBad(k string) {
	if v, ok := t.m.Load(k); ok {
		t.m.Store(k, v.(int)+1) // want `sync-map: .*`
	}
}

func (t *tally) structBad(k string, d time.Duration) {
	v, ok := t.m.Load(k)
	if !ok {
		return
	}
	s := v.(*span)
	t.m.Store(k, &span{n: s.n + 1, last: d.Round(time.Second)}) // want `sync-map: .*`
	println(k)
}

func (t *tally) swapOk(k string) {
	for {
		v, ok := t.m.Load(k)
		if !ok || t.m.CompareAndSwap(k, v, v.(int)+1) {
			return
		}
	}
}
