package threads

import (
	"context"
	"sync"
	"sync/atomic"
)

// What the first call starts, with a flag that is set under the lock for good, is there once for each object, however
// many come at a time.

type lazyTally struct {
	mu      sync.Mutex
	started bool
	in      chan string
	counts  map[string]int
}

func (t *lazyTally) push(k string) {
	t.mu.Lock()
	if !t.started {
		t.started = true
		go t.loopOk()
	}
	t.mu.Unlock()
	t.in <- k
}

func (t *lazyTally) loopOk() {
	for k := range t.in {
		t.counts[k]++
	}
}

func (t *lazyTally) all(ks []string) {
	for _, k := range ks {
		go t.push(k)
	}
}

// What leads to the loop is there, or not yet.
type lazyIn struct {
	mu     sync.Mutex
	in     chan string
	counts map[string]int
}

func (t *lazyIn) push(k string) {
	t.mu.Lock()
	if t.in == nil {
		t.in = make(chan string, 8)
		go t.loopOk(t.in)
	}
	in := t.in
	t.mu.Unlock()
	in <- k
}

func (t *lazyIn) loopOk(in chan string) {
	for k := range in {
		t.counts[k]++
	}
}

func (t *lazyIn) all(ks []string) {
	for _, k := range ks {
		go t.push(k)
	}
}

// So it is with a function that stops it, and a helper that looks, in the section of its caller.
type lazyCancel struct {
	mu     sync.Mutex
	cancel context.CancelFunc
	in     chan string
	counts map[string]int
}

func (t *lazyCancel) push(k string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ensure()
	t.in <- k
}

func (t *lazyCancel) ensure() {
	if t.cancel != nil {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	t.cancel = cancel
	go t.loopOk(ctx)
}

func (t *lazyCancel) loopOk(ctx context.Context) {
	for {
		select {
		case k := <-t.in:
			t.counts[k]++
		case <-ctx.Done():
			return
		}
	}
}

func (t *lazyCancel) all(ks []string) {
	for _, k := range ks {
		go t.push(k)
		t.mu.Lock()
		t.ensure()
		t.mu.Unlock()
	}
}

// An atomic flag that is claimed needs no lock.
type lazyAtomic struct {
	started atomic.Bool
	in      chan string
	counts  map[string]int
}

func (t *lazyAtomic) push(k string) {
	if t.started.CompareAndSwap(false, true) {
		go t.loopOk()
	}
	t.in <- k
}

func (t *lazyAtomic) loopOk() {
	for k := range t.in {
		t.counts[k]++
	}
}

func (t *lazyAtomic) all(ks []string) {
	for _, k := range ks {
		go t.push(k)
	}
}

// Who comes second is refused: the loop that the first one goes on to begins where the flag was claimed.
type lazyRun struct {
	started atomic.Bool
	mu      sync.Mutex
	running bool
	in      chan string
	counts  map[string]int
	sums    map[string]int
}

func (t *lazyRun) swapOk() {
	if t.started.Swap(true) {
		return
	}
	for {
		select {
		case k := <-t.in:
			t.counts[k]++
		}
	}
}

func (t *lazyRun) lockOk() {
	t.mu.Lock()
	if t.running {
		t.mu.Unlock()
		return
	}
	t.running = true
	t.mu.Unlock()
	for {
		select {
		case k := <-t.in:
			t.sums[k]++
		}
	}
}

func (t *lazyRun) all(ks []string) {
	for _, k := range ks {
		go t.swapOk()
		go t.lockOk()
		t.in <- k
	}
}

// Two functions each start it, by one flag.
type lazyBoth struct {
	mu      sync.Mutex
	started bool
	in      chan string
	counts  map[string]int
}

func (t *lazyBoth) push(k string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.started {
		t.started = true
		go t.loopOk()
	}
}

func (t *lazyBoth) poke() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.started {
		t.started = true
		go t.loopOk()
	}
}

func (t *lazyBoth) loopOk() {
	for k := range t.in {
		t.counts[k]++
	}
}

func (t *lazyBoth) all(ks []string) {
	for _, k := range ks {
		go t.push(k)
		go t.poke()
	}
}

// The flag is set back, and the loop goes on.
type lazyCleared struct {
	mu      sync.Mutex
	started bool
	in      chan string
	counts  map[string]int
}

func (t *lazyCleared) push(k string) {
	t.mu.Lock()
	if !t.started {
		t.started = true
		go t.loopBad()
	}
	t.mu.Unlock()
	t.in <- k
}

func (t *lazyCleared) reset() {
	t.mu.Lock()
	t.started = false
	t.mu.Unlock()
}

func (t *lazyCleared) loopBad() {
	for k := range t.in {
		t.counts[k]++ // want `goroutine-race: t\.counts is written in a goroutine`
	}
}

func (t *lazyCleared) all(ks []string) {
	for _, k := range ks {
		go t.push(k)
		t.reset()
	}
}

