package copyonwrite

import (
	"maps"
	"sync"
)

// Readers get the table by one lock, and only read it; a writer has another lock, fills a clone
// and publishes that. Nothing changes a published table, so that no lock guards its maps.
type table struct{ m map[string]int }

type tables struct {
	mu  sync.RWMutex
	t   *table
	wmu sync.Mutex
}

func (a *tables) cur() *table {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return a.t
}

func (a *tables) publish(t *table) {
	a.mu.Lock()
	a.t = t
	a.mu.Unlock()
}

func (a *tables) getOrAddOk(k string) {
	if _, ok := a.cur().m[k]; ok {
		return
	}
	a.wmu.Lock()
	defer a.wmu.Unlock()
	t := &table{maps.Clone(a.cur().m)}
	t.m[k] = 1
	a.publish(t)
}

var allTables = &tables{t: &table{map[string]int{}}}

func useTables() {
	for range 3 {
		go allTables.getOrAddOk("a")
	}
}

// The same with methods that clone and fill, and a second look under the writers' lock.
type index struct {
	byName map[string]int
	byID   map[int]string
}

func (x *index) clone() *index { return &index{maps.Clone(x.byName), maps.Clone(x.byID)} }

func (x *index) addOk(k string) {
	if _, ok := x.byName[k]; ok {
		return
	}
	x.byName[k] = len(x.byID)
	x.byID[len(x.byID)] = k
}

type indexes struct {
	mu  sync.RWMutex
	x   *index
	wmu sync.Mutex
}

func (a *indexes) cur() *index {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return a.x
}

func (a *indexes) getOrAddIndexedOk(k string) {
	if _, ok := a.cur().byName[k]; ok {
		return
	}
	a.wmu.Lock()
	defer a.wmu.Unlock()
	if _, ok := a.cur().byName[k]; ok {
		return
	}
	x := a.cur().clone()
	x.addOk(k)
	a.mu.Lock()
	a.x = x
	a.mu.Unlock()
}

var allIndexes = &indexes{x: &index{map[string]int{}, map[int]string{}}}

func useIndexes() {
	for range 3 {
		go allIndexes.getOrAddIndexedOk("a")
	}
}

// The writer changes the clone once more when it is published.
type lateTable struct{ m map[string]int }

type lateTables struct {
	mu  sync.RWMutex
	t   *lateTable
	wmu sync.Mutex
}

func (a *lateTables) cur() *lateTable {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return a.t
}

func (a *lateTables) changedLaterBad(k string) {
	if _, ok := a.cur().m[k]; ok { // want `unguarded-access: a\.t\.m is read without wmu`
		return
	}
	a.wmu.Lock()
	defer a.wmu.Unlock()
	t := &lateTable{maps.Clone(a.cur().m)}
	a.mu.Lock()
	a.t = t
	a.mu.Unlock()
	t.m[k] = 1
}

var allLateTables = &lateTables{t: &lateTable{map[string]int{}}}

func useLateTables() {
	for range 3 {
		go allLateTables.changedLaterBad("a")
	}
}

// The clone has the inner maps of the published table.
type nested struct{ m map[string]map[string]int }

type nestedTables struct {
	mu  sync.RWMutex
	t   *nested
	wmu sync.Mutex
}

func (a *nestedTables) cur() *nested {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return a.t
}

func (a *nestedTables) innerChangedBad(k string) {
	if _, ok := a.cur().m["a"][k]; ok { // want `unguarded-access: a\.t\.m.* is read without a lock, .*, low`
		return
	}
	a.wmu.Lock()
	defer a.wmu.Unlock()
	t := &nested{maps.Clone(a.cur().m)}
	t.m["a"][k] = 1
	a.mu.Lock()
	a.t = t
	a.mu.Unlock()
}

var allNestedTables = &nestedTables{t: &nested{map[string]map[string]int{}}}

func useNestedTables() {
	for range 3 {
		go allNestedTables.innerChangedBad("a")
	}
}

// The writer changes the published table itself.
type sameTable struct{ m map[string]int }

type sameTables struct {
	mu  sync.RWMutex
	t   *sameTable
	wmu sync.Mutex
}

func (a *sameTables) cur() *sameTable {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return a.t
}

func (a *sameTables) getFromSameBad(k string) int {
	return a.cur().m[k] // want `goroutine-race: allSameTables\.t\.m is read`
}

func (a *sameTables) addInPlaceOk(k string) {
	a.wmu.Lock()
	defer a.wmu.Unlock()
	t := &sameTable{a.cur().m}
	t.m[k] = 1
	a.mu.Lock()
	a.t = t
	a.mu.Unlock()
}

var allSameTables = &sameTables{t: &sameTable{map[string]int{}}}

func useSameTables() {
	for range 3 {
		go allSameTables.getFromSameBad("a")
		go allSameTables.addInPlaceOk("a")
	}
}
