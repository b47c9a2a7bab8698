package marks

import (
	"sync"
	"sync/atomic"
)

// other protects nothing of a deck.
var other sync.Mutex

// writerDeck has another writer, which asks for no flag.
type writerDeck struct {
	mu    sync.Mutex
	busy  bool
	tapes map[string]*tape
}

func (d *writerDeck) begin() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.busy {
		return errBusy
	}
	d.busy = true
	return nil
}

func (d *writerDeck) end() {
	d.mu.Lock()
	d.busy = false
	d.mu.Unlock()
}

// LoadBad comes with another.
func (d *writerDeck) LoadBad(label string) error {
	if err := d.begin(); err != nil {
		return err
	}
	defer d.end()
	d.mu.Lock()
	_, there := d.tapes[label]
	d.mu.Unlock()
	if there {
		return nil
	}
	made := open(label)
	d.mu.Lock()
	d.tapes[label] = made // want `split-lock`
	d.mu.Unlock()
	return nil
}

// Put replaces what is there.
func (d *writerDeck) Put(label string, t *tape) {
	d.mu.Lock()
	d.tapes[label] = t
	d.mu.Unlock()
}

// helpedDeck has another writer, which comes through a helper.
type helpedDeck struct {
	mu    sync.Mutex
	busy  bool
	tapes map[string]*tape
}

func (d *helpedDeck) begin() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.busy {
		return errBusy
	}
	d.busy = true
	return nil
}

func (d *helpedDeck) end() {
	d.mu.Lock()
	d.busy = false
	d.mu.Unlock()
}

// LoadBad comes with another.
func (d *helpedDeck) LoadBad(label string) error {
	if err := d.begin(); err != nil {
		return err
	}
	defer d.end()
	d.mu.Lock()
	_, there := d.tapes[label]
	d.mu.Unlock()
	if there {
		return nil
	}
	made := open(label)
	d.mu.Lock()
	d.tapes[label] = made // want `split-lock`
	d.mu.Unlock()
	return nil
}

func (d *helpedDeck) put(label string, t *tape) {
	d.mu.Lock()
	d.tapes[label] = t
	d.mu.Unlock()
}

// Put replaces what is there.
func (d *helpedDeck) Put(label string) { d.put(label, open(label)) }

// resetDeck has its flag taken back by another one.
type resetDeck struct {
	mu    sync.Mutex
	busy  bool
	tapes map[string]*tape
}

func (d *resetDeck) begin() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.busy {
		return errBusy
	}
	d.busy = true
	return nil
}

func (d *resetDeck) end() {
	d.mu.Lock()
	d.busy = false
	d.mu.Unlock()
}

// LoadBad comes with another.
func (d *resetDeck) LoadBad(label string) error {
	if err := d.begin(); err != nil {
		return err
	}
	defer d.end()
	d.mu.Lock()
	_, there := d.tapes[label]
	d.mu.Unlock()
	if there {
		return nil
	}
	made := open(label)
	d.mu.Lock()
	d.tapes[label] = made // want `split-lock`
	d.mu.Unlock()
	return nil
}

// Reset takes back what another one has set.
func (d *resetDeck) Reset() { d.end() }

// openDeck lets anyone take the flag back.
type openDeck struct {
	mu    sync.Mutex
	busy  bool
	tapes map[string]*tape
}

func (d *openDeck) begin() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.busy {
		return errBusy
	}
	d.busy = true
	return nil
}

func (d *openDeck) end() {
	d.mu.Lock()
	d.busy = false
	d.mu.Unlock()
}

// LoadBad comes with another.
func (d *openDeck) LoadBad(label string) error {
	if err := d.begin(); err != nil {
		return err
	}
	defer d.end()
	d.mu.Lock()
	_, there := d.tapes[label]
	d.mu.Unlock()
	if there {
		return nil
	}
	made := open(label)
	d.mu.Lock()
	d.tapes[label] = made // want `split-lock`
	d.mu.Unlock()
	return nil
}

// Reset takes back what another one has set.
func (d *openDeck) Reset() {
	d.mu.Lock()
	d.busy = false
	d.mu.Unlock()
}

// tornDeck looks at the flag in one section, and sets it in another.
type tornDeck struct {
	mu    sync.Mutex
	busy  bool
	tapes map[string]*tape
}

