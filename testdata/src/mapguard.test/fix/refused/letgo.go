package refused

import "sync"

// A newsstand asks what it is given for a price.
type newsstand struct {
	mu     sync.Mutex // protects prices
	prices map[string]int
	news   chan int
	asked  func(func() int) int
}

func (n *newsstand) setOk(name string, price int) {
	n.mu.Lock()
	n.prices[name] = price
	n.mu.Unlock()
}

// What is kept is called in the same statement.
func (n *newsstand) keptBad(name string) string {
	var ask struct{ price func() int }
	p := &ask
	p.price = func() int { return <-n.news }
	n.asked(p.price)
	switch {
	case n.prices[name] > p.price(): // want `unguarded-access: .*`
		return name
	}
	return ""
}

// What is let go there may be run there.
func (n *newsstand) letGoBad(name string) string {
	switch {
	case n.prices[name] > n.asked(func() int { return <-n.news }): // want `unguarded-access: .*`
		return name
	}
	return ""
}

func serveNewsstand(asked func(func() int) int) {
	n := &newsstand{prices: make(map[string]int), news: make(chan int), asked: asked}
	for _, name := range []string{"a", "b"} {
		go func() {
			n.setOk(name, 2)
			println(n.keptBad(name), n.letGoBad(name))
		}()
	}
}
