// Package turns pins the fix of two steps on a sync.Map that no one method does: a new mutex is held from the look to the change
// that rests on it, and for what else changes the map in between. Beside each file stands what the fixes make of it.
package turns

import (
	"errors"
	"fmt"
	"net"
	"sync"
)

var (
	errTaken = errors.New("taken")
	errNone  = errors.New("none")
)

type task struct{ id, password string }

// db has two maps, each with a mutex of its own.
type db struct {
	tasks sync.Map
	// hosts are found by their ids.
	hosts sync.Map
	log   chan string
}

// The look is at all entries, the act at one key.
func (d *db) NewTaskBad(t *task) (err error) {
	d.tasks.Range(func(_, v any) bool {
		if v.(*task).password == t.password {
			err = errTaken
			return false
		}
		return true
	})
	if err != nil {
		return
	}
	d.tasks.Store(t.id, t) // want `sync-map: .*two goroutines can both add it; hold a mutex across both`
	return
}

// DropTask changes what the look goes over.
func (d *db) DropTask(id string) {
	d.tasks.Delete(id)
}

type host struct{ id, domain string }

func (d *db) hasHost(domain string) bool {
	found := false
	d.hosts.Range(func(_, v any) bool {
		found = v.(*host).domain == domain
		return !found
	})
	return found
}

// The look is in a helper, which only looks.
func (d *db) NewHostBad(h *host) error {
	if d.hasHost(h.domain) {
		return errTaken
	}
	d.hosts.Store(h.id, h) // want `sync-map: .*; hold a mutex across both`
	return nil
}

// An entry that was deleted meanwhile would come back.
func (d *db) SetHostBad(h *host) error {
	if _, ok := d.hosts.Load(h.id); !ok {
		return errNone
	}
	d.hosts.Store(h.id, h) // want `sync-map: .*deleted comes back; use CompareAndSwap`
	d.log <- h.id
	return nil
}

// ImportHost stores without a look, and waits in front of that and behind it.
func (d *db) ImportHost(from <-chan *host) {
	h := <-from
	d.hosts.Store(h.id, h)
	d.log <- h.id
}

// DropHost is what another goroutine does between look and act.
func (d *db) DropHost(id string) bool {
	_, ok := d.hosts.LoadAndDelete(id)
	if ok {
		d.log <- id
	}
	return ok
}

// ImportAll changes the map in literals, one of which is a goroutine's.
func (d *db) ImportAll(hs []*host) {
	for _, h := range hs {
		go func() {
			d.log <- h.id
			d.hosts.Store(h.id, h)
		}()
	}
}

// The helper makes the change for those who look; its callers hold the mutex.
type shelf struct{ books sync.Map }

func (s *shelf) has(title string) bool {
	found := false
	s.books.Range(func(_, v any) bool {
		found = v == title
		return !found
	})
	return found
}

func (s *shelf) put(id, title string) { s.books.Store(id, title) }

func (s *shelf) AddBad(id, title string) error {
	if s.has(title) {
		return errTaken
	}
	s.put(id, title) // want `sync-map: .*; hold a mutex across both`
	return nil
}

func (s *shelf) Replace(id, title string) { s.put(id, title) }

// One fills the map on demand, one fails where there is an entry, one stores without a look.
var servers sync.Map

type server struct {
	ln    net.Listener
	peers []string
}

func ServerBad(k string) *server {
	if v, ok := servers.Load(k); ok {
		return v.(*server)
	}
	s := &server{}
	servers.Store(k, s) // want `sync-map: .*`
	return s
}

func (s *server) StartBad(k string) error {
	if _, ok := servers.Load(k); ok {
		return errTaken
	}
	ln, err := net.Listen("tcp", k)
	if err != nil {
		return err
	}
	s.ln = ln
	servers.Store(k, s) // want `sync-map: .*`
	return nil
}

func (s *server) Adopt(k string) { servers.Store(k, s) }

func (s *server) Stop(k string) error {
	v, ok := servers.LoadAndDelete(k)
	if !ok {
		return errNone
	}
	return v.(*server).ln.Close()
}

// The value cannot be compared.
var (
	// stats are kept by name.
	stats sync.Map
	total = &sync.Map{}
)

type stat struct{ counts []int }

func CountBad(k string, n int) {
	v, ok := stats.Load(k)
	if !ok {
		stats.Store(k, stat{counts: []int{n}})
		return
	}
	st := v.(stat)
	st.counts = append(st.counts, n)
	stats.Store(k, st) // want `sync-map: .*an update by another goroutine is lost; hold a mutex across both`
}

func ResetBad(k string) error {
	v, ok := stats.Load(k)
	if !ok {
		return errNone
	}
	st := v.(stat)
	st.counts = st.counts[:0]
	stats.Store(k, st) // want `sync-map: .*an update by another goroutine is lost; hold a mutex across both`
	return nil
}

func Forget(k string) { stats.Delete(k) }

func AddAllBad(ks []string, n int) error {
	for _, k := range ks {
		v, ok := total.Load(k)
		if !ok {
			continue
		}
		counts := v.([]int)
		if len(counts) > 9 {
			return fmt.Errorf("%s is full", k)
		}
		total.Store(k, append(counts, n)) // want `sync-map: .*`
	}
	return nil
}

// A key that is free is looked for in a loop.
type ids struct {
	names sync.Map
	added chan string
}

func (i *ids) AddBad(name string) string {
	id := name
	for n := 2; ; n++ {
		if _, ok := i.names.Load(id); !ok {
			break
		}
		id = fmt.Sprint(name, n)
	}
	i.names.Store(id, name) // want `sync-map: .*`
	i.added <- id
	return id
}
