package refused

import "fmt"

// Each type has a method by value that changes its copy, or gives a part of it away.

type hits struct{ n int }

func (h *hits) add() int { h.n++; return h.n }

// A counted one calls a method of the address of a field.
type counted struct {
	hits  hits
	names map[string]int
}

func (c counted) next() int { return c.hits.add() }

func (c *counted) put(name string) {
	c.names[name] = 1
}

// A stepped one counts on in its copy.
type stepped struct {
	at    int
	names map[string]int
}

func (s stepped) after(n int) int {
	for s.at < n {
		(s.at)++
	}
	return s.at
}

func (s *stepped) put(name string) {
	s.names[name] = 1
}

// A sliced one slices an array of its own.
type sliced struct {
	last  [4]int
	names map[string]int
}

func (s sliced) all() []int { return s.last[:] }

func (s *sliced) put(name string) {
	s.names[name] = 1
}

// PartsBad uses one of each in two goroutines.
func PartsBad() {
	c, s, l := &counted{names: map[string]int{}}, &stepped{names: map[string]int{}}, &sliced{names: map[string]int{}}
	fmt.Println(c.next(), s.after(2), l.all())
	for _, name := range []string{"a", "b"} {
		go func() { // want `goroutine-race: .*` `goroutine-race: .*` `goroutine-race: .*`
			c.put(name)
			s.put(name)
			l.put(name)
		}()
	}
}
