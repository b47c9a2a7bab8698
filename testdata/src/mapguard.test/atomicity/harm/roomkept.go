package harm

import (
	"errors"
	"sync"
	"sync/atomic"
)

// A counter that each look at the size of a map adds to it keeps room for an entry that is still to come.

type cable struct{ to string }

func layCable(to string) (*cable, error) { return &cable{to: to}, nil }

var errFull = errors.New("full")

type Board struct {
	mu     sync.Mutex
	live   map[*cable]bool
	coming int
	most   int
}

func NewBoard(most int) *Board { return &Board{live: map[*cable]bool{}, most: most} }

// Cut takes a cable out.
func (b *Board) Cut(w *cable) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.live, w)
}

func (b *Board) DialOk(to string) error {
	b.mu.Lock()
	if len(b.live)+b.coming >= b.most {
		b.mu.Unlock()
		return errFull
	}
	b.coming++
	b.mu.Unlock()
	w, err := layCable(to)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.coming--
	if err != nil {
		return err
	}
	b.live[w] = true
	return nil
}

// Plug asks for the same sum, and keeps the lock.
func (b *Board) PlugOk(w *cable) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.coming+len(b.live) >= b.most {
		return false
	}
	b.live[w] = true
	return true
}

// Lend does not ask.
func (b *Board) Lend(w *cable) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.live[w] = true
}

// Helpers ask and count, under the lock of their caller.
type Asking struct {
	mu     sync.Mutex
	live   map[*cable]bool
	coming int
	most   int
}

func NewAsking(most int) *Asking { return &Asking{live: map[*cable]bool{}, most: most} }

// Cut takes a cable out.
func (b *Asking) Cut(w *cable) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.live, w)
}

func (b *Asking) full() bool { return len(b.live)+b.coming >= b.most }

func (b *Asking) expect() { b.coming++ }

func (b *Asking) CallOk(to string) error {
	b.mu.Lock()
	if b.full() {
		b.mu.Unlock()
		return errFull
	}
	b.expect()
	b.mu.Unlock()
	w, err := layCable(to)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.coming--
	if err != nil {
		return err
	}
	b.live[w] = true
	return nil
}

// The counter is atomic.
type Counted struct {
	mu     sync.Mutex
	live   map[*cable]bool
	coming atomic.Int64
	most   int
}

func NewCounted(most int) *Counted { return &Counted{live: map[*cable]bool{}, most: most} }

// Cut takes a cable out.
func (b *Counted) Cut(w *cable) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.live, w)
}

func (b *Counted) ReachOk(to string) error {
	b.mu.Lock()
	if len(b.live)+int(b.coming.Load()) >= b.most {
		b.mu.Unlock()
		return errFull
	}
	b.coming.Add(1)
	b.mu.Unlock()
	w, err := layCable(to)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.coming.Add(-1)
	if err != nil {
		return err
	}
	b.live[w] = true
	return nil
}

// It is counted up in a section of its own, when others have asked.
type Tardy struct {
	mu     sync.Mutex
	live   map[*cable]bool
	coming int
	most   int
}

func NewTardy(most int) *Tardy { return &Tardy{live: map[*cable]bool{}, most: most} }

// Cut takes a cable out.
func (b *Tardy) Cut(w *cable) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.live, w)
}

func (b *Tardy) RingBad(to string) error {
	b.mu.Lock()
	if len(b.live)+b.coming >= b.most {
		b.mu.Unlock()
		return errFull
	}

	b.mu.Unlock()
	w, err := layCable(to)
	b.mu.Lock()
	b.coming++
	b.mu.Unlock()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.coming--
	if err != nil {
		return err
	}
	b.live[w] = true // want `split-lock: b.live is measured`
	return nil
}

// It is counted down before the entry is there.
type Early struct {
	mu     sync.Mutex
	live   map[*cable]bool
	coming int
	most   int
}

func NewEarly(most int) *Early { return &Early{live: map[*cable]bool{}, most: most} }

// Cut takes a cable out.
func (b *Early) Cut(w *cable) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.live, w)
}

