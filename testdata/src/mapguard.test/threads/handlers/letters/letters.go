// Package letters subscribes handlers by a helper: messages of one subscription come one at a time.
package letters

import "github.com/nats-io/nats.go"

type desk struct {
	conn    *nats.Conn
	sorted  map[string]int
	stamped map[string]int
}

func (d *desk) open() error {
	d.sorted, d.stamped = make(map[string]int), make(map[string]int)
	if err := d.listen("letters", d.sortOk); err != nil {
		return err
	}
	if err := d.listen("parcels", d.weighBad); err != nil {
		return err
	}
	return d.listen("cards", d.weighBad)
}

func (d *desk) listen(subject string, handle func(*nats.Msg)) error {
	_, err := d.conn.Subscribe(subject, func(m *nats.Msg) { handle(m) })
	return err
}

func (d *desk) sortOk(m *nats.Msg) {
	if _, ok := d.sorted[m.Subject]; !ok {
		d.sorted[m.Subject] = len(m.Subject)
	}
}

// Two subscriptions have this one.
func (d *desk) weighBad(m *nats.Msg) {
	if _, ok := d.stamped[m.Subject]; !ok { // want `check-then-act: d.stamped is read here`
		d.stamped[m.Subject] = len(m.Subject)
	}
}

// Open starts a desk.
func Open(c *nats.Conn) error { return (&desk{conn: c}).open() }

type office struct {
	conn   *nats.Conn
	js     nats.JetStreamContext
	sorted map[string]int
}

func (o *office) Start() {
	o.sorted = make(map[string]int)
	js, err := o.conn.JetStream()
	if err != nil {
		return
	}
	o.js = js
	if o.listen("letters", o.sortOk) == nil {
		o.listen("rest", o.dropOk)
	}
}

func (o *office) listen(subject string, handle func(*nats.Msg)) error {
	_, err := o.js.Subscribe(subject, func(m *nats.Msg) { handle(m) })
	return err
}

func (o *office) sortOk(m *nats.Msg) {
	o.put(m.Subject)
}

func (o *office) put(s string) {
	if _, ok := o.sorted[s]; !ok {
		o.sorted[s] = 1
	}
}

func (o *office) dropOk(m *nats.Msg) {
	println(m)
}

// NewOffice makes an office.
func NewOffice(c *nats.Conn) interface{ Start() } { return &office{conn: c} }
