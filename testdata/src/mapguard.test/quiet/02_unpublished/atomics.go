package unpublished

import (
	"net/http"
	"sync"
	"sync/atomic"
)

// An atomic pointer makes an object known.
type ticket struct {
	mu   sync.Mutex
	tags map[string]int
}

var current atomic.Pointer[ticket]

func (t *ticket) setOk(k string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.tags[k]++
}

func (t *ticket) dropOk(k string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.tags, k)
}

func firstOk(t *ticket) {
	if _, ok := t.tags["a"]; !ok {
		t.tags["a"] = 1
	}
}

func thenBad(t *ticket) {
	if _, ok := t.tags["b"]; !ok { // want `t\.tags is read here.*, low`
		t.tags["b"] = 1
	}
}

// One of the elements is known to others.
var sharedTicket = ticket{tags: map[string]int{}}

func eachBad(t *ticket) {
	if _, ok := t.tags["c"]; !ok { // want `t\.tags is read here.*, low`
		t.tags["c"] = 1
	}
}

func serveTickets() {
	http.HandleFunc("/new", func(w http.ResponseWriter, r *http.Request) {
		t := &ticket{tags: map[string]int{}}
		firstOk(t)
		current.Store(t)
		thenBad(t)
	})
	http.HandleFunc("/set", func(w http.ResponseWriter, r *http.Request) {
		current.Load().setOk("a")
		current.Load().dropOk("a")
	})
	http.HandleFunc("/each", func(w http.ResponseWriter, r *http.Request) {
		for _, t := range []*ticket{{tags: map[string]int{}}, &sharedTicket} {
			eachBad(t)
		}
	})
}
