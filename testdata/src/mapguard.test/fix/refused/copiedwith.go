package refused

import "fmt"

// A sheeted one is copied with what holds it.
type sheeted struct {
	title string
	names map[string]int
}

func (m *sheeted) put(name string) {
	m.names[name] = 1
}

type sheet struct {
	size int
	main [1]sheeted
}

func printSheet(s sheet) { fmt.Println(s.size) }

// A lined one is copied out of a list.
type lined struct {
	title string
	names map[string]int
}

func (l *lined) put(name string) {
	l.names[name] = 1
}

// A relisted one is copied with its list.
type relisted struct {
	title string
	names map[string]int
}

func (m *relisted) put(name string) {
	m.names[name] = 1
}

// CopiedWithBad uses one of each in two goroutines.
func CopiedWithBad() {
	s, list, from, to := &sheet{}, make([]lined, 2), make([]relisted, 2), make([]relisted, 2)
	m, l, v := &s.main[0], &list[0], &to[0]
	m.names, l.names, from[0].names = map[string]int{}, map[string]int{}, map[string]int{}
	first := list[1]
	copy(to, from)
	fmt.Println(first.title)
	printSheet(*s)
	for _, name := range []string{"a", "b"} {
		go func() { // want `goroutine-race: .*` `goroutine-race: .*` `goroutine-race: .*`
			m.put(name)
			l.put(name)
			v.put(name)
		}()
	}
}