func (d *tornDeck) begin() error {
	d.mu.Lock()
	busy := d.busy
	d.mu.Unlock()
	if busy {
		return errBusy
	}
	d.mu.Lock()
	d.busy = true
	d.mu.Unlock()
	return nil
}

func (d *tornDeck) end() {
	d.mu.Lock()
	d.busy = false
	d.mu.Unlock()
}

// LoadBad is not alone.
func (d *tornDeck) LoadBad(label string) error {
	if err := d.begin(); err != nil {
		return err
	}
	defer d.end()
	d.mu.Lock()
	_, there := d.tapes[label]
	d.mu.Unlock()
	if there {
		return nil
	}
	made := open(label)
	d.mu.Lock()
	d.tapes[label] = made // want `split-lock`
	d.mu.Unlock()
	return nil
}

// pauseDeck gives the mutex up between look and flag, in a helper.
type pauseDeck struct {
	mu    sync.Mutex
	busy  bool
	tapes map[string]*tape
}

func (d *pauseDeck) pause() {
	d.mu.Unlock()
	d.mu.Lock()
}

func (d *pauseDeck) begin() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.busy {
		return errBusy
	}
	d.pause()
	d.busy = true
	return nil
}

func (d *pauseDeck) end() {
	d.mu.Lock()
	d.busy = false
	d.mu.Unlock()
}

// LoadBad is not alone.
func (d *pauseDeck) LoadBad(label string) error {
	if err := d.begin(); err != nil {
		return err
	}
	defer d.end()
	d.mu.Lock()
	_, there := d.tapes[label]
	d.mu.Unlock()
	if there {
		return nil
	}
	made := open(label)
	d.mu.Lock()
	d.tapes[label] = made // want `split-lock`
	d.mu.Unlock()
	return nil
}

// bareDeck sets its flag without the mutex.
type bareDeck struct {
	mu    sync.Mutex
	busy  bool
	tapes map[string]*tape
}

func (d *bareDeck) begin() error {
	if d.busy {
		return errBusy
	}
	d.busy = true
	return nil
}

func (d *bareDeck) end() { d.busy = false }

// LoadBad is not alone.
func (d *bareDeck) LoadBad(label string) error {
	if err := d.begin(); err != nil {
		return err
	}
	defer d.end()
	d.mu.Lock()
	_, there := d.tapes[label]
	d.mu.Unlock()
	if there {
		return nil
	}
	made := open(label)
	d.mu.Lock()
	d.tapes[label] = made // want `split-lock`
	d.mu.Unlock()
	return nil
}

// twoDeck has its flag set under two mutexes.
type twoDeck struct {
	mu    sync.Mutex
	busy  bool
	tapes map[string]*tape
}

func (d *twoDeck) begin() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.busy {
		return errBusy
	}
	d.busy = true
	return nil
}

func (d *twoDeck) end() {
	d.mu.Lock()
	d.busy = false
	d.mu.Unlock()
}

// Rewind sets the flag under the other mutex.
func (d *twoDeck) Rewind() {
	other.Lock()
	if d.busy {
		other.Unlock()
		return
	}
	d.busy = true
	other.Unlock()
	other.Lock()
	d.busy = false
	other.Unlock()
}

// LoadBad is not alone.
func (d *twoDeck) LoadBad(label string) error {
	if err := d.begin(); err != nil {
		return err
	}
	defer d.end()
	d.mu.Lock()
	_, there := d.tapes[label]
	d.mu.Unlock()
	if there {
		return nil
	}
	made := open(label)
	d.mu.Lock()
	d.tapes[label] = made // want `split-lock`
	d.mu.Unlock()
	return nil
}

// earlyDeck takes the flag back before it acts.
type earlyDeck struct {
	mu    sync.Mutex
	busy  bool
	tapes map[string]*tape
}

func (d *earlyDeck) begin() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.busy {
		return errBusy
	}
	d.busy = true
	return nil
}

func (d *earlyDeck) end() {
	d.mu.Lock()
	d.busy = false
	d.mu.Unlock()
}

// LoadBad is no more alone when it acts.
func (d *earlyDeck) LoadBad(label string) error {
	if err := d.begin(); err != nil {
		return err
	}
	d.mu.Lock()
	_, there := d.tapes[label]
	d.mu.Unlock()
	d.end()
	if there {
		return nil
	}
	made := open(label)
	d.mu.Lock()
	d.tapes[label] = made // want `split-lock`
	d.mu.Unlock()
	return nil
}

