package refused

import "fmt"

// Each type has a method by value, and values that a pointer method set would leave without it, or that are copied.

// An asserted one is found in an interface.
type asserted struct {
	title string
	names map[string]int
}

func (c asserted) label() string { return c.title }

func (c *asserted) put(name string) {
	c.names[name] = 1
}

func isAsserted(v any) bool { _, ok := v.(asserted); return ok }

// A channelled one is sent as a value.
type channelled struct {
	title string
	names map[string]int
}

func (c channelled) label() string { return c.title }

func (c *channelled) put(name string) {
	c.names[name] = 1
}

func channel() chan channelled { return make(chan channelled) }

// A converted one is made of another struct.
type converted struct {
	title string
	names map[string]int
}

func (c converted) label() string { return c.title }

func (c *converted) put(name string) {
	c.names[name] = 1
}

type likeConverted struct {
	title string
	names map[string]int
}

func convert(l likeConverted) string { return converted(l).label() }

// A boxed one is a type argument.
type boxed struct {
	title string
	names map[string]int
}

func (c boxed) label() string { return c.title }

func (c *boxed) put(name string) {
	c.names[name] = 1
}

type crate[T any] struct{ of []T }

func newCrate() *crate[boxed] { return new(crate[boxed]) }

// SpelledBad uses one of each in two goroutines.
func SpelledBad() {
	c0, c1, c2, c3 := &asserted{names: map[string]int{}}, &channelled{names: map[string]int{}}, &converted{names: map[string]int{}}, &boxed{names: map[string]int{}}
	fmt.Println(isAsserted(c0), channel(), convert(likeConverted{}), newCrate())
	for _, name := range []string{"a", "b"} {
		go func() { // want `goroutine-race: .*` `goroutine-race: .*` `goroutine-race: .*` `goroutine-race: .*`
			c0.put(name)
			c1.put(name)
			c2.put(name)
			c3.put(name)
		}()
	}
}
