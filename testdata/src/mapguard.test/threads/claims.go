package threads

import "sync"

// Tags are the tags of a node. They are safe for concurrent use.
type Tags struct{ kv map[string]string }

func (t *Tags) Replace(kv map[string]string) {
	t.kv = kv // want `unguarded-access: t\.kv is assigned`
}

func (t *Tags) Size() int {
	return len(t.kv) // of the finding above
}

// Labels promise nothing.
type Labels struct{ kv map[string]string }

func (l *Labels) ReplaceOk(kv map[string]string) { l.kv = kv }

func (l *Labels) SizeOk() int { return len(l.kv) }

// Registry serves what has been added to it.
type Registry struct {
	kinds map[string]int
	in    chan string
}

// AddOk adds a kind. It is not safe for concurrent use.
func (r *Registry) AddOk(k string) { r.kinds[k] = 1 }

func (r *Registry) Start() { go r.loopOk() }

func (r *Registry) loopOk() {
	for k := range r.in {
		println(r.kinds[k])
	}
}

// Topics counts what it has. All calls that the package shows hold the lock:
// that others do not is an assumption.
type Topics struct {
	mu   sync.Mutex
	subs map[string]int
}

func (t *Topics) Count() (n int) {
	for range t.subs { // want `unguarded-access: t\.subs is ranged over without mu.*, low`
		n++
	}
	return n
}

func (t *Topics) report() { println(t.Count()) }

func (t *Topics) Add(k string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.subs[k]++
	t.report()
}

func (t *Topics) Drop(k string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.subs, k)
	t.report()
}

// Ledger is what commits are made to.
type Ledger struct{ sums map[string]int }

// Commit takes over what a page has. It is safe for concurrent use.
func (l *Ledger) Commit(p *Posting) {
	for k := range p.lines {
		p.noteOk(k)
		if _, ok := l.sums[k]; !ok { // want `check-then-act: l\.sums`
			l.sums[k] = 1
		}
	}
}

// A Posting is its caller's own: that Commit is safe says nothing of it.
type Posting struct{ lines map[string]int }

func (p *Posting) noteOk(k string) {
	if _, ok := p.lines[k]; !ok {
		p.lines[k] = 1
	}
}

// Lookup is safe for concurrent use with one ledger.
func Lookup(name string, l *Account) int {
	if _, ok := l.sums[name]; !ok { // want `check-then-act: l\.sums`
		l.sums[name] = 1
	}
	return l.sums[name]
}

// Account is what Lookup speaks of.
type Account struct{ sums map[string]int }