// twiceDeck takes the flag back twice: the second time, it is that of another one.
type twiceDeck struct {
	mu    sync.Mutex
	busy  bool
	tapes map[string]*tape
}

func (d *twiceDeck) begin() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.busy {
		return errBusy
	}
	d.busy = true
	return nil
}

func (d *twiceDeck) end() {
	d.mu.Lock()
	d.busy = false
	d.mu.Unlock()
}

// LoadBad is not alone.
func (d *twiceDeck) LoadBad(label string) error {
	if err := d.begin(); err != nil {
		return err
	}
	defer d.end()
	d.mu.Lock()
	_, there := d.tapes[label]
	d.mu.Unlock()
	if there {
		return nil
	}
	made := open(label)
	d.mu.Lock()
	d.tapes[label] = made // want `split-lock`
	d.mu.Unlock()
	d.end()
	return nil
}

// deafDeck goes on whether it is alone or not.
type deafDeck struct {
	mu    sync.Mutex
	busy  bool
	tapes map[string]*tape
}

func (d *deafDeck) begin() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.busy {
		return errBusy
	}
	d.busy = true
	return nil
}

func (d *deafDeck) end() {
	d.mu.Lock()
	d.busy = false
	d.mu.Unlock()
}

// LoadBad is not alone.
func (d *deafDeck) LoadBad(label string) error {
	if d.begin() == nil {
		defer d.end()
	}
	d.mu.Lock()
	_, there := d.tapes[label]
	d.mu.Unlock()
	if there {
		return nil
	}
	made := open(label)
	d.mu.Lock()
	d.tapes[label] = made // want `split-lock`
	d.mu.Unlock()
	return nil
}

// otherDeck has its operations under the flag of another one.
type otherDeck struct {
	mu    sync.Mutex
	busy  bool
	tapes map[string]*tape
}

func (d *otherDeck) begin() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.busy {
		return errBusy
	}
	d.busy = true
	return nil
}

func (d *otherDeck) end() {
	d.mu.Lock()
	d.busy = false
	d.mu.Unlock()
}

// LoadBad is alone with another deck.
func (d *otherDeck) LoadBad(label string, o *otherDeck) error {
	if err := o.begin(); err != nil {
		return err
	}
	defer o.end()
	d.mu.Lock()
	_, there := d.tapes[label]
	d.mu.Unlock()
	if there {
		return nil
	}
	made := open(label)
	d.mu.Lock()
	d.tapes[label] = made // want `split-lock`
	d.mu.Unlock()
	return nil
}

// goneDeck acts in a goroutine, for which the flag is not kept.
type goneDeck struct {
	mu    sync.Mutex
	busy  bool
	tapes map[string]*tape
}

func (d *goneDeck) begin() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.busy {
		return errBusy
	}
	d.busy = true
	return nil
}

func (d *goneDeck) end() {
	d.mu.Lock()
	d.busy = false
	d.mu.Unlock()
}

// LoadBad is over before the goroutine is.
func (d *goneDeck) LoadBad(label string) error {
	if err := d.begin(); err != nil {
		return err
	}
	defer d.end()
	go func() {
		d.mu.Lock()
		_, there := d.tapes[label]
		d.mu.Unlock()
		if there {
			return
		}
		made := open(label)
		d.mu.Lock()
		d.tapes[label] = made // want `split-lock`
		d.mu.Unlock()
	}()
	return nil
}

// state is what a deck is at.
type state struct{ busy bool }

// wholeDeck has its state replaced as a whole.
type wholeDeck struct {
	mu    sync.Mutex
	at    state
	tapes map[string]*tape
}

func (d *wholeDeck) begin() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.at.busy {
		return errBusy
	}
	d.at.busy = true
	return nil
}

func (d *wholeDeck) end() {
	d.mu.Lock()
	d.at.busy = false
	d.mu.Unlock()
}

// LoadBad comes with another.
func (d *wholeDeck) LoadBad(label string) error {
	if err := d.begin(); err != nil {
		return err
	}
	defer d.end()
	d.mu.Lock()
	_, there := d.tapes[label]
	d.mu.Unlock()
	if there {
		return nil
	}
	made := open(label)
	d.mu.Lock()
	d.tapes[label] = made // want `split-lock`
	d.mu.Unlock()
	return nil
}

// Reset takes back what another one has set.
func (d *wholeDeck) Reset() {
	d.mu.Lock()
	d.at = state{}
	d.mu.Unlock()
}

