package swaps

import (
	"sync/atomic"
	"time"
)

var (
	lateFlag int32
	lateMap  = map[string]int{}
)

// lateBad acts when the flag is back.
func lateBad(name string) {
	if !atomic.CompareAndSwapInt32(&lateFlag, 0, 1) {
		return
	}
	_, ok := lateMap[name] // want `check-then-act: lateMap is read here`
	atomic.StoreInt32(&lateFlag, 0)
	if !ok {
		lateMap[name] = 1
	}
}

// Late does so with all.
func Late(names []string) {
	for _, n := range names {
		go lateBad(n)
	}
}

var (
	bothFlag int32
	bothMap  = map[string]int{}
)

// bothBad goes on where another one has the flag.
func bothBad(name string) {
	if atomic.CompareAndSwapInt32(&bothFlag, 0, 1) {
		defer atomic.StoreInt32(&bothFlag, 0)
	} else {
		time.Sleep(time.Millisecond)
	}
	if _, ok := bothMap[name]; !ok { // want `check-then-act: bothMap is read here`
		bothMap[name] = 1
	}
}

// Both does so with all.
func Both(names []string) {
	for _, n := range names {
		go bothBad(n)
	}
}

var (
	turnedFlag atomic.Bool
	turnedMap  = map[string]int{}
)

// turnedBad goes on just where another one has the flag.
func turnedBad(name string) {
	if turnedFlag.CompareAndSwap(false, true) {
		turnedFlag.Store(false)
		return
	}
	if _, ok := turnedMap[name]; !ok { // want `check-then-act: turnedMap is read here`
		turnedMap[name] = 1
	}
}

// Turned does so with all.
func Turned(names []string) {
	for _, n := range names {
		go turnedBad(n)
	}
}

var (
	partFlag uint32
	partMap  = map[string]int{}
)

// partBad has the flag, and partClear does not ask for it.
func partBad(name string) {
	if !atomic.CompareAndSwapUint32(&partFlag, 0, 1) {
		return
	}
	defer atomic.StoreUint32(&partFlag, 0)
	if _, ok := partMap[name]; !ok {
		partMap[name] = 1 // want `goroutine-race: partMap is written in a goroutine under partFlag`
	}
}

func partClear(name string) {
	delete(partMap, name)
}

// Part does both.
func Part(names []string) {
	for _, n := range names {
		go partBad(n)
		go partClear(n)
	}
}

var (
	oneFlag, otherFlag int32
	twoMap             = map[string]int{}
)

// oneBad has one flag, otherFlagged another one.
func oneBad(name string) {
	if !atomic.CompareAndSwapInt32(&oneFlag, 0, 1) {
		return
	}
	defer atomic.StoreInt32(&oneFlag, 0)
	if _, ok := twoMap[name]; !ok { // want `unguarded-access: twoMap is read under oneFlag, and deleted under otherFlag`
		twoMap[name] = 1 // want `goroutine-race: twoMap is written in a goroutine under oneFlag`
	}
}

func otherFlagged(name string) {
	if !atomic.CompareAndSwapInt32(&otherFlag, 0, 1) {
		return
	}
	defer atomic.StoreInt32(&otherFlag, 0)
	delete(twoMap, name)
}

// Two does both.
func Two(names []string) {
	for _, n := range names {
		go oneBad(n)
		go otherFlagged(n)
	}
}

var (
	loadFlag int32
	loadMap  = map[string]int{}
)

// loadBad looks at the flag, then sets it.
func loadBad(name string) {
	if atomic.LoadInt32(&loadFlag) != 0 {
		return
	}
	atomic.StoreInt32(&loadFlag, 1)
	defer atomic.StoreInt32(&loadFlag, 0)
	if _, ok := loadMap[name]; !ok { // want `check-then-act: loadMap is read here`
		loadMap[name] = 1
	}
}

// Load does so with all.
func Load(names []string) {
	for _, n := range names {
		go loadBad(n)
	}
}

// A stall has a flag, and all stalls one map.
type stall struct {
	busy atomic.Bool
}

var stallMap = map[string]int{}

// serveBad has the flag of its own stall.
func (s *stall) serveBad(name string) {
	if !s.busy.CompareAndSwap(false, true) {
		return
	}
	defer s.busy.Store(false)
	if _, ok := stallMap[name]; !ok {
		stallMap[name] = 1 // want `goroutine-race: stallMap is written in a goroutine under stall\.busy`
	}
}

