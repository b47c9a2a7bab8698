package locks

import "sync"

// A bag can be given itself: then it has its lock already.
type Bag struct {
	mu   sync.RWMutex
	data map[string]int // guarded by mu
}

func (b *Bag) PutOk(k string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.data[k]++
}

func (b *Bag) LackOk(full *Bag) (out []string) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	if b != full {
		full.mu.RLock()
		defer full.mu.RUnlock()
	}
	for k := range full.data {
		if b.data[k] == 0 {
			out = append(out, k)
		}
	}
	return out
}

func (b *Bag) MergeOk(others ...*Bag) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, other := range others {
		if other == b {
			continue
		}
		other.mu.RLock()
		for k, n := range other.data {
			b.data[k] += n
		}
		other.mu.RUnlock()
	}
}

func (b *Bag) BothOk(others ...*Bag) (n int) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	for _, other := range others {
		if other != b {
			other.mu.RLock()
		}
		for k := range other.data {
			n += b.data[k]
		}
		if other != b {
			other.mu.RUnlock()
		}
	}
	return n
}

// The lock is taken where it is held already, and not where it is not.
func (b *Bag) WrongWayBad(full *Bag) (n int) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	if b == full {
		full.mu.RLock()
		defer full.mu.RUnlock()
	}
	for k := range full.data { // want `unguarded-access: full\.data is ranged over without mu`
		n += len(k)
	}
	return n
}

// It is another bag that is the same.
func (b *Bag) OfThreeBad(full, other *Bag) (n int) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	if b != other {
		full.mu.RLock()
		defer full.mu.RUnlock()
	}
	for k := range full.data { // want `unguarded-access: full\.data is ranged over without mu`
		n += len(k)
	}
	return n
}

// A lock that has been given up says nothing.
func (b *Bag) GivenUpBad(full *Bag) (n int) {
	b.mu.RLock()
	n = len(b.data)
	b.mu.RUnlock()
	if b != full {
		full.mu.RLock()
		defer full.mu.RUnlock()
	}
	for k := range full.data { // want `unguarded-access: full\.data is ranged over without mu`
		n += len(k)
	}
	return n
}
