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

// Code of other packages has what it gives, and changes that.
type givenAlmanac struct {
	mu    sync.RWMutex
	towns map[string]map[string]rune
}

func (a *givenAlmanac) townGiven(name string) map[string]rune {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return a.towns[name]
}

func (a *givenAlmanac) readGivenBad(name, head string) rune {
	t := a.townGiven(name)
	return t[head] // want `unguarded-access: a\.towns\[…\] is read without mu`
}

// TakeGiven keeps what it gets.
func (a *givenAlmanac) TakeGiven(name string, t map[string]rune) {
	a.mu.Lock()
	a.towns[name] = t
	a.mu.Unlock()
}

// Code of other packages gets each as it is made, to fill it.
type openAlmanac struct {
	mu    sync.RWMutex
	towns map[string]map[string]int64
}

func (a *openAlmanac) townOpen(name string) map[string]int64 {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return a.towns[name]
}

func (a *openAlmanac) readOpenBad(name, head string) int64 {
	t := a.townOpen(name)
	return t[head] // want `unguarded-access: a\.towns\[…\] is read without mu`
}

// OpenTown makes one for a town.
func (a *openAlmanac) OpenTown(name string) map[string]int64 {
	t := map[string]int64{}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.towns[name] = t
	return t
}

// It is changed by what its users give.
type editedAlmanac struct {
	mu    sync.RWMutex
	towns map[string]map[string]uint64
}

func (a *editedAlmanac) townEdited(name string) map[string]uint64 {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return a.towns[name]
}

func (a *editedAlmanac) readEditedBad(name, head string) uint64 {
	t := a.townEdited(name)
	return t[head] // want `unguarded-access: a\.towns\[…\] is read without mu`
}

func (a *editedAlmanac) takeEdited(name string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.towns[name] = map[string]uint64{name: 1}
}

func (a *editedAlmanac) editTown(name string, edit func(map[string]uint64)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	edit(a.towns[name])
}

// A function that serves maps of all kinds changes it.
type genericAlmanac struct {
	mu    sync.RWMutex
	towns map[string]map[string]uintptr
}

func (a *genericAlmanac) townGeneric(name string) map[string]uintptr {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return a.towns[name]
}

func (a *genericAlmanac) readGenericBad(name, head string) uintptr {
	t := a.townGeneric(name)
	return t[head] // want `unguarded-access: a\.towns\[…\] is read without mu`
}

func (a *genericAlmanac) countGeneric(name, head string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	t := a.towns[name]
	if t == nil {
		t = map[string]uintptr{}
	}
	countIn(t, head)
	a.towns[name] = t
}

func countIn[K comparable, V uint8 | uintptr](m map[K]V, k K) { m[k]++ }

// Another field has it as well.
type heldAlmanac struct {
	mu     sync.RWMutex
	common map[string]float32
	towns  map[string]map[string]float32
}

func (a *heldAlmanac) townHeld(name string) map[string]float32 {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return a.towns[name]
}

func (a *heldAlmanac) readHeldBad(name, head string) float32 {
	t := a.townHeld(name)
	return t[head] // want `unguarded-access: a\.towns\[…\] is read without mu`
}

func (a *heldAlmanac) takeHeld(name string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.towns[name] = a.common
}

func (a *heldAlmanac) countHeld(head string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.common[head]++
}

// One is filled by a helper before another one puts it in.
type filledAlmanac struct {
	mu    sync.RWMutex
	towns map[string]map[string]float64
}

func (a *filledAlmanac) townFilled(name string) map[string]float64 {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return a.towns[name]
}

func (a *filledAlmanac) readFilledOk(name, head string) float64 {
	t := a.townFilled(name)
	return t[head]
}

func (a *filledAlmanac) takeFilled(name string, heads []string) {
	t := make(map[string]float64)
	rankHeads(t, heads)
	a.putFilled(name, t)
}

func rankHeads(t map[string]float64, heads []string) {
	for i, h := range heads {
		t[h] = float64(i)
	}
}

func (a *filledAlmanac) putFilled(name string, t map[string]float64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.towns[name] = t
}
