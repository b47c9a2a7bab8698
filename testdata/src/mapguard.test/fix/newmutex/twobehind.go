package newmutex

import "bytes" // for texts

// Both come behind the one that is there.
type texts struct {
	known map[string]func(*bytes.Buffer)
}

func startTextsBad() *texts {
	t := &texts{known: make(map[string]func(*bytes.Buffer))}
	go t.add("x") // want `goroutine-race: .*`
	go t.walk()
	return t
}

func (t *texts) add(k string) {
	t.known[k] = nil
}

func (t *texts) walk() {
	for _, f := range t.known {
		f(nil)
	}
}
