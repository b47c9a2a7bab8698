package threads

// Each round makes a notice and starts one goroutine for it, whichever kind it is.
type notice struct {
	raw   map[string]string
	cache map[string]string
}

func newNotice(raw map[string]string) *notice {
	return &notice{raw: raw, cache: make(map[string]string)}
}

func (n *notice) kindOk() string {
	k, ok := n.cache["kind"]
	if !ok {
		k = n.raw["kind"]
		n.cache["kind"] = k
	}
	return k
}

type desk struct{ in chan map[string]string }

func (d *desk) opened(n *notice) { println(n.kindOk()) }
func (d *desk) closed(n *notice) { println(n.kindOk()) }

func (d *desk) serve() {
	for raw := range d.in {
		n := newNotice(raw)
		switch n.kindOk() {
		case "opened":
			go d.opened(n)
		case "closed":
			go d.closed(n)
		}
	}
}

// Here a notice can have both.
type memo struct{ cache map[string]string }

func (m *memo) kindBad() string {
	if _, ok := m.cache["kind"]; !ok { // want `goroutine-race|check-then-act`
		m.cache["kind"] = "none"
	}
	return m.cache["kind"]
}

func (d *desk) both(urgent bool) {
	for range d.in {
		m := &memo{cache: make(map[string]string)}
		go println(m.kindBad())
		if urgent {
			go d.first(m)
		}
		go d.second(m)
	}
}

func (d *desk) first(m *memo)  { println(m.kindBad()) }
func (d *desk) second(m *memo) { println(m.kindBad()) }
