package refused

import "fmt"

// Each type has a method that gets it by value, and would do something else with a pointer, or is needed by a value.

// A tally counts in its copy.
type tally struct {
	total int
	names map[string]int
}

func (t tally) with(n int) int { t.total += n; return t.total }

func (t *tally) put(name string) {
	t.names[name] = 1
}

// An swapper changes an element of its copy.
type swapper struct {
	ends  [2]int
	names map[string]int
}

func (i swapper) swapped() int { i.ends[0], i.ends[1] = i.ends[1], i.ends[0]; return i.ends[0] }

func (i *swapper) put(name string) {
	i.names[name] = 1
}

// A later reads its copy in a literal, which may run later.
type later struct {
	total int
	names map[string]int
}

func (l later) when() func() int { return func() int { return l.total } }

func (l *later) put(name string) {
	l.names[name] = 1
}

// A displayed one is an interface as a value.
type displayed struct {
	title string
	names map[string]int
}

func (s displayed) String() string { return s.title }

func (s *displayed) put(name string) {
	s.names[name] = 1
}

var standard = displayed{title: "standard"}

// An embedded one gives its methods to what embeds it.
type embedded struct {
	title string
	names map[string]int
}

func (p embedded) String() string { return p.title }

func (p *embedded) put(name string) {
	p.names[name] = 1
}

type around struct{ embedded }

// A given is passed on in its own method.
type given struct {
	title string
	names map[string]int
}

func (g given) show() { fmt.Println(g.title, twice(&g)) }

func twice(g *given) string { return g.title + g.title }

func (g *given) put(name string) {
	g.names[name] = 1
}

// A bound method keeps its copy until it is called.
type bound struct {
	title string
	names map[string]int
}

func (b bound) show() string { return b.title }

func (b *bound) put(name string) {
	b.names[name] = 1
}

// Openly is exported: others may have values of it.
type Openly struct {
	title string
	names map[string]int
}

// Title is a method of values.
func (p Openly) Title() string { return p.title }

// Put adds a name.
func (p *Openly) Put(name string) {
	p.names[name] = 1
}

// ReceiveBad uses one of each in two goroutines.
func ReceiveBad() {
	t, i, l := &tally{names: map[string]int{}}, &swapper{names: map[string]int{}}, &later{names: map[string]int{}}
	s, p, g := &displayed{names: map[string]int{}}, &around{embedded{names: map[string]int{}}}, &given{names: map[string]int{}}
	b := &bound{names: map[string]int{}}
	show := b.show
	o := &Openly{names: map[string]int{}}
	fmt.Println(show(), standard, t.with(1), i.swapped(), l.when()(), o.Title())
	g.show()
	for _, name := range []string{"a", "b"} {
		go func() { // want `goroutine-race: .*` `goroutine-race: .*` `goroutine-race: .*` `goroutine-race: .*` `goroutine-race: .*` `goroutine-race: .*` `goroutine-race: .*` `goroutine-race: .*`
			t.put(name)
			i.put(name)
			l.put(name)
			s.put(name)
			p.put(name)
			g.put(name)
			b.put(name)
			o.Put(name)
		}()
	}
}
