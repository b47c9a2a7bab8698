package goroutinerace

import "sync"

// A counter has a map of its own, and a goroutine that fills it.
type counter struct {
	in   chan string
	seen map[string]int
}

func (c *counter) run(wg *sync.WaitGroup) {
	defer wg.Done()
	for s := range c.in {
		c.seen[s]++
	}
}

func (c *counter) prepare() {
	c.in = make(chan string, 4)
	c.seen = make(map[string]int)
}

func feed(all []counter, words []string) {
	for i, w := range words {
		all[i%len(all)].in <- w
	}
	for i := range all {
		close(all[i].in)
	}
}

// WorkersOk sets up one after the other, and starts each when it is ready.
func WorkersOk(words []string) {
	all := make([]counter, 3)
	var wg sync.WaitGroup
	for i := range all {
		all[i].in = make(chan string, 4)
		all[i].seen = make(map[string]int)
		wg.Add(1)
		go all[i].run(&wg)
	}
	feed(all, words)
	wg.Wait()
}

// PreparedOk has a method for that.
func PreparedOk(words []string) {
	all := make([]counter, 3)
	var wg sync.WaitGroup
	for i := 0; i < len(all); i++ {
		c := &all[i]
		c.prepare()
		wg.Add(1)
		go c.run(&wg)
	}
	feed(all, words)
	wg.Wait()
}

// A tally is a counter that is made in its round.
type tally struct {
	in  chan string
	sum map[string]int
}

func (t *tally) runOk(wg *sync.WaitGroup) {
	defer wg.Done()
	for s := range t.in {
		t.sum[s]++
	}
}

func PointersOk(words []string) {
	all := make([]*tally, 3)
	var wg sync.WaitGroup
	for i := range all {
		all[i] = &tally{}
		all[i].in = make(chan string, 4)
		all[i].sum = make(map[string]int)
		wg.Add(1)
		go all[i].runOk(&wg)
	}
	for i, w := range words {
		all[i%3].in <- w
	}
	for _, t := range all {
		close(t.in)
	}
	wg.Wait()
}

// A late counter is set up when its goroutine runs.
type late struct{ seen map[string]int }

func (l *late) prepareLate() { l.seen = make(map[string]int) }

func LateBad(words []string) {
	all := make([]late, 3)
	var wg sync.WaitGroup
	for i := range all {
		wg.Add(1)
		go func(l *late) {
			defer wg.Done()
			l.seen[words[0]]++ // want `check-then-act: l\.seen is read here, then written`
		}(&all[i])
		all[i].prepareLate()
	}
	wg.Wait()
}

// Of an earlier round, which has its goroutine, the element is set up once more.
type before struct{ kept map[string]int }

func BeforeBad(words []string) {
	all := make([]before, 4)
	var wg sync.WaitGroup
	for i := range all {
		all[i/2].kept = make(map[string]int) // want `unguarded-access: .*\.kept is assigned`
		wg.Add(1)
		go func(b *before) {
			defer wg.Done()
			b.kept[words[0]]++ // want `check-then-act: b\.kept is read here, then written`
		}(&all[i/2])
	}
	wg.Wait()
}

// All elements are one object.
type lone struct{ had map[string]int }

func SingleBad(words []string) {
	one := &lone{}
	all := make([]*lone, 4)
	for i := range all {
		all[i] = one
	}
	var wg sync.WaitGroup
	for i := range all {
		all[i].had = make(map[string]int) // want `unguarded-access: .*\.had is assigned`
		wg.Add(1)
		go func(s *lone) {
			defer wg.Done()
			s.had[words[0]]++ // want `check-then-act: s\.had is read here, then written`
		}(all[i])
	}
	wg.Wait()
}

// The end comes to all elements.
type ended struct{ rest map[string]int }

func (e *ended) empty() { e.rest = make(map[string]int) }

func EndedBad(words []string) {
	all := make([]ended, 4)
	for i := range all {
		all[i].rest = make(map[string]int)
		defer all[i].empty()
		go func(e *ended) {
			e.rest[words[0]]++ // want `check-then-act: e\.rest is read here, then written`
		}(&all[i])
	}
}

// One map is put into all, by the loop that starts the goroutines.
type pooled struct{ tins map[string]int }

type pantry struct {
	rows  []pooled
	whole map[string]int
}

func (p *pantry) StockBad(words []string) {
	var wg sync.WaitGroup
	for i := range p.rows {
		p.rows[i].tins = p.whole
		p.rows[i].tins["row"] = i // want `unguarded-access: p\.rows\[…\]\.tins is written`
		wg.Go(func() {
			for _, w := range words {
				p.rows[i].tins[w]++ // want `check-then-act: p\.rows\[…\]\.tins is read here, then written`
			}
		})
	}
	wg.Wait()
}

// A method puts it there.
type lodger struct{ room, house map[string]int }

func (l *lodger) moveIn(house map[string]int) {
	l.room = make(map[string]int)
	l.house = house
	l.house["heads"]++ // want `check-then-act: l\.house is read here, then written`
}

func (l *lodger) Live(wg *sync.WaitGroup, words []string) {
	defer wg.Done()
	for _, w := range words {
		l.room[w]++
		l.house[w]++
	}
}

func Lodge(n int, words []string) []lodger {
	house, all := map[string]int{}, make([]lodger, n)
	var wg sync.WaitGroup
	for i := range all {
		all[i].moveIn(house)
		wg.Add(1)
		go all[i].Live(&wg, words)
	}
	wg.Wait()
	return all
}

// A map of its own comes on one way alone.
type tenant struct{ owes map[string]int }

func SometimesBad(n int, words []string, anew func(int) bool) []tenant {
	all := make([]tenant, n)
	common := map[string]int{}
	for i := range all {
		all[i].owes = common
	}
	var wg sync.WaitGroup
	for i := range all {
		if anew(i) {
			all[i].owes = map[string]int{}
		}
		all[i].owes["rent"] = i
		t := &all[i]
		wg.Go(func() {
			for _, w := range words {
				t.owes[w]++ // want `check-then-act: .*\.owes is read here, then written`
			}
		})
	}
	wg.Wait()
	return all
}

// A function makes the map of each.
type guest struct{ eats map[string]int }

func menu(n int) map[string]int { return map[string]int{"soup": n} }

func GuestsOk(n int, words []string) []guest {
	all := make([]guest, n)
	var wg sync.WaitGroup
	for i := range all {
		all[i].eats = menu(i)
		all[i].eats["bread"]++
		g := &all[i]
		wg.Go(func() {
			for _, w := range words {
				g.eats[w]++
			}
		})
	}
	wg.Wait()
	return all
}
