package paths

import "sync"

// A bundle keeps maps in arrays, slices, struct values and interfaces.
type bundle struct {
	mu     sync.Mutex
	array  [4]map[string]int        // guarded by mu
	slice  []map[string]int         // guarded by mu
	values map[string]inline        // guarded by mu
	value  inline                   // guarded by mu
	boxed  any                      // guarded by mu
	sets   map[string]struct{}      // guarded by mu
	funcs  map[string]func() string // guarded by mu
}

type inline struct{ m map[string]int }

func (b *bundle) arrayOfMapsBad(i int, k string) {
	if b.array[i][k] == 0 { // want `check-then-act: .*b\.array`
		b.array[i][k] = 1
	}
}

func (b *bundle) arrayOfMapsOk(i int, k string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.array[i][k] == 0 {
		b.array[i][k] = 1
	}
}

func (b *bundle) sliceOfMapsBad(i int, k string) {
	if b.slice[i][k] == 0 { // want `check-then-act: .*b\.slice`
		b.slice[i][k] = 1
	}
}

// A map in a struct that is itself a map's value is a location of its own; the
// only lock around it is the bundle's.
func (b *bundle) structValuesBad(name, k string) {
	v := b.values[name]
	if v.m[k] == 0 { // want `check-then-act: .*high`
		v.m[k] = 1
	}
}

func (b *bundle) structValuesOk(name, k string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	v := b.values[name]
	if v.m[k] == 0 {
		v.m[k] = 1
	}
}

// The struct is a copy, the map in it is not.
func (b *bundle) copiedStructBad(k string) {
	v := b.value
	if v.m[k] == 0 { // want `check-then-act: .*high`
		v.m[k] = 1
	}
}

func (b *bundle) boxedBad(k string) {
	m := b.boxed.(map[string]int)
	if m[k] == 0 { // want `check-then-act: .*b\.boxed`
		m[k] = 1
	}
}

func (b *bundle) setsBad(k string) bool {
	if _, ok := b.sets[k]; ok { // want `check-then-act: .*b\.sets`
		return false
	}
	b.sets[k] = struct{}{}
	return true
}

func (b *bundle) functionsBad(k string, f func() string) {
	if b.funcs[k] == nil { // want `check-then-act: .*b\.funcs`
		b.funcs[k] = f
	}
}

func (b *bundle) everythingOk(k string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, ok := b.sets[k]; !ok {
		b.sets[k] = struct{}{}
	}
	if b.funcs[k] == nil {
		b.funcs[k] = func() string { return k }
	}
	m := b.boxed.(map[string]int)
	m[k]++
	b.value.m[k]++
	b.slice[0][k]++
}
