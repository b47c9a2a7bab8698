package threads

// The turn of one loop keeps nothing apart that another one comes to.

type Porter interface {
	Lead(*Depot)
	CarryBad(string)
	CountBad(string)
}

type Depot struct {
	porter Porter
	tasks  chan func()
	loads  chan string
	names  chan string
	goods  map[string]int
}

var allGoods = map[string]int{}

func NewDepot(p Porter) *Depot {
	d := &Depot{porter: p, tasks: make(chan func()), loads: make(chan string), names: make(chan string), goods: map[string]int{}}
	p.Lead(d)
	go d.loop()
	return d
}

func (d *Depot) loop() {
	for {
		select {
		case m := <-d.loads:
			d.porter.CarryBad(m)
			d.porter.CountBad(m)
		case f := <-d.tasks:
			f()
		case n := <-d.names:
			d.goods[n]++
			allGoods[n]++
		}
	}
}

func (d *Depot) AddOk(n string) {
	d.tasks <- func() {
		d.goods[n]++
		allGoods[n]++
	}
}

type Carrier struct{ depot *Depot }

func (c *Carrier) Lead(d *Depot) {
	c.depot = d
	go func() { d.tasks <- c.tidyOk }()
}

func (c *Carrier) tidyOk() { delete(c.depot.goods, "") }

func (c *Carrier) CarryBad(string) {
	for n := range c.depot.goods { // want `unguarded-access: c\.depot\.goods is ranged over .*high`
		_ = n
	}
}

// The variable of the package is what all depots come to.
func (c *Carrier) CountBad(string) {
	for n := range allGoods { // want `unguarded-access: allGoods is ranged over .*high`
		_ = n
	}
}

// Depots gives all of them one carrier, and the loop of the first one comes to the goods of the last.
func Depots(n int) (all []*Depot) {
	c := &Carrier{}
	for range n {
		all = append(all, NewDepot(c))
	}
	return all
}

// Each has a guide of its own.
type Guide interface {
	Join(*Tour)
	TellOk(string)
}

type Tour struct {
	guide Guide
	asks  chan func()
	sites chan string
	names chan string
	seen  map[string]int
}

func NewTour(g Guide) *Tour {
	t := &Tour{guide: g, asks: make(chan func()), sites: make(chan string), names: make(chan string), seen: map[string]int{}}
	g.Join(t)
	go t.loop()
	return t
}

func (t *Tour) loop() {
	for {
		select {
		case m := <-t.sites:
			t.guide.TellOk(m)
		case f := <-t.asks:
			f()
		case n := <-t.names:
			t.seen[n]++
		}
	}
}

func (t *Tour) AddOk(n string) { t.asks <- func() { t.seen[n]++ } }

type Local struct{ tour *Tour }

func (l *Local) Join(t *Tour) {
	l.tour = t
	go func() { t.asks <- l.restOk }()
}

func (l *Local) restOk() { delete(l.tour.seen, "") }

func (l *Local) TellOk(string) {
	for n := range l.tour.seen {
		_ = n
	}
}

func Tours(n int) (all []*Tour) {
	first := &Local{}
	all = append(all, NewTour(first))
	for range n {
		l := &Local{}
		all = append(all, NewTour(l))
	}
	return all
}
