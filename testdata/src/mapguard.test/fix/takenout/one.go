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
