package refused

import "sync"

// An Inbox is safe for concurrent use.
type Inbox struct {
	mu   sync.Mutex // protects sums
	sums map[string]int
	in   chan string
}

var inboxes = make(chan *Inbox, 1)

// OpenInbox makes one that others know by the time that it reads: one of them may be waited for.
func OpenInbox(in chan string) *Inbox {
	b := &Inbox{sums: make(map[string]int), in: in}
	inboxes <- b
	b.readAll()
	return b
}

func (b *Inbox) readAll() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for name := range b.in {
		b.sums[name]++
	}
}

// Add adds one.
func (b *Inbox) Add(name string) {
	b.mu.Lock()
	b.sums[name]++
	b.mu.Unlock()
}

// SendBad asks first, without the lock.
func (b *Inbox) SendBad(name string) {
	if b.sums[name] == 0 { // want `unguarded-access: .*`
		b.in <- name
	}
}

// A Journal is safe for concurrent use.
type Journal struct {
	mu   sync.Mutex // protects sums
	sums map[string]int
}

// OpenJournal makes one.
func OpenJournal(in <-chan string) *Journal {
	j := &Journal{sums: make(map[string]int)}
	j.readAll(in)
	return j
}

func (j *Journal) readAll(in <-chan string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for name := range in {
		j.sums[name]++
	}
}

// ReadMore reads into one that others know.
func (j *Journal) ReadMore(in <-chan string) { j.readAll(in) }

// SumBad may be what the sender does before it sends.
func (j *Journal) SumBad(name string) int {
	return j.sums[name] // want `unguarded-access: .*`
}

var ledgersMu sync.Mutex

// A Register is safe for concurrent use.
type Register struct {
	mu   sync.Mutex // protects sums
	sums map[string]int
}

// OpenRegister makes one that no one knows, with another lock held as well: who is waited for may need that one for the
// lock of a register that is known.
func OpenRegister(in <-chan string) *Register {
	r := &Register{sums: make(map[string]int)}
	ledgersMu.Lock()
	defer ledgersMu.Unlock()
	r.mu.Lock()
	defer r.mu.Unlock()
	for name := range in {
		r.sums[name]++
	}
	return r
}

// Add adds one.
func (r *Register) Add(name string) {
	r.mu.Lock()
	r.sums[name]++
	r.mu.Unlock()
}

// SumBad lacks the lock.
func (r *Register) SumBad(name string) int {
	return r.sums[name] // want `unguarded-access: .*`
}
