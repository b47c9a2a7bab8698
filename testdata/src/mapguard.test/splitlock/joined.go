package splitlock

import (
	"fmt"
	"sync"
)

type joined struct {
	names sync.Map // of locks
	mu    sync.Mutex
	m     map[string]*subscriber
}

func (j *joined) lock(name string) func() {
	v, _ := j.names.LoadOrStore(name, new(sync.Mutex))
	mu := v.(*sync.Mutex)
	mu.Lock()
	return mu.Unlock
}

func (j *joined) find(k string) *subscriber {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.m[k]
}

func (j *joined) put(k string, s *subscriber) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.m[k] = s
}

// The lock is that of the names of which the entry's key is made.
func (j *joined) getOk(space, name string) *subscriber {
	k := fmt.Sprintf("%s/%s", space, name)
	defer j.lock(fmt.Sprintf("%s:%s", space, name))()
	if s := j.find(k); s != nil {
		return s
	}
	s := &subscriber{name: name}
	j.put(k, s)
	return s
}
