package lockstates

import "sync"

// A daybook has a lock for each of its pages, in an array of its own. What works on several pages takes all locks, in a loop.
type daybook struct {
	latches [16]sync.Mutex
	pages   [16]map[string]int
}

// newDaybook makes one.
func newDaybook() *daybook {
	l := &daybook{}
	for i := range l.pages {
		l.pages[i] = map[string]int{}
	}
	return l
}

func (l *daybook) Book(name string, n int) {
	at := len(name) % 16
	l.latches[at].Lock()
	defer l.latches[at].Unlock()
	if _, ok := l.pages[at][name]; !ok {
		l.pages[at][name] = n
	}
}

func (l *daybook) Strike(name string) {
	at := len(name) % 16
	l.latches[at].Lock()
	delete(l.pages[at], name)
	l.latches[at].Unlock()
}

func (l *daybook) closeAll() {
	for i := range l.latches {
		l.latches[i].Lock()
	}
}

func (l *daybook) openAll() {
	for i := len(l.latches) - 1; i >= 0; i-- {
		l.latches[i].Unlock()
	}
}

// TransferOk holds all locks, taken and let go by helpers.
func (l *daybook) TransferOk(from, to string) {
	l.closeAll()
	defer l.openAll()
	if n, ok := l.pages[len(from)%16][from]; ok {
		l.pages[len(to)%16][to] = n
		delete(l.pages[len(from)%16], from)
	}
}

// CountLateBad has let them go between its look and its act.
func (l *daybook) CountLateBad(name string) {
	at := len(name) % 16
	l.closeAll()
	n := l.pages[at][name]
	l.openAll()
	l.closeAll()
	l.pages[at][name] = n + 1 // want `split-lock: l\.pages`
	l.openAll()
}

// CountOnOk keeps them.
func (l *daybook) CountOnOk(name string) {
	at := len(name) % 16
	l.closeAll()
	n := l.pages[at][name]
	l.pages[at][name] = n + 1
	l.openAll()
}

// WipeOk counts up to the length of the array, and lets go what it has deferred in each round.
func (l *daybook) WipeOk(name string) {
	for i := 0; i < 16; i++ {
		l.latches[i].Lock()
		defer l.latches[i].Unlock()
	}
	for _, p := range l.pages {
		delete(p, name)
	}
}

// WipeFirstBad takes one lock less.
func (l *daybook) WipeFirstBad(name string) {
	for i := 1; i < 16; i++ {
		l.latches[i].Lock()
		defer l.latches[i].Unlock()
	}
	for _, p := range l.pages {
		delete(p, name) // want `unguarded-access: l\.pages`
	}
}

// SumOk goes over the number of locks, and gives its caller none of them.
func (l *daybook) SumOk() (n int) {
	for i := range len(l.latches) {
		l.latches[i].Lock()
	}
	defer func() {
		for i := range l.latches {
			l.latches[i].Unlock()
		}
	}()
	for _, p := range l.pages {
		n += len(p)
	}
	return n
}

func (l *daybook) freeze() (thaw func()) {
	for i := range l.latches {
		l.latches[i].Lock()
	}
	return func() {
		for i := range l.latches {
			l.latches[i].Unlock()
		}
	}
}

// RenameOk lets them go by what it has got from the helper that takes them.
func (l *daybook) RenameOk(name, as string) {
	defer l.freeze()()
	if n, ok := l.pages[len(name)%16][name]; ok {
		delete(l.pages[len(name)%16], name)
		l.pages[len(as)%16][as] = n
	}
}

// RenameEarlyBad lets them go before it acts.
func (l *daybook) RenameEarlyBad(name, as string) {
	thaw := l.freeze()
	n, ok := l.pages[len(name)%16][name]
	thaw()
	if ok {
		delete(l.pages[len(name)%16], name) // want `unguarded-access: l\.pages`
		l.pages[len(as)%16][as] = n
	}
}

// DrainOk lets each go when it is done with its page.
func (l *daybook) DrainOk() (all []string) {
	l.closeAll()
	for i, p := range l.pages {
		for name := range p {
			all = append(all, name)
		}
		clear(l.pages[i])
		l.latches[i].Unlock()
	}
	return all
}