// storeDeck has an atomic flag that anyone takes back.
type storeDeck struct {
	mu    sync.Mutex
	busy  atomic.Bool
	tapes map[string]*tape
}

// LoadBad comes with another.
func (d *storeDeck) LoadBad(label string) error {
	if !d.busy.CompareAndSwap(false, true) {
		return errBusy
	}
	defer d.busy.Store(false)
	d.mu.Lock()
	_, there := d.tapes[label]
	d.mu.Unlock()
	if there {
		return nil
	}
	made := open(label)
	d.mu.Lock()
	d.tapes[label] = made // want `split-lock`
	d.mu.Unlock()
	return nil
}

// Reset takes back what another one has set.
func (d *storeDeck) Reset() { d.busy.Store(false) }

// askDeck asks an atomic flag, and then sets it.
type askDeck struct {
	mu    sync.Mutex
	busy  atomic.Bool
	tapes map[string]*tape
}

// LoadBad is not alone.
func (d *askDeck) LoadBad(label string) error {
	if d.busy.Load() {
		return errBusy
	}
	d.busy.Store(true)
	defer d.busy.Store(false)
	d.mu.Lock()
	_, there := d.tapes[label]
	d.mu.Unlock()
	if there {
		return nil
	}
	made := open(label)
	d.mu.Lock()
	d.tapes[label] = made // want `split-lock`
	d.mu.Unlock()
	return nil
}

// failDeck goes on where another one has the flag.
type failDeck struct {
	mu    sync.Mutex
	busy  int32
	tapes map[string]*tape
}

// LoadBad is not alone.
func (d *failDeck) LoadBad(label string) error {
	if atomic.CompareAndSwapInt32(&d.busy, 0, 1) {
		defer atomic.StoreInt32(&d.busy, 0)
	}
	d.mu.Lock()
	_, there := d.tapes[label]
	d.mu.Unlock()
	if there {
		return nil
	}
	made := open(label)
	d.mu.Lock()
	d.tapes[label] = made // want `split-lock`
	d.mu.Unlock()
	return nil
}

// otherKeyDeck claims one key, and acts on another.
type otherKeyDeck struct {
	mu    sync.Mutex
	busy  map[string]struct{}
	tapes map[string]*tape
}

func (d *otherKeyDeck) try(label string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, taken := d.busy[label]; taken {
		return false
	}
	d.busy[label] = struct{}{}
	return true
}

func (d *otherKeyDeck) done(label string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.busy, label)
}

// LoadBad is alone with another key.
func (d *otherKeyDeck) LoadBad(label, title string) error {
	if !d.try(label) {
		return errBusy
	}
	defer d.done(label)
	d.mu.Lock()
	_, there := d.tapes[title]
	d.mu.Unlock()
	if there {
		return nil
	}
	made := open(title)
	d.mu.Lock()
	d.tapes[title] = made // want `split-lock`
	d.mu.Unlock()
	return nil
}

// lenDeck claims a key, and measures the whole.
type lenDeck struct {
	mu    sync.Mutex
	busy  map[string]struct{}
	tapes map[string]*tape
}

func (d *lenDeck) try(label string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, taken := d.busy[label]; taken {
		return false
	}
	d.busy[label] = struct{}{}
	return true
}

func (d *lenDeck) done(label string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.busy, label)
}

// LoadBad is alone with its key only.
func (d *lenDeck) LoadBad(label string) error {
	if !d.try(label) {
		return errBusy
	}
	defer d.done(label)
	d.mu.Lock()
	n := len(d.tapes)
	d.mu.Unlock()
	if n > 9 {
		return errBusy
	}
	made := open(label)
	d.mu.Lock()
	d.tapes[label] = made // want `split-lock`
	d.mu.Unlock()
	return nil
}

// clearDeck has all its claims dropped at once.
type clearDeck struct {
	mu    sync.Mutex
	busy  map[string]struct{}
	tapes map[string]*tape
}

func (d *clearDeck) try(label string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, taken := d.busy[label]; taken {
		return false
	}
	d.busy[label] = struct{}{}
	return true
}

func (d *clearDeck) done(label string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.busy, label)
}

// LoadBad comes with another.
func (d *clearDeck) LoadBad(label string) error {
	if !d.try(label) {
		return errBusy
	}
	defer d.done(label)
	d.mu.Lock()
	_, there := d.tapes[label]
	d.mu.Unlock()
	if there {
		return nil
	}
	made := open(label)
	d.mu.Lock()
	d.tapes[label] = made // want `split-lock`
	d.mu.Unlock()
	return nil
}

