package tested

import "testing"

func TestPool(t *testing.T) {
	p := &pool{m: make(map[string]*int)}
	p.ensureOk("a")
	if p.m["a"] == nil {
		t.Fatal("missing")
	}
}

// Tests set things up in ways that would be wrong elsewhere; their files are
// left out.
func inTestOk(p *pool, k string) {
	if p.m[k] == nil {
		p.m[k] = new(int)
	}
}
