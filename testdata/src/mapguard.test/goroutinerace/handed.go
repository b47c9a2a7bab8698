package goroutinerace

// A loop gathers in an object, hands it to a goroutine, and sets its variable anew: what it gathers
// next is in another one.

type heap struct{ keys map[string]bool }

func (b *heap) note(k string) { b.keys[k] = true }

func (b *heap) flush() {
	for k := range b.keys {
		println(k)
	}
}

type gatherer struct {
	in   chan *heap
	tick chan bool
}

func (g *gatherer) setToNilOk() {
	var b *heap
	for {
		select {
		case <-g.tick:
			if b != nil {
				go func(b *heap) { b.flush() }(b)
				b = nil
			}
		case next := <-g.in:
			if b == nil {
				b = next
			} else {
				b.note("again")
			}
		}
	}
}

func (g *gatherer) madeAnewOk() {
	b := &heap{keys: make(map[string]bool)}
	for range g.tick {
		b.keys["tick"] = true
		if len(b.keys) > 3 {
			go b.flush()
			b = &heap{keys: make(map[string]bool)}
		}
	}
}

// The variable keeps the object.
type keptHeap struct{ keys map[string]bool }

func (b *keptHeap) flush() {
	for k := range b.keys {
		println(k)
	}
}

func keptBad(in chan *keptHeap, tick chan bool) {
	var b *keptHeap
	for {
		select {
		case <-tick:
			if b != nil {
				go b.flush() // want `goroutine-race: .*keys is ranged over`
			}
		case next := <-in:
			if b == nil {
				b = next
			} else {
				b.keys["again"] = true
			}
		}
	}
}

// It is set on one way alone.
type sometimes struct{ keys map[string]bool }

func (b *sometimes) flush() {
	for k := range b.keys {
		println(k)
	}
}

func sometimesBad(in chan *sometimes, tick chan bool) {
	var b *sometimes
	for {
		select {
		case last := <-tick:
			if b != nil {
				go b.flush() // want `goroutine-race: .*keys is ranged over`
				if last {
					b = nil
				}
			}
		case next := <-in:
			if b == nil {
				b = next
			} else {
				b.keys["again"] = true
			}
		}
	}
}

// It is set too lateHeap.
type lateHeap struct{ keys map[string]bool }

func (b *lateHeap) flush() {
	for k := range b.keys {
		println(k)
	}
}

func lateBad(in chan *lateHeap, tick chan bool) {
	var b *lateHeap
	for {
		select {
		case <-tick:
			if b != nil {
				go b.flush() // want `goroutine-race: .*keys is ranged over`
				b.keys["tick"] = true
				b = nil
			}
		case next := <-in:
			b = next
		}
	}
}

type twice struct{ keys map[string]bool }

func (b *twice) flush() {
	for k := range b.keys {
		println(k)
	}
}

// Another variable has it, too, in the next round alone: it would take the names that an object has had
// in rounds before.
func FN_twiceBad(in chan *twice, tick chan bool) {
	var b, last *twice
	for {
		select {
		case <-tick:
			if b != nil {
				go b.flush()
				last, b = b, nil
			}
		case next := <-in:
			if last != nil {
				last.keys["again"] = true
			}
			b = next
		}
	}
}

// What is read again may be the same object.
type chainLink struct {
	keys map[string]bool
	next *chainLink
}

func (c *chainLink) flush() {
	for k := range c.keys {
		println(k)
	}
}

func chainsBad(links []*chainLink, k string) {
	for _, l := range links {
		for l != nil {
			l.keys[k] = true
			go l.flush() // want `goroutine-race: .*keys is ranged over`
			l = l.next
		}
	}
}

func turnsBad(in chan string) {
	var both [2]map[string]bool
	for i := range both {
		both[i] = make(map[string]bool)
	}
	cur, n := both[0], 0
	for k := range in {
		cur[k] = true
		go show(cur) // want `goroutine-race: cur is ranged over`
		n++
		cur = both[n%2]
	}
}

func show(m map[string]bool) {
	for k := range m {
		println(k)
	}
}

// A constructor makes it anew.
func newHeap() *heap { return &heap{keys: make(map[string]bool)} }

func constructedOk(tick chan bool) {
	b := newHeap()
	for range tick {
		b.keys["tick"] = true
		if len(b.keys) > 3 {
			go b.flush()
			b = newHeap()
		}
	}
}