// DrainLateBad clears a page that it has let go.
func (l *daybook) DrainLateBad() {
	l.closeAll()
	for i := range l.pages {
		l.latches[i].Unlock()
		clear(l.pages[i]) // want `unguarded-access: l\.pages`
	}
}

// A lodge has a lock in each of its cells.
type lodge struct{ cells []*cell }

type cell struct {
	sync.RWMutex
	guests map[string]bool
}

func (h *lodge) cell(name string) *cell { return h.cells[len(name)%len(h.cells)] }

func (h *lodge) Enter(name string) {
	r := h.cell(name)
	r.Lock()
	defer r.Unlock()
	if !r.guests[name] {
		r.guests[name] = true
	}
}

func (h *lodge) Leave(name string) {
	r := h.cell(name)
	r.Lock()
	delete(r.guests, name)
	r.Unlock()
}

// MoveOk holds the lock of each cell.
func (h *lodge) MoveOk(from, to string) {
	for _, r := range h.cells {
		r.Lock()
		defer r.Unlock()
	}
	if h.cell(from).guests[from] {
		delete(h.cell(from).guests, from)
		h.cell(to).guests[to] = true
	}
}

// MoveHalfBad takes the locks of some cells.
func (h *lodge) MoveHalfBad(from, to string) {
	for _, r := range h.cells[1:] {
		r.Lock()
		defer r.Unlock()
	}
	if h.cell(from).guests[from] { // want `check-then-act: h\.cells.*, low`
		delete(h.cell(from).guests, from)
		h.cell(to).guests[to] = true
	}
}

// MoveSomeBad takes the locks until it has found one that it wants.
func (h *lodge) MoveSomeBad(from, to string) {
	for _, r := range h.cells {
		r.Lock()
		defer r.Unlock()
		if len(r.guests) == 0 {
			break
		}
	}
	if h.cell(from).guests[from] { // want `check-then-act: h\.cells.*, low`
		delete(h.cell(from).guests, from)
		h.cell(to).guests[to] = true
	}
}

// MoveIfBad takes the locks of the cells that are not empty.
func (h *lodge) MoveIfBad(from, to string, busy []bool) {
	for i, r := range h.cells {
		if busy[i] {
			r.Lock()
			defer r.Unlock()
		}
	}
	if h.cell(from).guests[from] { // want `check-then-act: h\.cells.*, low`
		delete(h.cell(from).guests, from)
		h.cell(to).guests[to] = true
	}
}

func (r *cell) has(name string) bool { return r.guests[name] }

func (r *cell) put(name string) { r.guests[name] = true }

// AcrossOk calls what expects the lock of its cell.
func (h *lodge) AcrossOk(from, to string) {
	for _, r := range h.cells {
		r.Lock()
	}
	if h.cell(from).has(from) {
		h.cell(to).put(to)
	}
	for _, r := range h.cells {
		r.Unlock()
	}
}

func lockCells(cells []*cell) {
	for _, r := range cells {
		r.Lock()
	}
}

func unlockCells(cells []*cell) {
	for _, r := range cells {
		r.Unlock()
	}
}

// CountOk gives all cells to the helpers.
func (h *lodge) CountOk(name string) (n int) {
	lockCells(h.cells)
	defer unlockCells(h.cells)
	if !h.cell(name).guests[name] {
		h.cell(name).guests[name] = true
	}
	return len(h.cells)
}

// An armada has a lock for each of its ships, by name.
type armada struct {
	locks map[string]*sync.Mutex
	cargo map[string]map[string]int
}

func (f *armada) Load(ship, what string, n int) {
	f.locks[ship].Lock()
	defer f.locks[ship].Unlock()
	if _, ok := f.cargo[ship][what]; !ok {
		f.cargo[ship][what] = n
	}
}

func (f *armada) Drop(ship, what string) {
	f.locks[ship].Lock()
	delete(f.cargo[ship], what)
	f.locks[ship].Unlock()
}

