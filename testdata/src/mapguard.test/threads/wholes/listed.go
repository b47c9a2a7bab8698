package wholes

// What a goroutine lists in a struct for a call decides what that does.

type verb int

const (
	dump verb = iota
	restore
)

type order struct {
	what  verb
	fresh bool
	where string
}

// A station restores in the goroutine that asks for that, and in no other.
type station struct {
	trains map[string]int
}

func (s *station) runOk(o *order) int {
	if o.what == restore {
		s.trains[o.where]++
		return 1
	}
	n := 0
	for range s.trains {
		n++
	}
	return n
}

func (s *station) SendOk() {
	out := make(chan int)
	go func() {
		o := order{what: dump, where: nameOf(s)}
		out <- s.runOk(&o)
	}()
	go func() { out <- s.runOk(&order{where: "b"}) }()
	<-out
	<-out
}

func nameOf(s *station) string {
	if s == nil {
		return "nowhere"
	}
	return "here"
}

// A depot restores in one of two goroutines, while the other one walks.
type depot struct {
	trains map[string]int
}

func (d *depot) runBad(o *order) int {
	if o.what == restore {
		d.trains[o.where]++ // want `goroutine-race: d.trains is written in a goroutine without a lock`
		return 1
	}
	n := 0
	for range d.trains {
		n++
	}
	return n
}

func (d *depot) Send() {
	out := make(chan int)
	go func() { out <- d.runBad(&order{what: restore, where: "a"}) }()
	go func() { out <- d.runBad(&order{where: "b"}) }()
	<-out
	<-out
}

// A yard sets the struct anew before it asks.
type yard struct {
	trains map[string]int
}

func (y *yard) runBad(o *order) {
	if o.where == "" {
		o.fresh = true
	}
	if o.fresh {
		y.trains[o.where]++ // want `check-then-act: y.trains is read here, then written`
	}
}

func (y *yard) Send() {
	out := make(chan int)
	go func() { y.runBad(&order{}); out <- 1 }()
	go func() { y.runBad(&order{fresh: false}); out <- 1 }()
	<-out
	<-out
}

// A siding passes on what may have changed by then.
type siding struct {
	trains map[string]int
}

func (s *siding) runBad(o *order) {
	settle(o)
	if o.fresh {
		s.trains[o.where]++ // want `check-then-act: s.trains is read here, then written`
	}
}

func settle(o *order) { o.fresh = o.where == "" }

func (s *siding) Send() {
	out := make(chan int)
	go func() { s.runBad(&order{}); out <- 1 }()
	go func() { s.runBad(&order{where: ""}); out <- 1 }()
	<-out
	<-out
}

// A crossing walks if it is not told to count, and counts where it is.
type crossing struct {
	trains map[string]int
}

func (c *crossing) runOk(o *order) int {
	if !o.fresh {
		return len(c.trains)
	}
	c.trains[o.where]++
	return 0
}

func (c *crossing) SendOk() {
	out := make(chan int)
	go func() { out <- c.runOk(&order{where: "a"}) }()
	go func() { out <- c.runOk(&order{where: "b"}) }()
	<-out
	<-out
}

// A shed changes its order once it is made.
type shed struct {
	trains map[string]int
}

func (s *shed) runBad(o *order) int {
	if o.what == restore {
		s.trains[o.where]++ // want `check-then-act: s.trains is read here, then written`
	}
	return 0
}

func (s *shed) Send() {
	out := make(chan int)
	go func() {
		o := order{what: dump, where: nameOf(nil)}
		o.what = restore
		out <- s.runBad(&o)
	}()
	go func() { out <- s.runBad(&order{what: restore}) }()
	<-out
	<-out
}