// Serve does so at all stalls.
func Serve(names []string) {
	for _, n := range names {
		s := new(stall)
		go s.serveBad(n)
	}
}

// A lodge starts what goes on when its flag is back.
type lodge struct {
	busy  int32
	rooms map[string]int
}

func (l *lodge) goneBad(name string) {
	if !atomic.CompareAndSwapInt32(&l.busy, 0, 1) {
		return
	}
	defer atomic.StoreInt32(&l.busy, 0)
	go func() {
		if _, ok := l.rooms[name]; !ok {
			l.rooms[name] = 1 // want `goroutine-race: l\.rooms is written in a goroutine without a lock`
		}
	}()
}

func (l *lodge) all(names []string) {
	for _, n := range names {
		go l.goneBad(n)
	}
}

var (
	resetFlag int32
	resetMap  = map[string]int{}
)

// resetBad has the flag until reset gives it away.
func resetBad(name string) {
	if !atomic.CompareAndSwapInt32(&resetFlag, 0, 1) {
		return
	}
	defer atomic.StoreInt32(&resetFlag, 0)
	if _, ok := resetMap[name]; !ok { // want `check-then-act: resetMap is read here`
		resetMap[name] = 1
	}
}

func reset() { atomic.StoreInt32(&resetFlag, 0) }

// Reset does both.
func Reset(names []string) {
	for _, n := range names {
		go resetBad(n)
		go reset()
	}
}

var (
	slots    int32
	slotsMap = map[string]int{}
)

// slotBad is one of a few.
func slotBad(name string) {
	if atomic.AddInt32(&slots, 1) > 4 {
		atomic.AddInt32(&slots, -1)
		return
	}
	defer atomic.AddInt32(&slots, -1)
	if _, ok := slotsMap[name]; !ok { // want `check-then-act: slotsMap is read here`
		slotsMap[name] = 1
	}
}

// Slots does so with all.
func Slots(names []string) {
	for _, n := range names {
		go slotBad(n)
	}
}

var (
	users    int32
	usersMap = map[string]int{}
)

// userBad counts up by a swap: many have it.
func userBad(name string) {
	n := atomic.LoadInt32(&users)
	if !atomic.CompareAndSwapInt32(&users, n, n+1) {
		return
	}
	defer atomic.AddInt32(&users, -1)
	if _, ok := usersMap[name]; !ok { // want `check-then-act: usersMap is read here`
		usersMap[name] = 1
	}
}

// Users does so with all.
func Users(names []string) {
	for _, n := range names {
		go userBad(n)
	}
}

var (
	stage    int32
	stageMap = map[string]int{}
)

// stageBad sets the flag from 1 to 2, and others set it from 0 to 1: two have it in turn.
func stageBad(name string) {
	if !atomic.CompareAndSwapInt32(&stage, 1, 2) && !atomic.CompareAndSwapInt32(&stage, 0, 1) {
		return
	}
	if _, ok := stageMap[name]; !ok { // want `check-then-act: stageMap is read here`
		stageMap[name] = 1
	}
	atomic.StoreInt32(&stage, 0)
}

// Stage does so with all.
func Stage(names []string) {
	for _, n := range names {
		go stageBad(n)
	}
}

var (
	downFlag int32 = 1
	downMap        = map[string]int{}
)

// downBad swaps back what it has not swapped before: it takes nothing.
func downBad(name string) {
	if !atomic.CompareAndSwapInt32(&downFlag, 1, 0) {
		atomic.StoreInt32(&downFlag, 1)
	}
	if _, ok := downMap[name]; !ok { // want `check-then-act: downMap is read here`
		downMap[name] = 1
	}
}

// Down does so with all.
func Down(names []string) {
	for _, n := range names {
		go downBad(n)
	}
}

var (
	earlyFlag int32
	earlyMap  = map[string]int{}
)

// earlyBad gives the flag back on one way before the act.
func earlyBad(name string, quick bool) {
	if !atomic.CompareAndSwapInt32(&earlyFlag, 0, 1) {
		return
	}
	_, ok := earlyMap[name] // want `check-then-act: earlyMap is read here`
	if quick {
		atomic.StoreInt32(&earlyFlag, 0)
	}
	if !ok {
		earlyMap[name] = 1
	}
	if !quick {
		atomic.StoreInt32(&earlyFlag, 0)
	}
}

// Early does so with all.
func Early(names []string) {
	for _, n := range names {
		go earlyBad(n, len(n) > 2)
	}
}
