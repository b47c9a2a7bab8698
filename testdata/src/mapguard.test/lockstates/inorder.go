package lockstates

import "sync"

// A casket is locked with another one, in the order of their numbers.
type casket struct {
	id    int
	mu    sync.Mutex
	coins map[string]int
}

func (v *casket) Put(k string, n int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if _, ok := v.coins[k]; !ok {
		v.coins[k] = n
	}
}

func (v *casket) Take(k string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	delete(v.coins, k)
}

func (v *casket) Has(k string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.coins[k] > 0
}

func (v *casket) Spend(k string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.coins[k] == 0 {
		return false
	}
	v.coins[k]--
	if v.coins[k] == 0 {
		delete(v.coins, k)
	}
	return len(v.coins) > 0
}

func (v *casket) Merge(k, l string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.coins[l] += v.coins[k]
	delete(v.coins, k)
}

type estate struct{ caskets []*casket }

func lockCaskets(v, w *casket) {
	if v == w {
		v.mu.Lock()
		return
	}
	if v.id > w.id {
		v, w = w, v
	}
	v.mu.Lock()
	w.mu.Lock()
}

func unlockCaskets(v, w *casket) {
	v.mu.Unlock()
	if v != w {
		w.mu.Unlock()
	}
}

// MoveCoinsOk holds both, whichever comes first, or the one that both are.
func (b *estate) MoveCoinsOk(i, j int, k string) {
	from, to := b.caskets[i], b.caskets[j]
	lockCaskets(from, to)
	defer unlockCaskets(from, to)
	if n, ok := from.coins[k]; ok {
		delete(from.coins, k)
		to.coins[k] = n
	}
}

// MoveInlineOk sorts them itself.
func (b *estate) MoveInlineOk(i, j int, k string) {
	from, to := b.caskets[i], b.caskets[j]
	if from == to {
		return
	}
	first, second := from, to
	if from.id > to.id {
		first, second = to, from
	}
	first.mu.Lock()
	defer first.mu.Unlock()
	second.mu.Lock()
	defer second.mu.Unlock()
	if n, ok := from.coins[k]; ok {
		delete(from.coins, k)
		to.coins[k] = n
	}
}

func lockSorted(v, w *casket) (unlock func()) {
	if v.id > w.id {
		v, w = w, v
	}
	v.mu.Lock()
	if v != w {
		w.mu.Lock()
	}
	return func() {
		v.mu.Unlock()
		if v != w {
			w.mu.Unlock()
		}
	}
}

// MoveSortedOk gets a function that lets go both.
func (b *estate) MoveSortedOk(i, j int, k string) {
	from, to := b.caskets[i], b.caskets[j]
	defer lockSorted(from, to)()
	if n, ok := from.coins[k]; ok {
		delete(from.coins, k)
		to.coins[k] = n
	}
}

// MoveFirstBad holds the first of both alone.
func (b *estate) MoveFirstBad(i, j int, k string) {
	from, to := b.caskets[i], b.caskets[j]
	first, second := from, to
	if from.id > to.id {
		first, second = to, from
	}
	first.mu.Lock()
	defer first.mu.Unlock()
	if second.id < 0 {
		return
	}
	delete(from.coins, k) // want `unguarded-access: b\.caskets.*, low`
}

// MoveOnlyTheOtherBad takes the second one where both are one.
func (b *estate) MoveOnlyTheOtherBad(i, j int, k string) {
	from, to := b.caskets[i], b.caskets[j]
	from.mu.Lock()
	defer from.mu.Unlock()
	if from == to {
		return
	}
	to.coins[k] = 1 // want `unguarded-access: b\.caskets.*, low`
}

// MoveTooFarBad lets the second one go too early.
func (b *estate) MoveTooFarBad(i, j int, k string) {
	from, to := b.caskets[i], b.caskets[j]
	if from == to {
		return
	}
	first, second := from, to
	if from.id > to.id {
		first, second = to, from
	}
	first.mu.Lock()
	defer first.mu.Unlock()
	second.mu.Lock()
	n := from.coins[k]
	second.mu.Unlock()
	to.coins[k] = n // want `unguarded-access: b\.caskets.*, low`
}

// A pinacotheca has its locks apart, and sorts their indices.
type pinacotheca struct {
	locks [8]sync.Mutex
	walls [8]map[string]int
}

func (g *pinacotheca) Hang(k string, n int) {
	i := len(k) % 8
	g.locks[i].Lock()
	defer g.locks[i].Unlock()
	if _, ok := g.walls[i][k]; !ok {
		g.walls[i][k] = n
	}
}

func (g *pinacotheca) Unhang(k string) {
	i := len(k) % 8
	g.locks[i].Lock()
	delete(g.walls[i], k)
	g.locks[i].Unlock()
}

// ExchangeOk takes the lesser index first, and one that is both once.
func (g *pinacotheca) ExchangeOk(k, l string) {
	i, j := len(k)%8, len(l)%8
	lo, hi := min(i, j), max(i, j)
	g.locks[lo].Lock()
	defer g.locks[lo].Unlock()
	if lo != hi {
		g.locks[hi].Lock()
		defer g.locks[hi].Unlock()
	}
	if n, ok := g.walls[i][k]; ok {
		delete(g.walls[i], k)
		g.walls[j][l] = n
	}
}

// SwitchOk exchanges the indices.
func (g *pinacotheca) SwitchOk(k, l string) {
	i, j := len(k)%8, len(l)%8
	if i > j {
		i, j = j, i
	}
	g.locks[i].Lock()
	defer g.locks[i].Unlock()
	if i != j {
		g.locks[j].Lock()
		defer g.locks[j].Unlock()
	}
	if n, ok := g.walls[len(k)%8][k]; ok {
		delete(g.walls[len(k)%8], k)
		g.walls[len(l)%8][l] = n
	}
}

// SwitchNoneBad takes none where they are one.
func (g *pinacotheca) SwitchNoneBad(k, l string) {
	i, j := len(k)%8, len(l)%8
	if i > j {
		i, j = j, i
	}
	if i != j {
		g.locks[i].Lock()
		defer g.locks[i].Unlock()
		g.locks[j].Lock()
		defer g.locks[j].Unlock()
	}
	if n, ok := g.walls[len(k)%8][k]; ok { // want `(check-then-act|unguarded-access): g\.walls`
		delete(g.walls[len(k)%8], k)
		g.walls[len(l)%8][l] = n
	}
}
