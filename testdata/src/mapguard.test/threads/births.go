package threads

// Two constructors start the same loop, each on an object that is made at a place
// of its own.

type roster struct {
	names map[string]int
	in    chan string
}

func newRoster(in chan string) (*roster, error) {
	r := &roster{names: make(map[string]int), in: in}
	register(r)
	return r, nil
}

var rosters []*roster

// register makes the roster known: it is not the constructor's own any more.
func register(r *roster) { rosters = append(rosters, r) }

func (r *roster) loopOk() {
	for n := range r.in {
		if _, ok := r.names[n]; !ok {
			r.names[n] = 1
		}
	}
}

// Inner and Outer each have a roster, in one of them behind a pointer.
type Inner struct{ r *roster }

type Outer struct{ r *roster }

func OpenInner(in chan string) (*Inner, error) {
	x := &Inner{}
	r, err := newRoster(in)
	if err != nil {
		return nil, err
	}
	x.r = r
	go r.loopOk()
	return x, nil
}

func OpenOuter(in chan string) (*Outer, error) {
	x, err := makeOuter(in)
	if err != nil {
		return nil, err
	}
	go x.r.loopOk()
	return x, nil
}

func makeOuter(in chan string) (*Outer, error) {
	r, err := newRoster(in)
	if err != nil {
		return nil, err
	}
	return &Outer{r: r}, nil
}

// One squad, two loops: the method starts the loop again on what the constructor
// has made.
type squad struct {
	names map[string]int
	in    chan string
}

type Lead struct{ s *squad }

func newSquad(in chan string) *squad { return &squad{names: make(map[string]int), in: in} }

func (s *squad) loopBad() {
	for n := range s.in {
		if _, ok := s.names[n]; !ok { // want `check-then-act: s.names is read here, then written`
			s.names[n] = 1
		}
	}
}

func OpenLead(in chan string) *Lead {
	l := &Lead{s: newSquad(in)}
	go l.s.loopBad()
	return l
}

func (l *Lead) Again() { go l.s.loopBad() }
