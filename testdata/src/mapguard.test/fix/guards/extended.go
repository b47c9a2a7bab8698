package guards

import (
	"context"
	"log"
	"sync"
)

type requests struct {
	mu      sync.Mutex
	cancels map[int]context.CancelFunc
	lines   map[int]string
}

// A section that begins right behind it begins in front of it.
func (r *requests) startBad(id int) {
	if cancel, ok := r.cancels[id]; ok { // want `unguarded-access: .*`
		log.Println("canceled", id)
		cancel()
	}

	r.mu.Lock()
	_, r.cancels[id] = context.WithCancel(context.Background())
	r.lines[id] = ""
	r.mu.Unlock()
	r.finish(id)
}

// One that ends right before it ends behind it.
func (r *requests) finishBad(id int) {
	r.mu.Lock()
	delete(r.cancels, id)
	r.mu.Unlock()

	log.Println("done", id, r.lines[id]) // want `unguarded-access: .*`

	r.finish(id)
}

func (r *requests) finish(id int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.lines, id)
	delete(r.cancels, id)
}

func (r *requests) stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for id := range r.cancels {
		r.lines[id] = "stopped"
		delete(r.cancels, id)
	}
}