func (b *Early) HailBad(to string) error {
	b.mu.Lock()
	if len(b.live)+b.coming >= b.most {
		b.mu.Unlock()
		return errFull
	}
	b.coming++
	b.mu.Unlock()
	w, err := layCable(to)
	b.mu.Lock()
	b.coming--
	b.mu.Unlock()
	b.mu.Lock()
	defer b.mu.Unlock()

	if err != nil {
		return err
	}
	b.live[w] = true // want `split-lock: b.live is measured`
	return nil
}

// It is counted down twice if the cable is late.
type Twice struct {
	mu     sync.Mutex
	live   map[*cable]bool
	coming int
	most   int
}

func NewTwice(most int) *Twice { return &Twice{live: map[*cable]bool{}, most: most} }

// Cut takes a cable out.
func (b *Twice) Cut(w *cable) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.live, w)
}

func (b *Twice) PageBad(to string) error {
	b.mu.Lock()
	if len(b.live)+b.coming >= b.most {
		b.mu.Unlock()
		return errFull
	}
	b.coming++
	b.mu.Unlock()
	w, err := layCable(to)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.coming--
	if w == nil {
		b.coming--
	}
	if err != nil {
		return err
	}
	b.live[w] = true // want `split-lock: b.live is measured`
	return nil
}

// Others ask for the size alone.
type Mixed struct {
	mu     sync.Mutex
	live   map[*cable]bool
	coming int
	most   int
}

func NewMixed(most int) *Mixed { return &Mixed{live: map[*cable]bool{}, most: most} }

// Cut takes a cable out.
func (b *Mixed) Cut(w *cable) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.live, w)
}

func (b *Mixed) SendBad(to string) error {
	b.mu.Lock()
	if len(b.live)+b.coming >= b.most {
		b.mu.Unlock()
		return errFull
	}
	b.coming++
	b.mu.Unlock()
	w, err := layCable(to)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.coming--
	if err != nil {
		return err
	}
	b.live[w] = true // want `split-lock: b.live is measured`
	return nil
}

func (b *Mixed) Plug(w *cable) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.live) >= b.most {
		return false
	}
	b.live[w] = true
	return true
}

// The counter is set back while cables are on their way.
type Reset struct {
	mu     sync.Mutex
	live   map[*cable]bool
	coming int
	most   int
}

func NewReset(most int) *Reset { return &Reset{live: map[*cable]bool{}, most: most} }

// Cut takes a cable out.
func (b *Reset) Cut(w *cable) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.live, w)
}

func (b *Reset) TellBad(to string) error {
	b.mu.Lock()
	if len(b.live)+b.coming >= b.most {
		b.mu.Unlock()
		return errFull
	}
	b.coming++
	b.mu.Unlock()
	w, err := layCable(to)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.coming--
	if err != nil {
		return err
	}
	b.live[w] = true // want `split-lock: b.live is measured`
	return nil
}

// Renew forgets what is on its way.
func (b *Reset) Renew() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.coming = 0
}

// Readers look at one time, and each counts for itself.
type Many struct {
	mu     sync.RWMutex
	live   map[*cable]bool
	coming atomic.Int64
	most   int
}

func NewMany(most int) *Many { return &Many{live: map[*cable]bool{}, most: most} }

// Cut takes a cable out.
func (b *Many) Cut(w *cable) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.live, w)
}

func (b *Many) ShoutBad(to string) error {
	b.mu.RLock()
	if len(b.live)+int(b.coming.Load()) >= b.most {
		b.mu.RUnlock()
		return errFull
	}
	b.coming.Add(1)
	b.mu.RUnlock()
	w, err := layCable(to)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.coming.Add(-1)
	if err != nil {
		return err
	}
	b.live[w] = true // want `split-lock: b.live is measured`
	return nil
}

// Each caller counts for itself.
type Split struct {
	mu   sync.Mutex
	live map[*cable]bool
	most int
}

func NewSplit(most int) *Split { return &Split{live: map[*cable]bool{}, most: most} }

// Cut takes a cable out.
func (b *Split) Cut(w *cable) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.live, w)
}

// A spur is one caller's.
type spur struct{ coming int }

