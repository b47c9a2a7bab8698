package threads

import "sync"

// A loop over a list of different functions starts one goroutine for each of them.

type mill struct{ grain, flour map[string]int }

func (m *mill) grindOk() error {
	if _, some := m.grain["rye"]; !some {
		m.grain["rye"] = 1
	}
	return nil
}

func (m *mill) siftOk() error {
	if _, some := m.flour["rye"]; !some {
		m.flour["rye"] = 1
	}
	return nil
}

func (m *mill) workOk() {
	var wg sync.WaitGroup
	for _, step := range []func() error{m.grindOk, m.siftOk} {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if err := step(); err != nil {
				println(err)
			}
		}()
	}
	wg.Wait()
}

// So it is without a literal.
type loom struct{ warp, weft, cloth map[string]int }

func (l *loom) warpOk() {
	if _, some := l.warp["red"]; !some {
		l.warp["red"] = 1
	}
}

func (l *loom) weftOk() {
	if _, some := l.weft["red"]; !some {
		l.weft["red"] = 1
	}
}

func (l *loom) weaveOk(names []string) {
	var wg sync.WaitGroup
	steps := []func(){l.warpOk, l.weftOk}
	for _, step := range steps {
		wg.Go(step)
	}
	wg.Wait()
	for _, step := range steps {
		go step()
	}
}

// Each name has a goroutine that calls the same one of the list.
func (l *loom) cutBad() {
	if _, some := l.cloth["red"]; !some { // want `check-then-act: l.cloth`
		l.cloth["red"] = 1
	}
}

func (l *loom) cutAll(names []string) {
	var wg sync.WaitGroup
	for _, step := range []func(){l.cutBad, l.weaveNone} {
		for range names {
			wg.Add(1)
			go func() {
				defer wg.Done()
				step()
			}()
		}
	}
	wg.Wait()
}

func (l *loom) weaveNone() {}

// Both of the list come to one map.
type broom struct{ dust map[string]int }

func (b *broom) inside()  { b.sweepBad() }
func (b *broom) outside() { b.sweepBad() }

func (b *broom) sweepBad() {
	if _, some := b.dust["all"]; !some { // want `check-then-act: b.dust`
		b.dust["all"] = 1
	}
}

func (b *broom) sweepAll() {
	var wg sync.WaitGroup
	for _, step := range []func(){b.inside, b.outside} {
		wg.Add(1)
		go func() {
			defer wg.Done()
			step()
		}()
	}
	wg.Wait()
}

// The list has the function twice.
type peeler struct{ bran map[string]int }

func (p *peeler) peelBad() {
	if _, some := p.bran["oat"]; !some { // want `check-then-act: p.bran`
		p.bran["oat"] = 1
	}
}

func (p *peeler) rest() {}

func (p *peeler) peelTwice() {
	var wg sync.WaitGroup
	for _, step := range []func(){p.peelBad, p.rest, p.peelBad} {
		wg.Add(1)
		go func() {
			defer wg.Done()
			step()
		}()
	}
	wg.Wait()
}

// The loop is entered again while what it has started goes on.
type shaker struct{ husk map[string]int }

func (s *shaker) shakeBad() {
	if _, some := s.husk["oat"]; !some { // want `check-then-act: s.husk`
		s.husk["oat"] = 1
	}
}

func (s *shaker) stay() {}

func (s *shaker) shakeOn(rounds int) {
	var wg sync.WaitGroup
	for range rounds {
		for _, step := range []func(){s.shakeBad, s.stay} {
			wg.Add(1)
			go func() {
				defer wg.Done()
				step()
			}()
		}
	}
	wg.Wait()
}

// Two of the list do it, one of them through a literal.
type press struct{ germ map[string]int }

func (p *press) pressBad() {
	if _, some := p.germ["oat"]; !some { // want `check-then-act: p.germ`
		p.germ["oat"] = 1
	}
}

func (p *press) pressBoth() {
	var wg sync.WaitGroup
	for _, step := range []func(){p.pressBad, func() { p.pressBad() }} {
		wg.Add(1)
		go func() {
			defer wg.Done()
			step()
		}()
	}
	wg.Wait()
}

// What the loop starts goes on when another call starts it again, in a loop that stands elsewhere.
type oven struct {
	door sync.Mutex
	meal map[string]int
	open bool
}

func (o *oven) bakeBad() {
	if _, some := o.meal["oat"]; !some { // want `check-then-act: o.meal`
		o.meal["oat"] = 1
	}
}

func (o *oven) cool() {}

func (o *oven) bakeAll() {
	for _, step := range []func(){o.bakeBad, o.cool} {
		go func() {
			o.door.Lock()
			ready := o.open
			o.door.Unlock()
			if ready {
				step()
			}
		}()
	}
}

func (o *oven) bakeOften() {
	for range 3 {
		o.bakeAll()
	}
}
