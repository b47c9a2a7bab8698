package refused

import (
	"errors"
	"sync"
)

// A mutex is held from a look at a sync.Map to the change that rests on it: but not where that could wait for who waits for the
// mutex, or not all that changes the map is in sight.

var errTurn = errors.New("taken")

type part struct {
	id    string
	marks []string
}

// Another function that takes the mutex is called in between, at any depth.
type turnsOf struct {
	parts sync.Map
}

func (m *turnsOf) calledBad(p *part) error {
	found := false
	m.parts.Range(func(_, v any) bool {
		found = v.(*part).id == p.id
		return !found
	})
	if found {
		m.deeper() // want `sync-map: .*hold a mutex across both`
		return errTurn
	}
	m.parts.Store(p.id, p)
	return nil
}

func (m *turnsOf) deeper()       { m.Mark("again") }
func (m *turnsOf) Mark(k string) { m.parts.Store(k, &part{id: k}) }

// It waits in between.
type turnWaits struct {
	parts sync.Map
	ready chan int
}

func (m *turnWaits) waitsBad(k string) error {
	v, ok := m.parts.Load(k)
	if !ok {
		return errTurn
	}
	<-m.ready
	m.parts.Store(k, append(v.([]int), 1)) // want `sync-map: .*hold a mutex across both`
	return nil
}

// Another one waits while it stores: the look of this one would still be out of date.
type turnOthers struct {
	parts sync.Map
	ready chan int
}

func (m *turnOthers) plainBad(k string) error {
	v, ok := m.parts.Load(k)
	if !ok {
		return errTurn
	}
	m.parts.Store(k, append(v.([]int), 1)) // want `sync-map: .*hold a mutex across both`
	return nil
}

func (m *turnOthers) Receive(k string) { m.parts.Store(k, []int{<-m.ready}) }

// The map is exported, and so can be changed elsewhere.
type TurnsOpen struct{ Parts sync.Map }

func (m *TurnsOpen) openBad(k string) error {
	v, ok := m.Parts.Load(k)
	if !ok {
		return errTurn
	}
	m.Parts.Store(k, append(v.([]int), 1)) // want `sync-map: .*hold a mutex across both`
	return nil
}

// The map has another name, by which it is changed.
type turnsLent struct{ parts sync.Map }

func (m *turnsLent) lentBad(k string) error {
	v, ok := m.parts.Load(k)
	if !ok {
		return errTurn
	}
	m.parts.Store(k, append(v.([]int), 1)) // want `sync-map: .*hold a mutex across both`
	return nil
}

func (m *turnsLent) fill(k string) { fillIn(&m.parts, k) }

func fillIn(m *sync.Map, k string) { m.Store(k, []int{}) }

// A method of the map is kept as a function.
type turnsKept struct{ parts sync.Map }

func (m *turnsKept) keptBad(k string) error {
	v, ok := m.parts.Load(k)
	if !ok {
		return errTurn
	}
	m.parts.Store(k, append(v.([]int), 1)) // want `sync-map: .*hold a mutex across both`
	return nil
}

func (m *turnsKept) Put() func(k, v any) { return m.parts.Store }

// A literal that takes the mutex stands there, and runs when the function returns.
type turnsLater struct{ parts sync.Map }

func (m *turnsLater) laterBad(k string) (err error) {
	v, ok := m.parts.Load(k)
	if !ok {
		return errTurn
	}
	defer func() {
		if err != nil {
			m.parts.Store("failed", []int{})
		}
	}()
	m.parts.Store(k, append(v.([]int), 1)) // want `sync-map: .*hold a mutex across both`
	return nil
}

// The Store is put off.
type turnsOff struct{ parts sync.Map }

func (m *turnsOff) offBad(k string) error {
	v, ok := m.parts.Load(k)
	if !ok {
		return errTurn
	}
	m.parts.Store(k, append(v.([]int), 1)) // want `sync-map: .*hold a mutex across both`
	return nil
}

func (m *turnsOff) Off(k string) {
	defer m.parts.Store(k, []int{})
}

// A function that takes the mutex is passed to what runs in between.
type turnsPassed struct{ parts sync.Map }

func (m *turnsPassed) passedBad(k string) error {
	v, ok := m.parts.Load(k)
	if !ok {
		return errTurn
	}
	eachTurn(m.Mark)
	m.parts.Store(k, append(v.([]int), 1)) // want `sync-map: .*hold a mutex across both`
	return nil
}

func (m *turnsPassed) Mark(k string) { m.parts.Store(k, []int{}) }

func eachTurn(f func(string)) { f("each") }

// A lock that is taken in between is held where the other function takes the mutex.
type turnsOrder struct {
	mu    sync.Mutex
	n     int
	parts sync.Map
}

func (m *turnsOrder) orderBad(k string) error {
	v, ok := m.parts.Load(k)
	if !ok {
		return errTurn
	}
	m.count()
	m.parts.Store(k, append(v.([]int), 1)) // want `sync-map: .*hold a mutex across both`
	return nil
}

func (m *turnsOrder) count() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.n++
}

func (m *turnsOrder) All(ks []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, k := range ks {
		m.parts.Store(k, []int{m.n})
	}
}

// Two objects may have one map.
type turnsShared struct{ parts *sync.Map }

func shareTurns(m *sync.Map) *turnsShared { return &turnsShared{parts: m} }

func (m *turnsShared) sharedBad(k string) error {
	v, ok := m.parts.Load(k)
	if !ok {
		return errTurn
	}
	m.parts.Store(k, append(v.([]int), 1)) // want `sync-map: .*hold a mutex across both`
	return nil
}