func (b *Split) DialBad(l *spur, to string) error {
	b.mu.Lock()
	if len(b.live)+l.coming >= b.most {
		b.mu.Unlock()
		return errFull
	}
	l.coming++
	b.mu.Unlock()
	w, err := layCable(to)
	b.mu.Lock()
	defer b.mu.Unlock()
	l.coming--
	if err != nil {
		return err
	}
	b.live[w] = true // want `split-lock: b.live is measured`
	return nil
}

// Open starts a spur.
func (b *Split) Open(to string) error { return b.DialBad(&spur{}, to) }

// It is counted down when the function ends.
type Ending struct {
	mu     sync.Mutex
	live   map[*cable]bool
	coming int
	most   int
}

func NewEnding(most int) *Ending { return &Ending{live: map[*cable]bool{}, most: most} }

// Cut takes a cable out.
func (b *Ending) Cut(w *cable) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.live, w)
}

func (b *Ending) EndOk(to string) error {
	b.mu.Lock()
	if len(b.live)+b.coming >= b.most {
		b.mu.Unlock()
		return errFull
	}
	b.coming++
	b.mu.Unlock()
	defer func() {
		b.mu.Lock()
		b.coming--
		b.mu.Unlock()
	}()
	w, err := layCable(to)
	b.mu.Lock()
	defer b.mu.Unlock()
	if err != nil {
		return err
	}
	b.live[w] = true
	return nil
}

// It is counted down at once.
type Sudden struct {
	mu     sync.Mutex
	live   map[*cable]bool
	coming int
	most   int
}

func NewSudden(most int) *Sudden { return &Sudden{live: map[*cable]bool{}, most: most} }

// Cut takes a cable out.
func (b *Sudden) Cut(w *cable) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.live, w)
}

func (b *Sudden) SuddenBad(to string) error {
	b.mu.Lock()
	if len(b.live)+b.coming >= b.most {
		b.mu.Unlock()
		return errFull
	}
	b.coming++
	b.mu.Unlock()
	func() {
		b.mu.Lock()
		b.coming--
		b.mu.Unlock()
	}()
	w, err := layCable(to)
	b.mu.Lock()
	defer b.mu.Unlock()
	if err != nil {
		return err
	}
	b.live[w] = true // want `split-lock: b.live is measured`
	return nil
}

// It is counted down where the cable fails, and when the function ends.
type Doubly struct {
	mu     sync.Mutex
	live   map[*cable]bool
	coming int
	most   int
}

func NewDoubly(most int) *Doubly { return &Doubly{live: map[*cable]bool{}, most: most} }

// Cut takes a cable out.
func (b *Doubly) Cut(w *cable) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.live, w)
}

func (b *Doubly) DoublyBad(to string) error {
	b.mu.Lock()
	if len(b.live)+b.coming >= b.most {
		b.mu.Unlock()
		return errFull
	}
	b.coming++
	b.mu.Unlock()
	defer func() {
		b.mu.Lock()
		b.coming--
		b.mu.Unlock()
	}()
	w, err := layCable(to)
	b.mu.Lock()
	defer b.mu.Unlock()
	if err != nil {
		b.coming--
		return err
	}
	b.live[w] = true // want `split-lock: b.live is measured`
	return nil
}

// It is counted down by a goroutine.
type Stray struct {
	mu     sync.Mutex
	live   map[*cable]bool
	coming int
	most   int
}

func NewStray(most int) *Stray { return &Stray{live: map[*cable]bool{}, most: most} }

// Cut takes a cable out.
func (b *Stray) Cut(w *cable) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.live, w)
}

func (b *Stray) StrayBad(to string) error {
	b.mu.Lock()
	if len(b.live)+b.coming >= b.most {
		b.mu.Unlock()
		return errFull
	}
	b.coming++
	b.mu.Unlock()
	go func() {
		b.mu.Lock()
		b.coming--
		b.mu.Unlock()
	}()
	w, err := layCable(to)
	b.mu.Lock()
	defer b.mu.Unlock()
	if err != nil {
		return err
	}
	b.live[w] = true // want `split-lock: b.live is measured`
	return nil
}