// Nothing is held where the flag is looked at.
type lazyUnlocked struct {
	mu      sync.Mutex
	started bool
	in      chan string
	counts  map[string]int
}

func (t *lazyUnlocked) push(k string) {
	if !t.started {
		t.mu.Lock()
		t.started = true
		t.mu.Unlock()
		go t.loopBad()
	}
	t.in <- k
}

func (t *lazyUnlocked) loopBad() {
	for k := range t.in {
		t.counts[k]++ // want `goroutine-race: t\.counts is written in a goroutine`
	}
}

func (t *lazyUnlocked) all(ks []string) {
	for _, k := range ks {
		go t.push(k)
	}
}

// The flag is set in another section than the one that has looked.
type lazyLater struct {
	mu      sync.Mutex
	started bool
	in      chan string
	counts  map[string]int
}

func (t *lazyLater) push(k string) {
	t.mu.Lock()
	if !t.started {
		t.mu.Unlock()
		t.mu.Lock()
		t.started = true
		go t.loopBad()
	}
	t.mu.Unlock()
	t.in <- k
}

func (t *lazyLater) loopBad() {
	for k := range t.in {
		t.counts[k]++ // want `goroutine-race: t\.counts is written in a goroutine`
	}
}

func (t *lazyLater) all(ks []string) {
	for _, k := range ks {
		go t.push(k)
	}
}

// Others read under the lock at the same time.
type lazyShared struct {
	mu      sync.RWMutex
	started bool
	in      chan string
	counts  map[string]int
}

func (t *lazyShared) push(k string) {
	t.mu.RLock()
	if !t.started {
		t.started = true
		go t.loopBad()
	}
	t.mu.RUnlock()
	t.in <- k
}

func (t *lazyShared) loopBad() {
	for k := range t.in {
		t.counts[k]++ // want `goroutine-race: t\.counts is written in a goroutine`
	}
}

func (t *lazyShared) all(ks []string) {
	for _, k := range ks {
		go t.push(k)
	}
}

// Two places set the flag, under two locks.
type lazyTwoLocks struct {
	mu, other sync.Mutex
	started   bool
	in        chan string
	counts    map[string]int
}

func (t *lazyTwoLocks) push(k string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.started {
		t.started = true
		go t.loopBad()
	}
}

func (t *lazyTwoLocks) poke() {
	t.other.Lock()
	defer t.other.Unlock()
	if !t.started {
		t.started = true
		go t.loopBad()
	}
}

func (t *lazyTwoLocks) loopBad() {
	for k := range t.in {
		t.counts[k]++ // want `goroutine-race: t\.counts is written in a goroutine`
	}
}

func (t *lazyTwoLocks) all(ks []string) {
	for _, k := range ks {
		go t.push(k)
		go t.poke()
	}
}

// What is put in may be nothing: then the next one starts another loop.
type lazyGiven struct {
	mu     sync.Mutex
	in     chan string
	counts map[string]int
}

func (t *lazyGiven) push(in chan string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.in == nil {
		t.in = in
		go t.loopBad(in)
	}
}

func (t *lazyGiven) loopBad(in chan string) {
	for k := range in {
		t.counts[k]++ // want `goroutine-race: t\.counts is written in a goroutine`
	}
}

func (t *lazyGiven) all(ins []chan string) {
	for _, in := range ins {
		go t.push(in)
	}
}

// A loop behind the flag starts one after the other.
type lazyMany struct {
	mu      sync.Mutex
	started bool
	in      chan string
	counts  map[string]int
}

func (t *lazyMany) push(n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.started {
		t.started = true
		for range n {
			go t.loopBad()
		}
	}
}

func (t *lazyMany) loopBad() {
	for k := range t.in {
		t.counts[k]++ // want `goroutine-race: t\.counts is written in a goroutine`
	}
}

// Each has started its own, and they come to one map.
type lazyLone struct {
	mu      sync.Mutex
	started bool
	in      chan string
}

var lazyTotals = map[string]int{}

func (t *lazyLone) push(k string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.started {
		t.started = true
		go t.loopBad()
	}
}

func (t *lazyLone) loopBad() {
	for k := range t.in {
		lazyTotals[k]++ // want `check-then-act: lazyTotals is read`
	}
}

func (t *lazyLone) all(ks []string) {
	for _, k := range ks {
		go t.push(k)
	}
}

// The one who has set the flag goes on beside what it has started.
type lazyBeside struct {
	mu      sync.Mutex
	started bool
	in      chan string
	counts  map[string]int
}

func (t *lazyBeside) push(k string) {
	t.mu.Lock()
	if !t.started {
		t.started = true
		go t.loopBad()
		t.counts[k]++ // of the finding below
	}
	t.mu.Unlock()
}

func (t *lazyBeside) loopBad() {
	for k := range t.in {
		t.counts[k]++ // want `: t\.counts is read`
	}
}

func (t *lazyBeside) all(ks []string) {
	for _, k := range ks {
		go t.push(k)
	}
}