// A goto comes back to the look, a label is jumped to, and the name means something else.
type turnsBack struct{ parts sync.Map }

func (m *turnsBack) gotoBad(k string) error {
again:
	v, ok := m.parts.Load(k)
	if !ok {
		return errTurn
	}
	if len(v.([]int)) == 0 {
		goto again
	}
	m.parts.Store(k, append(v.([]int), 1)) // want `sync-map: .*hold a mutex across both`
	return nil
}

type turnsLabel struct{ parts sync.Map }

func (m *turnsLabel) labelBad(all [][]string) {
outer:
	for _, ks := range all {
		for _, k := range ks {
			v, ok := m.parts.Load(k)
			if !ok {
				continue outer
			}
			m.parts.Store(k, append(v.([]int), 1)) // want `sync-map: .*hold a mutex across both`
		}
	}
}

var marksKept sync.Map

func shadowedBad(k string, marksKeptMu int) int {
	v, ok := marksKept.Load(k)
	if !ok {
		return marksKeptMu
	}
	marksKept.Store(k, append(v.([]int), 1)) // want `sync-map: .*hold a mutex across both`
	return 0
}

type turnsInner struct{ parts sync.Map }

type turnsOuter struct {
	*turnsInner
	partsMu int
}

func (m *turnsOuter) innerBad(k string) error {
	v, ok := m.parts.Load(k)
	if !ok {
		return errTurn
	}
	m.parts.Store(k, append(v.([]int), 1)) // want `sync-map: .*hold a mutex across both`
	return nil
}

type turnsGeneric[T any] struct{ parts sync.Map }

func (m *turnsGeneric[T]) genericBad(k string, t T) error {
	v, ok := m.parts.Load(k)
	if !ok {
		return errTurn
	}
	m.parts.Store(k, append(v.([]T), t)) // want `sync-map: .*hold a mutex across both`
	return nil
}

var turnsOfInts turnsGeneric[int]

// The object is another one by the time of the act, and a section that is left early would stay closed by what is deferred.
type turnsTwo struct {
	parts sync.Map
	next  *turnsTwo
	ready chan int
}

func (m *turnsTwo) deferredBad(k string) error {
	defer m.Mark("end")
	v, ok := m.parts.Load(k)
	if !ok {
		return errTurn
	}
	m.parts.Store(k, append(v.([]int), 1)) // want `sync-map: .*hold a mutex across both`
	<-m.ready
	return nil
}

func (m *turnsTwo) Mark(k string) { m.parts.Store(k, []int{}) }

type turnsChain struct {
	parts sync.Map
	next  *turnsChain
}

func (m *turnsChain) chainBad(k string) {
	for m != nil {
		v, ok := m.parts.Load(k)
		if !ok {
			m = m.next
			continue
		}
		m.parts.Store(k, append(v.([]int), 1)) // want `sync-map: .*hold a mutex across both`
		return
	}
}

// A panic would leave the mutex held, where the section is over before the function ends.
type turnsPanic struct {
	parts sync.Map
	ready chan int
}

func (m *turnsPanic) panicBad(k string) error {
	v, ok := m.parts.Load(k)
	if !ok {
		return errTurn
	}
	if len(v.([]int)) > 9 {
		panic("too many")
	}
	m.parts.Store(k, append(v.([]int), 1)) // want `sync-map: .*hold a mutex across both`
	<-m.ready
	return nil
}

// Code elsewhere may copy it, and have one map and two mutexes.
type TurnsCopied struct{ parts *sync.Map }

func NewTurns() *TurnsCopied { return &TurnsCopied{parts: &sync.Map{}} }

func (m *TurnsCopied) copiedBad(k string) error {
	v, ok := m.parts.Load(k)
	if !ok {
		return errTurn
	}
	m.parts.Store(k, append(v.([]int), 1)) // want `sync-map: .*hold a mutex across both`
	return nil
}

// A lock that others can hold is taken in between.
type turnsOpenLock struct {
	Mu    sync.Mutex
	n     int
	parts sync.Map
}

func (m *turnsOpenLock) openLockBad(k string) error {
	v, ok := m.parts.Load(k)
	if !ok {
		return errTurn
	}
	m.count()
	m.parts.Store(k, append(v.([]int), 1)) // want `sync-map: .*hold a mutex across both`
	return nil
}

func (m *turnsOpenLock) count() {
	m.Mu.Lock()
	defer m.Mu.Unlock()
	m.n++
}

// A helper that makes the change is called by an interface, too, where no words name the mutex.
type turnsPut struct{ parts sync.Map }

type turnPutter interface{ put(k string) }

func (m *turnsPut) put(k string) { m.parts.Store(k, k) }

func (m *turnsPut) addBad(k string) bool {
	found := false
	m.parts.Range(func(_, v any) bool {
		found = v == k
		return !found
	})
	if !found {
		m.put(k) // want `sync-map: .*hold a mutex across both`
	}
	return found
}

func putTurn(p turnPutter, k string) { p.put(k) }

func putTurns(m *turnsPut) { putTurn(m, "new") }

// The look is at the entries that the walk comes to.
type turnsWalk struct{ parts sync.Map }

func (m *turnsWalk) walkBad() {
	m.parts.Range(func(k, v any) bool {
		if len(v.([]int)) > 9 {
			m.log(k)
			m.parts.Delete(k) // want `sync-map: .*`
		}
		return true
	})
}

func (m *turnsWalk) log(k any) { println(k) }

func (m *turnsWalk) Put(k string) { m.parts.Store(k, []int{}) }
