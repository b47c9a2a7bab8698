package odd

import "sync"

// A coreMap is any map with string keys.
type coreMap[V any] interface{ ~map[string]V }

type guarded[M coreMap[V], V any] struct {
	mu sync.Mutex
	m  M // guarded by mu
}

func (g *guarded[M, V]) coreTypeBad(k string, v V) {
	if _, ok := g.m[k]; !ok { // want `check-then-act: .*g\.m`
		g.m[k] = v
	}
}

func (g *guarded[M, V]) coreTypeOk(k string, v V) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if _, ok := g.m[k]; !ok {
		g.m[k] = v
	}
}

type number interface{ ~int | ~float64 }

type counters[K comparable, N number] struct {
	sync.Mutex
	m map[K]N
}

func (c *counters[K, N]) addOk(k K, n N) {
	c.Lock()
	defer c.Unlock()
	c.m[k] += n
}

func (c *counters[K, N]) addBad(k K, n N) {
	c.m[k] += n // want `check-then-act: .*c\.m`
}

// lockerOf is generic over the lock.
func lockerOf[L interface {
	*T
	sync.Locker
}, T any](l L, f func()) {
	l.Lock()
	defer l.Unlock()
	f()
}

func (p *pool) typeParameterLockOk(k string) {
	lockerOf(&p.mu, func() {
		if p.m[k] == 0 {
			p.m[k] = 1
		}
	})
}

// recursiveType refers to itself in its constraint.
type recursiveType[T any] struct {
	kids map[string]*recursiveType[T]
	val  T
}

func (r *recursiveType[T]) insertOk(path []string, v T) {
	for _, p := range path {
		if r.kids[p] == nil {
			r.kids[p] = &recursiveType[T]{kids: make(map[string]*recursiveType[T])}
		}
		r = r.kids[p]
	}
	r.val = v
}

type embedsGeneric[K comparable] struct {
	*counters[K, int]
	extra struct{ m map[K]struct{} }
}

func (e *embedsGeneric[K]) promotedOk(k K) {
	e.Lock()
	defer e.Unlock()
	e.m[k]++
	e.extra.m[k] = struct{}{}
}

type (
	alias        = pool
	genericAlias = counters[string, int]
)

func aliasBad(a *alias, k string) {
	if a.m[k] == 0 { // want `check-then-act: .*a\.m`
		a.m[k] = 1
	}
}

func genericAliasOk(a *genericAlias, k string) {
	a.Lock()
	defer a.Unlock()
	if a.m[k] == 0 {
		a.m[k] = 1
	}
}

// Keys of every comparable kind.
type keys struct {
	mu sync.Mutex
	a  map[[2]int]int
	s  map[struct{ x, y int }]int
	i  map[any]int
	p  map[*int]int
	f  map[float64]int
}

func (k *keys) allOk(p *int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.a[[2]int{1, 2}]++
	k.s[struct{ x, y int }{1, 2}]++
	k.i["x"]++
	k.p[p]++
	k.f[1.5]++
}

func (k *keys) allBad(p *int) {
	k.a[[2]int{1, 2}]++             // want `check-then-act: .*k\.a`
	k.s[struct{ x, y int }{1, 2}]++ // want `check-then-act: .*k\.s`
	k.i["x"]++                      // want `check-then-act: .*k\.i`
	k.p[p]++                        // want `check-then-act: .*k\.p`
	k.f[1.5]++                      // want `check-then-act: .*k\.f`
}
