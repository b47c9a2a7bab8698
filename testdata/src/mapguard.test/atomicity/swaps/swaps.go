// Package swaps has flags that a compare-and-swap takes as a lock: who does not get it turns away.
package swaps

import (
	"sync"
	"sync/atomic"
)

type parcel struct{ weight int }

var (
	sweeping uint32
	misses   map[string]int
)

// sweepOk makes the map and counts where the swap has succeeded.
func sweepOk(names []string) bool {
	got := atomic.CompareAndSwapUint32(&sweeping, 0, 1)
	if got {
		if misses == nil {
			misses = make(map[string]int)
		}
		for _, n := range names {
			if c, ok := misses[n]; ok {
				misses[n] = c + 1
			} else {
				misses[n] = 1
			}
		}
		atomic.StoreUint32(&sweeping, 0)
	}
	return got
}

// Sweep sweeps for each list.
func Sweep(lists [][]string) {
	for _, l := range lists {
		go sweepOk(l)
	}
}

var (
	packing atomic.Bool
	parcels = make(map[string]*parcel)
)

// packOk turns away first, and gives the flag back when it returns.
func packOk(name string) *parcel {
	if !packing.CompareAndSwap(false, true) {
		return nil
	}
	defer packing.Store(false)
	p := parcels[name]
	if p == nil {
		p = &parcel{}
		parcels[name] = p
	}
	return p
}

// Pack packs them all.
func Pack(names []string) {
	for _, n := range names {
		go packOk(n)
	}
}

var (
	yard     struct{ gate atomic.Int64 }
	arrivals = map[string]int{}
)

// arriveOk has its flag in a struct, and swaps it back in a literal.
func arriveOk(name string) {
	if yard.gate.CompareAndSwap(0, 1) == false {
		return
	}
	defer func() { yard.gate.CompareAndSwap(1, 0) }()
	if _, ok := arrivals[name]; !ok {
		arrivals[name] = 1
	}
}

// Arrive lets them all arrive.
func Arrive(names []string) {
	for _, n := range names {
		go arriveOk(n)
	}
}

// A depot has a flag of its own for its shelf, and one for its bins.
type depot struct {
	busy   int32
	shelf  map[string]*parcel
	filing atomic.Uint32
	bins   map[string]int
}

// stockOk is alone at the shelf.
func (d *depot) stockOk(name string) {
	if !atomic.CompareAndSwapInt32(&d.busy, 0, 1) {
		return
	}
	if d.shelf == nil {
		d.shelf = make(map[string]*parcel)
	}
	if d.shelf[name] == nil {
		d.shelf[name] = &parcel{}
	}
	atomic.StoreInt32(&d.busy, 0)
}

// fileOk goes to a helper, and gives the flag back on each way.
func (d *depot) fileOk(name string, quick bool) {
	switch {
	case name == "" || !d.filing.CompareAndSwap(0, 1):
		return
	case quick:
		d.filing.Store(0)
		return
	}
	d.count(name)
	d.filing.Store(0)
}

// count is called with the flag.
func (d *depot) count(name string) {
	if d.bins[name] == 0 {
		d.bins[name] = 1
	}
}

func (d *depot) all(names []string) {
	for _, n := range names {
		go d.stockOk(n)
		go d.fileOk(n, len(n) > 3)
	}
}

// Fill fills a new depot.
func Fill(names []string) {
	d := &depot{bins: map[string]int{}}
	d.all(names)
}

var (
	guarding int32
	tallies  = map[string]int{}
)

// enter takes the flag for who calls it.
func enter() bool { return atomic.CompareAndSwapInt32(&guarding, 0, 1) }

func leave() { atomic.StoreInt32(&guarding, 0) }

// tallyOk takes it by a helper, and waits for it in a loop.
func tallyOk(name string) {
	for !enter() {
	}
	defer leave()
	if _, ok := tallies[name]; !ok {
		tallies[name] = 1
	}
}

// Tally tallies them all.
func Tally(names []string) {
	for _, n := range names {
		go tallyOk(n)
	}
}

var (
	busyNow int32 = 0
	ranks         = map[string]int{}
)

// rankOk has a flag that is given the value which it has anyway.
func rankOk(name string) {
	if !atomic.CompareAndSwapInt32(&busyNow, 0, 1) {
		return
	}
	if _, ok := ranks[name]; !ok {
		ranks[name] = 1
	}
	atomic.StoreInt32(&busyNow, 0)
}

// Rank ranks them all.
func Rank(names []string) {
	for _, n := range names {
		go rankOk(n)
	}
}

var (
	handing int32
	handed  = map[string]int{}
)

// handOk gives the flag to a goroutine, which gives it back.
func handOk(name string) {
	if !atomic.CompareAndSwapInt32(&handing, 0, 1) {
		return
	}
	go func() {
		defer atomic.StoreInt32(&handing, 0)
		if _, ok := handed[name]; !ok {
			handed[name] = 1
		}
	}()
}

// Hand hands all over.
func Hand(names []string) {
	for _, n := range names {
		go handOk(n)
	}
}

// A ramp sets its flag when it is made, though that changes nothing.
type ramp struct {
	taken  atomic.Bool
	trucks map[string]int
}

func newRamp() *ramp {
	r := &ramp{trucks: map[string]int{}}
	r.taken.Store(false)
	return r
}

// dockOk is alone at the ramp.
func (r *ramp) dockOk(name string) {
	if !r.taken.CompareAndSwap(false, true) {
		return
	}
	defer r.taken.Store(false)
	if _, ok := r.trucks[name]; !ok {
		r.trucks[name] = 1
	}
}

// Dock docks them all.
func Dock(names []string) {
	r := newRamp()
	for _, n := range names {
		go r.dockOk(n)
	}
}

var (
	loadingMu sync.Mutex
	loading   bool
	loads     = map[string]int{}
)

// loadOk has a plain flag, which one mutex guards.
func loadOk(name string) {
	loadingMu.Lock()
	if loading {
		loadingMu.Unlock()
		return
	}
	loading = true
	loadingMu.Unlock()
	if _, ok := loads[name]; !ok {
		loads[name] = 1
	}
	loadingMu.Lock()
	loading = false
	loadingMu.Unlock()
}

// loadedOk looks where no one has the flag, and no one gets it.
func loadedOk(name string) int {
	loadingMu.Lock()
	defer loadingMu.Unlock()
	if loading {
		return 0
	}
	return loads[name]
}

// LoadAll loads them all.
func LoadAll(names []string) {
	for _, n := range names {
		go loadOk(n)
		go loadedOk(n)
	}
}
