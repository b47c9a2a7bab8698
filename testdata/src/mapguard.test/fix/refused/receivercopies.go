package refused

import "fmt"

// Each type has a method that gets it by value, and would find something else behind a pointer, or has values that this file does not show.

// A renamed one is read once more after its owner has changed it.
type renamed struct {
	title string
	owner *registrar
	names map[string]int
}

type registrar struct{ current *renamed }

func (r *registrar) retitle(title string) { r.current.title = title }

func (r renamed) rename(title string) string {
	old := r.title
	r.owner.retitle(title)
	return old + " became " + r.title
}

func (r *renamed) put(name string) {
	r.names[name] = 1
}

// A polled one would never see that it is over, or see it too early.
type polled struct {
	over  bool
	names map[string]int
}

func (p polled) wait(step func()) int {
	n := 0
	for !p.over {
		step()
		n++
	}
	return n
}

func (p *polled) put(name string) {
	p.names[name] = 1
}

// A shelved one is printed as an element of an array.
type shelved struct {
	title string
	names map[string]int
}

func (r shelved) String() string { return r.title }

func (r *shelved) put(name string) {
	r.names[name] = 1
}

type stand struct{ Slots [2]shelved }

// A nested one is copied with what holds it.
type nested struct {
	title string
	names map[string]int
}

func (h nested) label() string { return h.title }

func (h *nested) put(name string) {
	h.names[name] = 1
}

type keeping struct{ main nested }

func (h keeping) label() string { return h.main.label() }

// A general one is an interface in a generic function.
type general struct {
	title string
	names map[string]int
}

func (g general) String() string { return g.title }

func (g *general) put(name string) {
	g.names[name] = 1
}

func stringOf[T any](of *T) string { return fmt.Sprint(*of) }

// given away, it may be copied by others, for whom a value has a method.
type away struct {
	title string
	names map[string]int
}

func (a away) String() string { return a.title }

func (a *away) put(name string) {
	a.names[name] = 1
}

// NewAway makes one.
func NewAway() *away { return &away{names: map[string]int{}} }

// A remote one has values in a file for another system.
type remote struct {
	title string
	names map[string]int
}

func (r remote) label() string { return r.title }

func (r *remote) put(name string) {
	r.names[name] = 1
}

// CopiesBad uses one of each in two goroutines.
func CopiesBad() {
	r, p, s := &renamed{names: map[string]int{}}, &polled{names: map[string]int{}}, &stand{}
	h, g, a, t := &keeping{}, &general{names: map[string]int{}}, NewAway(), &remote{names: map[string]int{}}
	r.owner = &registrar{r}
	fmt.Println(r.rename("b"), p.wait(func() { p.over = true }), s, h.label(), stringOf(g), a, t.label())
	one, two := &s.Slots[0], &h.main
	one.names, two.names = map[string]int{}, map[string]int{}
	for _, name := range []string{"a", "b"} {
		go func() { // want `goroutine-race: .*` `goroutine-race: .*` `goroutine-race: .*` `goroutine-race: .*` `goroutine-race: .*` `goroutine-race: .*` `goroutine-race: .*`
			r.put(name)
			p.put(name)
			one.put(name)
			two.put(name)
			g.put(name)
			a.put(name)
			t.put(name)
		}()
	}
}