// ShiftOk takes the locks of all ships.
func (f *armada) ShiftOk(from, to, what string) {
	for _, l := range f.locks {
		l.Lock()
	}
	defer func() {
		for _, l := range f.locks {
			l.Unlock()
		}
	}()
	if n, ok := f.cargo[from][what]; ok {
		delete(f.cargo[from], what)
		f.cargo[to][what] = n
	}
}

// ShiftOneLetGoBad lets one of them go before it acts.
func (f *armada) ShiftOneLetGoBad(from, to, what string) {
	for _, l := range f.locks {
		l.Lock()
	}
	f.locks[from].Unlock()
	if n, ok := f.cargo[from][what]; ok { // want `(check-then-act|unguarded-access): f\.cargo`
		delete(f.cargo[from], what)
		f.cargo[to][what] = n
	}
	f.locks[from].Lock()
	for _, l := range f.locks {
		l.Unlock()
	}
}

// A motel has a lock in each of its suites.
type motel struct{ suites []*suite }

type suite struct {
	sync.RWMutex
	guests map[string]bool
}

func (h *motel) suite(name string) *suite { return h.suites[len(name)%len(h.suites)] }

func (h *motel) Enter(name string) {
	r := h.suite(name)
	r.Lock()
	defer r.Unlock()
	if !r.guests[name] {
		r.guests[name] = true
	}
}

func (h *motel) Leave(name string) {
	r := h.suite(name)
	r.Lock()
	delete(r.guests, name)
	r.Unlock()
}

// TryOk and BookOk hold the lock of one suite.
func (h *motel) TryOk(name string) bool {
	r := h.suite(name)
	r.Lock()
	defer r.Unlock()
	if r.guests[name] {
		return false
	}
	r.guests[name] = true
	return true
}

func (h *motel) BookOk(name string) {
	r := h.suite(name)
	r.Lock()
	defer r.Unlock()
	if !r.guests[name] && len(r.guests) < 2 {
		r.guests[name] = true
	}
}

// MoveInTurnBad lets each lock go before it takes the next one.
func (h *motel) MoveInTurnBad(from, to string) {
	for _, r := range h.suites {
		r.Lock()
		r.Unlock()
	}
	if h.suite(from).guests[from] { // want `unguarded-access: h\.suites`
		h.suite(to).guests[to] = true
	}
}

func lockSuites(suites []*suite) {
	for _, r := range suites {
		r.Lock()
	}
}

func unlockSuites(suites []*suite) {
	for _, r := range suites {
		r.Unlock()
	}
}

// CountHalfBad gives a part of them.
func (h *motel) CountHalfBad(name string) int {
	lockSuites(h.suites[:2])
	defer unlockSuites(h.suites[:2])
	if !h.suite(name).guests[name] { // want `(check-then-act|unguarded-access): h\.suites`
		h.suite(name).guests[name] = true
	}
	return len(h.suites)
}

func (h *lodge) tryAll() bool {
	for i, r := range h.cells {
		if !r.TryLock() {
			for _, got := range h.cells[:i] {
				got.Unlock()
			}
			return false
		}
	}
	return true
}

// MoveIfFreeOk holds all where each one was free.
func (h *lodge) MoveIfFreeOk(from, to string) bool {
	if !h.tryAll() {
		return false
	}
	defer unlockCells(h.cells)
	h.cell(to).guests[to] = true
	delete(h.cell(from).guests, from)
	return true
}

// MoveIfBusyBad goes on where one was not.
func (h *lodge) MoveIfBusyBad(from string) bool {
	if h.tryAll() {
		unlockCells(h.cells)
		return false
	}
	delete(h.cell(from).guests, from) // want `unguarded-access: h\.cells.*, low`
	return true
}

func (h *lodge) withAll(do func()) {
	for _, r := range h.cells {
		r.Lock()
		defer r.Unlock()
	}
	do()
}

// MoveInsideOk runs where all are held.
func (h *lodge) MoveInsideOk(from, to string) {
	h.withAll(func() {
		if h.cell(from).guests[from] {
			delete(h.cell(from).guests, from)
			h.cell(to).guests[to] = true
		}
	})
}
