package takenout

import (
	"os"
	"strings"
	"sync"
)

// One entry is looked up, ended, and deleted: it is deleted where it is found.
func (p *pool) closeOneBad(k string) {
	if f, ok := p.files[k]; ok { // want `check-then-act: .*`
		f.Close()
		// it is closed now,
		// so it goes
		delete(p.files, k)
		os.Remove(k)
	}
}

// The look stands in front of the question.
func (p *pool) closeFrontBad(k string) error {
	k = strings.TrimSpace(k)
	f, ok := p.files[k] // want `check-then-act: .*`
	if !ok {
		return os.ErrNotExist
	}
	f.Close()
	delete(p.files, k)
	return os.Remove(k)
}

func (p *pool) closeBehindBad(k string) {
	f, ok := p.files[k] // want `check-then-act: .*`
	if ok {
		f.Close()
		delete(p.files, k) // it is gone
	} else {
		os.Remove(k)
	}
}

type rooms struct {
	mu sync.Mutex
	// open is guarded by mu.
	open map[string]chan struct{}
}

func (r *rooms) enter(k string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.open[k] = make(chan struct{})
}

// Two goroutines would both close the channel.
func (r *rooms) leaveBad(k string) {
	if done, ok := r.open[k]; ok { // want `check-then-act: .*`
		close(done)
		os.Remove(k)
		delete(r.open, k)
	}
}

type timers struct {
	mu sync.Mutex
	// byName is guarded by mu.
	byName map[string]*timer
}

type timer struct{ stop, done chan bool }

func (t *timers) start(k string) {
	one := &timer{make(chan bool), make(chan bool)}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.byName[k] = one
	go one.run()
}

func (t *timer) run() {
	<-t.stop
	close(t.done)
}

// What is waited for does not look the entry up.
func (t *timers) endBad(k string) {
	if one, ok := t.byName[k]; ok { // want `unguarded-access: .*`
		close(one.stop)
		<-one.done
		delete(t.byName, k)
	}
}

type roomSet struct{ all *rooms }

func newRoomSet() *roomSet { return &roomSet{all: &rooms{open: make(map[string]chan struct{})}} }

// The field that leads to the map is set while its object is made.
func (s *roomSet) leaveBad(k string) {
	if done, ok := (*s).all.open[k]; ok { // want `check-then-act: .*`
		close(done)
		os.Remove(k)
		delete((*s).all.open, k)
	}
}
