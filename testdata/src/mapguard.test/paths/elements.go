package paths

import "sync"

// A shard is one of many, kept in slices, arrays and maps.
type shard struct {
	mu sync.Mutex
	// guarded by mu
	m map[string]*conn
}

type sharded struct {
	slice []shard
	ptrs  []*shard
	array [8]shard
	named map[string]*shard
}

func (s *sharded) sliceBad(i int, k string) {
	if s.slice[i].m[k] == nil { // want `check-then-act: .*\.m`
		s.slice[i].m[k] = &conn{}
	}
}

func (s *sharded) sliceOk(i int, k string) {
	s.slice[i].mu.Lock()
	defer s.slice[i].mu.Unlock()
	if s.slice[i].m[k] == nil {
		s.slice[i].m[k] = &conn{}
	}
}

func (s *sharded) sliceAliasOk(i int, k string) {
	sh := &s.slice[i]
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if sh.m[k] == nil {
		sh.m[k] = &conn{}
	}
}

func (s *sharded) pointersBad(i int, k string) {
	sh := s.ptrs[i]
	if sh.m[k] == nil { // want `check-then-act: .*\.m`
		sh.m[k] = &conn{}
	}
}

func (s *sharded) pointersOk(i int, k string) {
	sh := s.ptrs[i]
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if sh.m[k] == nil {
		sh.m[k] = &conn{}
	}
}

func (s *sharded) arrayBad(i int, k string) {
	if s.array[i].m[k] == nil { // want `check-then-act: .*\.m`
		s.array[i].m[k] = &conn{}
	}
}

// The same index, computed twice.
func (s *sharded) computedIndexBad(i int, k string) {
	if s.array[i%8].m[k] == nil { // want `check-then-act: .*\.m`
		s.array[i%8].m[k] = &conn{}
	}
}

func (s *sharded) arrayOk(i int, k string) {
	sh := &s.array[i%8]
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if sh.m[k] == nil {
		sh.m[k] = &conn{}
	}
}

func (s *sharded) rangeBad(k string) {
	for _, sh := range s.ptrs {
		if sh.m[k] == nil { // want `check-then-act: .*\.m`
			sh.m[k] = &conn{}
		}
	}
}

func (s *sharded) rangeOk(k string) {
	for _, sh := range s.ptrs {
		sh.mu.Lock()
		if sh.m[k] == nil {
			sh.m[k] = &conn{}
		}
		sh.mu.Unlock()
	}
}

func (s *sharded) mapOfStructsBad(name, k string) {
	if s.named[name].m[k] == nil { // want `check-then-act: .*\.m`
		s.named[name].m[k] = &conn{}
	}
}

func (s *sharded) mapOfStructsOk(name, k string) {
	sh := s.named[name]
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if sh.m[k] == nil {
		sh.m[k] = &conn{}
	}
}

func (s *sharded) otherShardsLockBad(i, j int, k string) {
	s.slice[i].mu.Lock()
	defer s.slice[i].mu.Unlock()
	if s.slice[j].m[k] == nil { // want `check-then-act: .*\.m`
		s.slice[j].m[k] = &conn{}
	}
}

// A tree keeps maps in maps.
type tree struct {
	mu sync.Mutex
	// guarded by mu
	byOwner map[string]map[string]*conn
	// guarded by mu
	deep map[string]map[string]map[string]int
}

func (t *tree) innerBad(owner, k string) {
	if t.byOwner[owner][k] == nil { // want `check-then-act: .*byOwner`
		t.byOwner[owner][k] = &conn{}
	}
}

func (t *tree) innerOk(owner, k string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.byOwner[owner][k] == nil {
		t.byOwner[owner][k] = &conn{}
	}
}

func (t *tree) makeInnerBad(owner, k string) {
	inner := t.byOwner[owner] // want `check-then-act: .*byOwner`
	if inner == nil {
		inner = make(map[string]*conn)
		t.byOwner[owner] = inner
	}
	t.mu.Lock()
	inner[k] = &conn{}
	t.mu.Unlock()
}

func (t *tree) makeInnerOk(owner, k string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	inner := t.byOwner[owner]
	if inner == nil {
		inner = make(map[string]*conn)
		t.byOwner[owner] = inner
	}
	inner[k] = &conn{}
}

func (t *tree) innerAliasOutlivesLockBad(owner, k string) {
	t.mu.Lock()
	inner := t.byOwner[owner]
	t.mu.Unlock()
	if inner[k] == nil { // want `check-then-act: .*byOwner`
		inner[k] = &conn{}
	}
}

func (t *tree) threeDeepBad(a, b, c string) {
	if t.deep[a][b][c] == 0 { // want `check-then-act: .*deep`
		t.deep[a][b][c] = 1
	}
}

func (t *tree) threeDeepOk(a, b, c string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.deep[a][b][c] == 0 {
		t.deep[a][b][c] = 1
	}
}

func (t *tree) dropEmptyInnerOk(owner, k string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.byOwner[owner], k)
	if len(t.byOwner[owner]) == 0 {
		delete(t.byOwner, owner)
	}
}
