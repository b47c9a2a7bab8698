// Package odd holds code of unusual shapes, which must be neither a panic nor
// a false report, and must not hide a true one.
package odd

import (
	"fmt"
	"sync"
)

type pool struct {
	mu sync.Mutex
	m  map[string]int // guarded by mu
}

func (p *pool) gotoBad(k string) {
	i := 0
again:
	if _, ok := p.m[k]; ok { // want `check-then-act: .*p\.m`
		i++
		k += "x"
		if i < 10 {
			goto again
		}
		return
	}
	p.m[k] = 1
}

func (p *pool) gotoOk(k string) {
	p.mu.Lock()
	i := 0
again:
	if _, ok := p.m[k]; ok {
		i++
		k += "x"
		if i < 10 {
			goto again
		}
		goto end
	}
	p.m[k] = 1
end:
	p.mu.Unlock()
}

func (p *pool) labelsBad(rows [][]string) {
outer:
	for _, row := range rows {
		for _, k := range row {
			switch {
			case k == "":
				continue outer
			case k == "end":
				break outer
			}
			if p.m[k] == 0 { // want `check-then-act: .*p\.m`
				p.m[k] = 1
			}
		}
	}
}

func (p *pool) labelsOk(rows [][]string) {
	p.mu.Lock()
	defer p.mu.Unlock()
outer:
	for _, row := range rows {
		for _, k := range row {
			if k == "" {
				continue outer
			}
			if p.m[k] == 0 {
				p.m[k] = 1
				break outer
			}
		}
	}
}

func (p *pool) selectOk(in, quit <-chan string) {
	for {
		select {
		case k, ok := <-in:
			if !ok {
				in = nil
				continue
			}
			p.mu.Lock()
			if p.m[k] == 0 {
				p.m[k] = 1
			}
			p.mu.Unlock()
		case <-quit:
			return
		default:
		}
	}
}

func (p *pool) deferInLoopOk(keys []string) {
	for _, k := range keys {
		func() {
			p.mu.Lock()
			defer p.mu.Unlock()
			if p.m[k] == 0 {
				p.m[k] = 1
			}
		}()
	}
}

func lockAllOk(pools []*pool, k string) {
	for _, p := range pools {
		p.mu.Lock()
		defer p.mu.Unlock()
	}
	println(k)
}

func (p *pool) rangeIntBad() {
	for i := range 10 {
		if p.m[fmt.Sprint(i)] == 0 { // want `check-then-act: .*p\.m`
			p.m[fmt.Sprint(i)] = 1
		}
	}
}

func (p *pool) rangeIntOk() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range 10 {
		k := fmt.Sprint(i)
		if p.m[k] == 0 {
			p.m[k] = 1
		}
	}
}

// A literal four deep still captures p.
func (p *pool) nestedClosuresBad(k string) {
	func() {
		func() {
			func() {
				func() {
					if p.m[k] == 0 { // want `check-then-act: .*p\.m`
						p.m[k] = 1
					}
				}()
			}()
		}()
	}()
}

func (p *pool) nestedClosuresOk(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	func() {
		func() {
			func() {
				func() {
					if p.m[k] == 0 {
						p.m[k] = 1
					}
				}()
			}()
		}()
	}()
}

func (p *pool) blankOk(k string) {
	_ = p
	_, _ = fmt.Println(k)
	for range 3 {
	}
	var _ = map[string]int{}
}

func (_ *pool) blankReceiverOk(_ string, _ int) {}

var _ = func() int { return 1 }()

func (p *pool) recoverOk(k string) (err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
			p.m[k] = 0
		}
	}()
	if p.m[k] == 0 {
		p.m[k] = 1
	}
	return nil
}

func recursiveBad(p *pool, n int, f func(int)) {
	if n > 0 {
		recursiveBad(p, n-1, func(i int) { f(i + 1); p.m["r"] = i }) // want `unguarded-access: .*p\.m`
		return
	}
	f(0)
}

func (p *pool) recursiveTypesBad(n *list) {
	for ; n != nil; n = n.next {
		if n.pool.m["a"] == 0 { // want `check-then-act: .*m`
			n.pool.m["a"] = 1
		}
	}
}

type list struct {
	next *list
	pool *pool
}

// The path is longer than paths can be: its end is a path of its own, another one
// for each of the two accesses.
func (p *pool) longChainBad(l *list) {
	if l.next.next.next.next.next.pool.m["a"] == 0 { // want `unguarded-access: .*m `
		l.next.next.next.next.next.pool.m["a"] = 1
	}
}

func (p *pool) hugeOk(n int, k string) {
	switch n {
	case 0, 1, 2, 3, 4, 5, 6, 7, 8, 9:
		p.mu.Lock()
		p.m[k] = n
		p.mu.Unlock()
	case 10:
		fallthrough
	case 11:
		p.mu.Lock()
		delete(p.m, k)
		p.mu.Unlock()
	case 12:
		panic(n)
	case 13:
		return
	default:
		if n > 100 {
			break
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		p.m[k]++
	}
}

func init() {}

func init() { table["x"] = 1 }

var table = func() map[string]int {
	m := make(map[string]int)
	for i := range 3 {
		m[fmt.Sprint(i)] = i
	}
	return m
}()

func tableOk(k string) int { return table[k] }
