package copyonwrite

import (
	"sync"
	"sync/atomic"
)

// Two objects of one type: the one that is published does not change any more, the other is
// changed under the lock. A method that each call asks of the published one needs none.

type names struct{ byID map[int]string }

func (n *names) lookUpOk(id int) (string, bool) {
	s, ok := n.byID[id]
	return s, ok
}

// firstBad is asked of the one that changes, too, and there without the lock.
func (n *names) firstBad() string {
	return n.byID[0] // want `unguarded-access: n\.byID is read without mu`
}

type phoneBook struct {
	shown atomic.Pointer[names]
	mu    sync.Mutex
	next  *names
}

func newPhoneBook() *phoneBook {
	b := &phoneBook{next: &names{map[int]string{}}}
	b.shown.Store(&names{map[int]string{}})
	return b
}

func (b *phoneBook) FindOk(id int) string {
	if s, ok := b.shown.Load().lookUpOk(id); ok {
		return s
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	s, _ := b.next.lookUpOk(id)
	return s
}

func (b *phoneBook) AddOk(id int, s string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.next.byID[id] = s
}

func (b *phoneBook) StrikeOk(id int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.next.byID, id)
}

func (b *phoneBook) HasOk(id int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.next.byID[id] != ""
}

func (b *phoneBook) First() string { return b.shown.Load().firstBad() + b.next.firstBad() }

func (b *phoneBook) RenameOk(id int, s string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.next.byID[id] != "" {
		b.next.byID[id] = s
	}
}

func (b *phoneBook) PublishOk() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.shown.Store(b.next)
	b.next = &names{make(map[int]string)}
}
