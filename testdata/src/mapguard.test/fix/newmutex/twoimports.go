package newmutex

import "os"

// The file gets two packages more, one in front of its own and one behind it.
type names struct {
	known map[string]int
}

func startNamesBad() *names {
	n := &names{known: make(map[string]int)}
	go n.add("x") // want `goroutine-race: .*`
	go n.walk()
	return n
}

func (n *names) add(k string) {
	n.known[k]++
}

func (n *names) walk() {
	for k := range n.known {
		os.Remove(k)
	}
}
