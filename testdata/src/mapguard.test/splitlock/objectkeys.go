package splitlock

import "sync"

// The keys of nested maps stand in the object that is put in.

type reader struct {
	topic string
	part  int
	batch chan []byte
}

type readers struct {
	mu sync.Mutex
	of map[string]map[int]*reader
}

func (r *readers) reads(topic string, part int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, ok := r.of[topic][part]
	return ok
}

func (r *readers) add(x *reader) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.of[x.topic] == nil {
		r.of[x.topic] = map[int]*reader{}
	}
	r.of[x.topic][x.part] = x
}

// addNew looks once more.
func (r *readers) addNew(x *reader) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.of[x.topic] == nil {
		r.of[x.topic] = map[int]*reader{}
	}
	if _, ok := r.of[x.topic][x.part]; ok {
		return false
	}
	r.of[x.topic][x.part] = x
	return true
}

func (r *readers) ReadBad(topic string, part int) *reader {
	if r.reads(topic, part) {
		return nil
	}
	x := &reader{topic: topic, part: part, batch: make(chan []byte)}
	r.add(x) // want `split-lock: .*high`
	return x
}

func (r *readers) ReadOnceOk(topic string, part int) *reader {
	if r.reads(topic, part) {
		return nil
	}
	x := &reader{topic: topic, part: part, batch: make(chan []byte)}
	if !r.addNew(x) {
		return nil
	}
	return x
}

// What it reads is of another topic than the one that was looked for.
func (r *readers) ReplyOk(topic, replies string) *reader {
	if !r.reads(topic, 0) {
		return nil
	}
	x := &reader{topic: replies, batch: make(chan []byte)}
	r.add(x)
	return x
}
