package unpublished

import "sync"

// Each caller has a map of its own, which a helper fills in a loop.
type tags struct{ n int }

func (t *tags) collectOk(refs *sync.Map) {
	for range t.n {
		t.tagOk("a", refs)
	}
}

func (t *tags) tagOk(name string, refs *sync.Map) {
	n, ok := refs.Load(name)
	if !ok {
		n = 0
	}
	refs.Store(name, n.(int)+1)
}

func countOk() int {
	var refs sync.Map
	t := &tags{n: 3}
	t.collectOk(&refs)
	t.collectOk(&refs)
	n, _ := refs.Load("a")
	return n.(int)
}

// One of the callers shares it.
func (t *tags) noteBad(name string, refs *sync.Map) {
	n, ok := refs.Load(name)
	if !ok {
		n = 0
	}
	refs.Store(name, n.(int)+1) // want `sync-map: .*`
}

func noteBoth() {
	var refs sync.Map
	t := &tags{}
	for range 3 {
		go t.noteBad("a", &refs)
	}
	var own sync.Map
	t.noteBad("a", &own)
}
