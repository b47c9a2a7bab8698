package unguarded

import (
	"strings"
	"sync"
)

// A map that is put into another one stays as it is: who gets it from there under the lock reads it without.

type rank int

// A census makes a map for each who asks.
type census interface {
	heads(town string) map[string]rank
}

type roll struct{}

func (roll) heads(town string) map[string]rank {
	out := make(map[string]rank)
	for i, w := range strings.Fields(town) {
		out[w] = rank(i)
	}
	return out
}

type almanac struct {
	mu     sync.RWMutex
	census census
	towns  map[string]map[string]rank
}

func (a *almanac) town(name string) (map[string]rank, bool) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	t, ok := a.towns[name]
	return t, ok
}

func (a *almanac) readTownOk(name, head string) rank {
	t, ok := a.town(name)
	if !ok {
		return 0
	}
	sum := t[head]
	for _, n := range t {
		sum += n
	}
	return sum
}

func (a *almanac) takeTown(name string) {
	t := a.census.heads(name)
	a.mu.Lock()
	a.towns[name] = t
	a.mu.Unlock()
}

func newAlmanac() *almanac { return &almanac{census: roll{}, towns: map[string]map[string]rank{}} }

// A later one changes it once it is in.
type laterAlmanac struct {
	mu    sync.RWMutex
	towns map[string]map[string]uint
}

func headsLater(town string) map[string]uint { return map[string]uint{town: 1} }

func (a *laterAlmanac) townLater(name string) (map[string]uint, bool) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	t, ok := a.towns[name]
	return t, ok
}

func (a *laterAlmanac) readTownBad(name, head string) uint {
	t, ok := a.townLater(name)
	if !ok {
		return 0
	}
	return t[head] // want `unguarded-access: a\.towns\[…\] is read without mu`
}

func (a *laterAlmanac) takeTownLater(name string) {
	t := headsLater(name)
	a.mu.Lock()
	a.towns[name] = t
	a.mu.Unlock()
	t["late"] = 1
}

// Another one counts in it under the lock.
type countingAlmanac struct {
	mu    sync.RWMutex
	towns map[string]map[string]int8
}

func headsCounted(town string) map[string]int8 { return map[string]int8{town: 1} }

func (a *countingAlmanac) townCounted(name string) map[string]int8 {
	a.mu.RLock()
	defer a.mu.RUnlock()
	t := a.towns[name]
	return t
}

func (a *countingAlmanac) readCountedBad(name, head string) int8 {
	t := a.townCounted(name)
	return t[head] // want `unguarded-access: a\.towns\[…\] is read without mu`
}

func (a *countingAlmanac) takeCounted(name string) {
	t := headsCounted(name)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.towns[name] = t
}

func (a *countingAlmanac) count(name, head string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if t := a.towns[name]; t != nil {
		t[head]++
	}
}

// The one who makes it keeps it, and changes it for the next.
type clerk struct{ last map[string]int16 }

func (c *clerk) headsKept(town string) map[string]int16 {
	if c.last == nil {
		c.last = make(map[string]int16)
	}
	c.last[town] = 1
	return c.last
}

type keptAlmanac struct {
	mu    sync.RWMutex
	clerk *clerk
	towns map[string]map[string]int16
}

func (a *keptAlmanac) townKept(name string) map[string]int16 {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return a.towns[name]
}

func (a *keptAlmanac) readKeptBad(name, head string) int16 {
	t := a.townKept(name)
	return t[head] // want `unguarded-access: a\.towns\[…\] is read without mu`
}

func (a *keptAlmanac) takeKept(name string) {
	t := a.clerk.headsKept(name)
	a.mu.Lock()
	a.towns[name] = t
	a.mu.Unlock()
}

// It is in a list besides, through which another one changes it.
type listedAlmanac struct {
	mu    sync.RWMutex
	all   []map[string]uint16
	towns map[string]map[string]uint16
}

func headsListed(town string) map[string]uint16 { return map[string]uint16{town: 1} }

func (a *listedAlmanac) townListed(name string) map[string]uint16 {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return a.towns[name]
}

func (a *listedAlmanac) readListedBad(name, head string) uint16 {
	t := a.townListed(name)
	return t[head] // want `unguarded-access: a\.towns\[…\] is read without mu`
}

func (a *listedAlmanac) takeListed(name string) {
	t := headsListed(name)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.towns[name] = t
	a.all = append(a.all, t)
}

func (a *listedAlmanac) closeYear(head string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, t := range a.all {
		t[head]++
	}
}
