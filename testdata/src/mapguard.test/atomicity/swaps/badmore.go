package swaps

import (
	"sync"
	"sync/atomic"
)

// A bay has a flag for its own map.
type bay struct {
	busy  int32
	loads map[string]int
}

// moveBad has the flag of another bay.
func (b *bay) moveBad(from *bay, name string) {
	if !atomic.CompareAndSwapInt32(&from.busy, 0, 1) {
		return
	}
	defer atomic.StoreInt32(&from.busy, 0)
	if _, ok := b.loads[name]; !ok {
		b.loads[name] = 1 // want `goroutine-race: to\.loads is written in a goroutine under bays`
	}
}

// Move moves all to one.
func Move(to *bay, bays []*bay) {
	for _, b := range bays {
		go to.moveBad(b, "crate")
	}
}

// A shared bay is only asked for in part.
type openBay struct {
	busy  atomic.Bool
	loads map[string]int
}

func (b *openBay) put(name string) {
	if !b.busy.CompareAndSwap(false, true) {
		return
	}
	defer b.busy.Store(false)
	if _, ok := b.loads[name]; !ok {
		b.loads[name] = 1
	}
}

func (b *openBay) drop(name string) {
	delete(b.loads, name)
}

// OpenBad does both.
func OpenBad(names []string) {
	b := &openBay{loads: map[string]int{}}
	for _, n := range names {
		go b.put(n) // want `goroutine-race: openBay\.loads is written in a goroutine under openBay\.busy`
		go b.drop(n)
	}
}

var (
	Opened  int32
	openMap = map[string]int{}
)

// openBad has a flag that other packages can set.
func openBad(name string) {
	if !atomic.CompareAndSwapInt32(&Opened, 0, 1) {
		return
	}
	defer atomic.StoreInt32(&Opened, 0)
	if _, ok := openMap[name]; !ok { // want `check-then-act: openMap is read here`
		openMap[name] = 1
	}
}

// OpenAll does so with all.
func OpenAll(names []string) {
	for _, n := range names {
		go openBad(n)
	}
}

// Two yards have a gate each, and one list.
type court struct{ gate atomic.Bool }

var (
	courtA, courtB court
	courtMap       = map[string]int{}
)

func courtBad(name string) {
	if !courtA.gate.CompareAndSwap(false, true) {
		return
	}
	defer courtA.gate.Store(false)
	if _, ok := courtMap[name]; !ok {
		courtMap[name] = 1 // want `goroutine-race: courtMap is written in a goroutine under courtA\.gate`
	}
}

func courtOther(name string) {
	if !courtB.gate.CompareAndSwap(false, true) {
		return
	}
	defer courtB.gate.Store(false)
	delete(courtMap, name)
}

// Court does both.
func Court(names []string) {
	for _, n := range names {
		go courtBad(n)
		go courtOther(n)
	}
}

var (
	plainMu   sync.Mutex
	plainFlag bool
	plainMap  = map[string]int{}
)

// plainBad has its flag set under a mutex, and taken back without.
func plainBad(name string) {
	plainMu.Lock()
	if plainFlag {
		plainMu.Unlock()
		return
	}
	plainFlag = true
	plainMu.Unlock()
	if _, ok := plainMap[name]; !ok { // want `check-then-act: plainMap is read here`
		plainMap[name] = 1
	}
	plainFlag = false
}

// Plain does so with all.
func Plain(names []string) {
	for _, n := range names {
		go plainBad(n)
	}
}

// A berth sets its flag back when others have it.
type berth struct {
	taken atomic.Bool
	boats map[string]int
}

var berths = make(chan *berth, 8)

func newBerth() *berth {
	b := &berth{boats: map[string]int{}}
	berths <- b
	b.taken.Store(false)
	return b
}

func (b *berth) moorBad(name string) {
	if !b.taken.CompareAndSwap(false, true) {
		return
	}
	defer b.taken.Store(false)
	if _, ok := b.boats[name]; !ok { // want `b\.boats`
		b.boats[name] = 1
	}
}

// Moor moors all.
func Moor(names []string) {
	newBerth()
	b := <-berths
	for _, n := range names {
		go b.moorBad(n)
	}
}

var (
	askedMu   sync.Mutex
	askedFlag bool
	askedMap  = map[string]int{}
)

// askedBad has the flag, and is alone with the map if all others ask for it.
func askedBad(name string) {
	askedMu.Lock()
	if askedFlag {
		askedMu.Unlock()
		return
	}
	askedFlag = true
	askedMu.Unlock()
	askedMap[name]++ // want `goroutine-race: askedMap is written in a goroutine under askedFlag`
	askedMu.Lock()
	askedFlag = false
	askedMu.Unlock()
}

// askedLook asks for the flag, and looks when the mutex is free again.
func askedLook(name string) int {
	askedMu.Lock()
	if askedFlag {
		askedMu.Unlock()
		return 0
	}
	askedMu.Unlock()
	return askedMap[name]
}

// Asked does both.
func Asked(names []string) {
	for _, n := range names {
		go askedBad(n)
		go askedLook(n)
	}
}