// Reset drops what others have claimed.
func (d *clearDeck) Reset() {
	d.mu.Lock()
	clear(d.busy)
	d.mu.Unlock()
}

// sweepDeck has its claims dropped one by one.
type sweepDeck struct {
	mu    sync.Mutex
	busy  map[string]struct{}
	tapes map[string]*tape
}

func (d *sweepDeck) try(label string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, taken := d.busy[label]; taken {
		return false
	}
	d.busy[label] = struct{}{}
	return true
}

func (d *sweepDeck) done(label string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.busy, label)
}

// LoadBad comes with another.
func (d *sweepDeck) LoadBad(label string) error {
	if !d.try(label) {
		return errBusy
	}
	defer d.done(label)
	d.mu.Lock()
	_, there := d.tapes[label]
	d.mu.Unlock()
	if there {
		return nil
	}
	made := open(label)
	d.mu.Lock()
	d.tapes[label] = made // want `split-lock`
	d.mu.Unlock()
	return nil
}

// Reset drops what others have claimed.
func (d *sweepDeck) Reset() {
	d.mu.Lock()
	for label := range d.busy {
		delete(d.busy, label)
	}
	d.mu.Unlock()
}

// aliasDeck gives its claims away.
type aliasDeck struct {
	mu    sync.Mutex
	busy  map[string]struct{}
	tapes map[string]*tape
}

func (d *aliasDeck) try(label string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, taken := d.busy[label]; taken {
		return false
	}
	d.busy[label] = struct{}{}
	return true
}

func (d *aliasDeck) done(label string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.busy, label)
}

// LoadBad comes with another.
func (d *aliasDeck) LoadBad(label string) error {
	if !d.try(label) {
		return errBusy
	}
	defer d.done(label)
	d.mu.Lock()
	_, there := d.tapes[label]
	d.mu.Unlock()
	if there {
		return nil
	}
	made := open(label)
	d.mu.Lock()
	d.tapes[label] = made // want `split-lock`
	d.mu.Unlock()
	return nil
}

func drop(claims map[string]struct{}) { clear(claims) }

// Reset drops what others have claimed.
func (d *aliasDeck) Reset() {
	d.mu.Lock()
	drop(d.busy)
	d.mu.Unlock()
}

// moveDeck claims the one key, and another operation writes under two.
type moveDeck struct {
	mu    sync.Mutex
	busy  map[string]struct{}
	tapes map[string]*tape
}

func (d *moveDeck) try(label string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, taken := d.busy[label]; taken {
		return false
	}
	d.busy[label] = struct{}{}
	return true
}

func (d *moveDeck) done(label string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.busy, label)
}

// LoadBad comes with another.
func (d *moveDeck) LoadBad(label string) error {
	if !d.try(label) {
		return errBusy
	}
	defer d.done(label)
	d.mu.Lock()
	_, there := d.tapes[label]
	d.mu.Unlock()
	if there {
		return nil
	}
	made := open(label)
	d.mu.Lock()
	d.tapes[label] = made // want `split-lock`
	d.mu.Unlock()
	return nil
}

// Move claims what it moves only.
func (d *moveDeck) Move(label, to string) {
	if !d.try(label) {
		return
	}
	defer d.done(label)
	d.mu.Lock()
	d.tapes[to] = d.tapes[label]
	d.mu.Unlock()
}

// falseDeck has entries that are not seen.
type falseDeck struct {
	mu    sync.Mutex
	idle  *sync.Cond
	busy  map[string]bool
	tapes map[string]*tape
}

func (d *falseDeck) lock(label string) {
	d.mu.Lock()
	for d.busy[label] {
		d.idle.Wait()
	}
	d.busy[label] = false
	d.mu.Unlock()
}

func (d *falseDeck) unlock(label string) {
	d.mu.Lock()
	delete(d.busy, label)
	d.mu.Unlock()
	d.idle.Broadcast()
}

// LoadBad is not alone.
func (d *falseDeck) LoadBad(label string) error {
	d.lock(label)
	defer d.unlock(label)
	d.mu.Lock()
	_, there := d.tapes[label]
	d.mu.Unlock()
	if there {
		return nil
	}
	made := open(label)
	d.mu.Lock()
	d.tapes[label] = made // want `split-lock`
	d.mu.Unlock()
	return nil
}
