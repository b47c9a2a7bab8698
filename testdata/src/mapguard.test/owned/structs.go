package owned

import "sync"

// A struct that is copied, and whose place gets another one under the lock, leaves its maps to the one who has the copy.
type gathered struct {
	m map[string]int
	n int
}

type gatherer struct {
	mu sync.Mutex
	p  gathered
}

func (c *gatherer) addOk(k string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.p.m == nil {
		c.p.m = make(map[string]int)
	}
	c.p.m[k]++
}

func (c *gatherer) flushOk() {
	c.mu.Lock()
	p := c.p
	c.p = gathered{m: make(map[string]int)}
	c.mu.Unlock()
	for k := range p.m {
		delete(p.m, k)
	}
}

func (c *gatherer) flushZeroOk() {
	c.mu.Lock()
	p := c.p
	c.p = gathered{}
	c.mu.Unlock()
	for k := range p.m {
		delete(p.m, k)
	}
}

func (c *gatherer) take() gathered {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.p
	c.p = gathered{m: make(map[string]int)}
	return p
}

func (c *gatherer) takenOk() {
	p := c.take()
	for k := range p.m {
		delete(p.m, k)
	}
}

func useHeaper(c *gatherer) {
	for range 3 {
		go c.addOk("a")
		go c.flushOk()
		go c.flushZeroOk()
		go c.takenOk()
	}
}

// The copy goes back where it comes from, or the place keeps its map.
type putter struct {
	mu   sync.Mutex
	p    restored
	last restored
	kept map[string]int
}

type restored struct {
	m map[string]int
	n int
}

func (c *putter) addRestoredOk(k string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.p.m[k]++
}

func (c *putter) dropRestoredOk(k string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.p.m, k)
}

func (c *putter) putBackBad() {
	c.mu.Lock()
	p := c.p
	p.n++
	c.p = p
	c.mu.Unlock()
	clear(p.m) // want `c\.p\.m is .* without`
}

func (c *putter) countedBad() {
	c.mu.Lock()
	p := c.p
	c.p.n = 0
	c.mu.Unlock()
	clear(p.m) // want `c\.p\.m is .* without`
}

func (c *putter) lenRestoredOk() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.last.m) + len(c.kept)
}

func useRestored(c *putter, to chan restored) {
	for range 3 {
		go c.addRestoredOk("a")
		go c.dropRestoredOk("a")
		go c.lenRestoredOk()
		go c.putBackBad()
		go c.countedBad()
	}
}

// The new one has the same map, or it comes on some way only.
type sharer struct {
	mu   sync.Mutex
	p    twiceUsed
	last twiceUsed
	kept map[string]int
}

type twiceUsed struct {
	m map[string]int
	n int
}

func (c *sharer) addTwiceUsedOk(k string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.p.m[k]++
}

func (c *sharer) dropTwiceUsedOk(k string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.p.m, k)
}

func (c *sharer) sameMapBad() {
	c.mu.Lock()
	p := c.p
	c.p = twiceUsed{m: p.m}
	c.mu.Unlock()
	clear(p.m) // want `c\.p\.m is .* without`
}

func (c *sharer) sometimesBad(all bool) {
	c.mu.Lock()
	p := c.p
	if all {
		c.p = twiceUsed{}
	}
	c.mu.Unlock()
	clear(p.m) // want `c\.p\.m is .* without`
}

func (c *sharer) lenTwiceUsedOk() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.last.m) + len(c.kept)
}

func useTwiceUsed(c *sharer, to chan twiceUsed) {
	for range 3 {
		go c.addTwiceUsedOk("a")
		go c.dropTwiceUsedOk("a")
		go c.lenTwiceUsedOk()
		go c.sameMapBad()
		go c.sometimesBad(true)
	}
}

// The copy is the new one, or another place gets it.
type storer struct {
	mu   sync.Mutex
	p    storedTwo
	last storedTwo
	kept map[string]int
}

type storedTwo struct {
	m map[string]int
	n int
}

func (c *storer) addStoredTwoOk(k string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.p.m[k]++
}

func (c *storer) dropStoredTwoOk(k string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.p.m, k)
}

func (c *storer) renewedBeforeBad() {
	c.mu.Lock()
	c.p = storedTwo{m: make(map[string]int)}
	p := c.p
	c.mu.Unlock()
	clear(p.m) // want `c\.p\.m is .* without`
}

func (c *storer) storedBad() {
	c.mu.Lock()
	p := c.p
	c.last = p
	c.p = storedTwo{}
	c.mu.Unlock()
	clear(p.m) // want `c\.p\.m is .* without`
}

func (c *storer) lenStoredTwoOk() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.last.m) + len(c.kept)
}

func useStoredTwo(c *storer, to chan storedTwo) {
	for range 3 {
		go c.addStoredTwoOk("a")
		go c.dropStoredTwoOk("a")
		go c.lenStoredTwoOk()
		go c.renewedBeforeBad()
		go c.storedBad()
	}
}

// Another place gets the map, or the copy, before it is given to the caller.
type mapKeeper struct {
	mu   sync.Mutex
	p    keptPile
	last keptPile
	kept map[string]int
}

type keptPile struct {
	m map[string]int
	n int
}

func (c *mapKeeper) addKeptPileOk(k string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.p.m[k]++
}

func (c *mapKeeper) dropKeptPileOk(k string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.p.m, k)
}

func (c *mapKeeper) mapStoredBad() {
	c.mu.Lock()
	p := c.p
	c.p = keptPile{}
	c.kept = p.m
	c.mu.Unlock()
	clear(p.m) // want `c\.p\.m is .* without`
}

func (c *mapKeeper) takeAndStore() keptPile {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.p
	c.p = keptPile{}
	c.last = p
	return p
}

func (c *mapKeeper) takenAndStoredBad() {
	p := c.takeAndStore()
	clear(p.m) // want `c\.p\.m is .* without`
}

func (c *mapKeeper) lenKeptPileOk() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.last.m) + len(c.kept)
}

func useKeptPile(c *mapKeeper, to chan keptPile) {
	for range 3 {
		go c.addKeptPileOk("a")
		go c.dropKeptPileOk("a")
		go c.lenKeptPileOk()
		go c.mapStoredBad()
		go c.takenAndStoredBad()
	}
}

// The copy is sent to others.
type pileSender struct {
	mu   sync.Mutex
	p    sentPile
	last sentPile
	kept map[string]int
}

type sentPile struct {
	m map[string]int
	n int
}

func (c *pileSender) addSentPileOk(k string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.p.m[k]++
}

func (c *pileSender) dropSentPileOk(k string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.p.m, k)
}

func (c *pileSender) givenBad(to chan sentPile) {
	c.mu.Lock()
	p := c.p
	c.p = sentPile{}
	c.mu.Unlock()
	to <- p
	clear(p.m) // want `c\.p\.m is .* without`
}

func (c *pileSender) lenSentPileOk() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.last.m) + len(c.kept)
}

func useSentPile(c *pileSender, to chan sentPile) {
	for range 3 {
		go c.addSentPileOk("a")
		go c.dropSentPileOk("a")
		go c.lenSentPileOk()
		go c.givenBad(to)
	}
}
