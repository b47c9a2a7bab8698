package mapguardprobe

import (
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

// HarvestVariable says that the values with which the tests call functions are
// kept, and that drivers use them: when the tests have ended, or during them.
const (
	HarvestVariable = "MAPGUARD_PROVE_HARVEST"
	harvestEnd      = "end"
	harvestDuring   = "during"
)

// A harvest is what drivers run on: values that the tests have made, by type.
// It has a lock of its own, since functions are called far more often than
// probed operations are reached.
type harvest struct {
	mode  string
	mu    sync.Mutex
	pools map[unsafe.Pointer]*pool
	made  map[int]*pool // calls, by function
	seen  map[int]int
	calls atomic.Int64
	// keeping is off while drivers run: what they make up is not for drivers.
	keeping atomic.Bool
	drivers []*registration
	once    sync.Once
	over    chan struct{}
}

// A registration is one finding's driver.
type registration struct {
	finding, own, all int
	keys              []string
	calls             func(round int, key string, n int, flag bool) []func()
	// round and random go on where the driver runs in turns.
	round  int
	random uint32
	// fruitful are rounds that reached operations on the map, by operation;
	// reached lists those.
	fruitful map[int][]fruit
	reached  []int
	// meetings are rounds whose calls came to the finding and to a change of its
	// map; met is the last meeting.
	meetings []fruit
	met      *meeting
}

var harvested = newHarvest()

func newHarvest() *harvest {
	return &harvest{pools: map[unsafe.Pointer]*pool{}, made: map[int]*pool{}, seen: map[int]int{}, over: make(chan struct{})}
}

// A pool are values of one type: the first ones, and the last ones.
type pool struct {
	values []any
	next   int
}

// Bounds of a pool: so many are kept for good, the others are replaced.
const (
	maxFirst = 8
	maxPool  = 24
)

func (p *pool) keep(v any) {
	for _, known := range p.values {
		if comparable_(known) && comparable_(v) && known == v {
			return
		}
	}
	if len(p.values) < maxPool {
		p.values = append(p.values, v)
		return
	}
	p.values[maxFirst+p.next] = v
	p.next = (p.next + 1) % (maxPool - maxFirst)
}

// start begins to keep values; at half of the time the drivers run, should the
// tests not have ended by then.
func (h *harvest) start(mode string, limit time.Duration) {
	h.mode = mode
	h.keeping.Store(mode != "")
	switch mode {
	case harvestEnd:
		setWaits(false)
		go func() {
			time.Sleep(limit / 2)
			h.run()
		}()
	case harvestDuring:
		background.Store(true)
		go h.haunt()
	}
}

// Saw is at the begin of functions: keep keeps their arguments, which is not
// done each time. While tests run, only calls from outside the package count:
// others may be on an object that is not made yet.
func Saw(id int, keep func()) {
	h := harvested
	if !h.keeping.Load() {
		return
	}
	h.calls.Add(1)
	h.mu.Lock()
	h.seen[id]++
	n := h.seen[id]
	h.mu.Unlock()
	if n > 32 && n%16 != 0 || h.mode == harvestDuring && inner() {
		return
	}
	keep()
}

// Keep keeps a value for drivers.
func Keep[T any](v T) {
	value := any(v)
	if value == nil || word(value) == nil {
		return
	}
	h, t := harvested, typeOf[T]()
	h.mu.Lock()
	defer h.mu.Unlock()
	p := h.pools[t]
	if p == nil {
		p = &pool{}
		h.pools[t] = p
	}
	p.keep(value)
}

// Made keeps a call, for any object of its type.
func Made[T any](id int, call func(T)) {
	h := harvested
	h.mu.Lock()
	defer h.mu.Unlock()
	p := h.made[id]
	if p == nil {
		p = &pool{}
		h.made[id] = p
	}
	p.keep(any(call))
}

// Again makes a call on an object with the arguments of a call that the tests
// have made, in most rounds in which there is one, or with other ones. In one
// round all make the same one.
func Again[T any](id, round int, on T, other func()) {
	h, at := harvested, int(mixed(uint32(round*41+1))>>1)
	h.mu.Lock()
	var call func(T)
	if p := h.made[id]; p != nil && at%5 != 0 {
		call, _ = p.values[at/5%len(p.values)].(func(T))
	}
	h.mu.Unlock()
	if call == nil {
		other()
		return
	}
	call(on)
}

// None is the object of calls that have none.
type None struct{}

// typeOf is the identity of a static type.
func typeOf[T any]() unsafe.Pointer {
	t := any((*T)(nil))
	return (*[2]unsafe.Pointer)(unsafe.Pointer(&t))[0]
}

// Pick is a value that the tests have made, in most rounds in which there is
// one, or one that is made now. One of so many rounds has the latter.
func Pick[T any](round, part, one int, made func() T) T {
	h, at := harvested, int(mixed(uint32(round*37+part*11+1))>>1)
	h.mu.Lock()
	p := h.pools[typeOf[T]()]
	if p == nil || at%one == 0 {
		h.mu.Unlock()
		return made()
	}
	v, ok := p.values[at/one%len(p.values)].(T)
	h.mu.Unlock()
	if !ok {
		return made()
	}
	return v
}

// Register adds the driver of a finding.
func Register(finding, own, all int, keys []string, calls func(round int, key string, n int, flag bool) []func()) bool {
	harvested.drivers = append(harvested.drivers, &registration{finding: finding, own: own, all: all, keys: keys, calls: calls})
	return true
}

// Harvested runs the drivers, when the other tests have ended: it is called by
// one that runs in parallel with the last of them.
func Harvested() {
	h := harvested
	if h.mode != harvestEnd {
		return
	}
	for i, last := 0, int64(-1); i < 50 && last != h.calls.Load(); i++ {
		last = h.calls.Load()
		time.Sleep(100 * time.Millisecond)
	}
	h.run()
	<-h.over
}

// run runs all drivers, one after the other, each for its share of the time.
func (h *harvest) run() {
	h.once.Do(func() {
		h.keeping.Store(false)
		left := 0
		for _, d := range h.drivers {
			if !settled(d.finding) {
				left++
			}
		}
		until := time.Now().Add(micros(DriveVariable))
		for _, d := range h.drivers {
			if !settled(d.finding) {
				d.drive(time.Now().Add(time.Until(until)/time.Duration(left)), 40)
				left--
			}
		}
		close(h.over)
	})
}

// haunt runs the drivers in turns beside the tests.
func (h *harvest) haunt() {
	for open.Load() > 0 {
		time.Sleep(5 * time.Millisecond)
		for _, d := range h.drivers {
			if h.calls.Load() > 0 && !settled(d.finding) {
				d.drive(time.Now().Add(200*time.Millisecond), 0)
			}
		}
	}
}

// settled reports whether a finding needs no proof any more.
func settled(finding int) bool {
	mu.Lock()
	defer mu.Unlock()
	return done[finding]
}

// LimitVariable is how long the process may take, in microseconds.
const LimitVariable = "MAPGUARD_PROVE_LIMIT"
