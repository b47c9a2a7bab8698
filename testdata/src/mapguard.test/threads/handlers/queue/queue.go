// Package queue has message handlers, which their library calls one at a time.
package queue

import (
	mqtt "github.com/eclipse/paho.mqtt.golang"
	"github.com/nats-io/nats.go"
)

// One goroutine has the map for itself.
func aloneOk(c *nats.Conn) {
	last := make(map[string]*nats.Msg)
	c.Subscribe("a", func(m *nats.Msg) {
		if last[m.Subject] == nil {
			last[m.Subject] = m
		}
	})
}

// Each subscription has a goroutine.
func twoBad(c *nats.Conn) {
	last := make(map[string]*nats.Msg)
	c.Subscribe("a", func(m *nats.Msg) {
		last[m.Subject] = m // want `last is written`
	})
	c.Subscribe("b", func(m *nats.Msg) {
		println(last[m.Subject])
	})
}

// A goroutine of the function runs beside it.
func besideBad(c *nats.Conn) {
	last := make(map[string]*nats.Msg)
	c.Subscribe("a", func(m *nats.Msg) {
		last[m.Subject] = m // want `last is written`
	})
	println(len(last))
}

// What is filled before the subscription is there by then.
func beforeOk(c *nats.Conn, names []string) {
	known := make(map[string]bool)
	for _, n := range names {
		known[n] = true
	}
	c.Subscribe("a", func(m *nats.Msg) { println(known[m.Subject]) })
}

type consumer struct {
	client mqtt.Client
	seen   map[string]bool
	topics map[string]int
}

func newConsumer() *consumer {
	return &consumer{client: mqtt.NewClient(mqtt.NewClientOptions().SetOrderMatters(true)), seen: make(map[string]bool), topics: make(map[string]int)}
}

// One goroutine of the client calls all handlers.
func (c *consumer) subscribe() {
	for _, topic := range []string{"a", "b"} {
		c.client.Subscribe(topic, 0, c.seeOk)
	}
	c.client.Subscribe("c", 0, c.forgetOk)
}

func (c *consumer) seeOk(_ mqtt.Client, m mqtt.Message) {
	if !c.seen[m.Topic()] {
		c.seen[m.Topic()] = true
	}
}

func (c *consumer) forgetOk(_ mqtt.Client, m mqtt.Message) { delete(c.seen, m.Topic()) }

// What the function does then is beside it.
func (c *consumer) startBad() {
	c.client.Subscribe("d", 0, c.countBad)
	c.topics["d"] = 0 // want `c\.topics is written`
}

func (c *consumer) countBad(_ mqtt.Client, m mqtt.Message) {
	c.topics[m.Topic()]++ // want `c\.topics`
}

// A helper with a handler's signature that its package alone calls is a part of the handler.
type relay struct{ last map[string]mqtt.Message }

func (r *relay) listen(c mqtt.Client) { c.Subscribe("a", 0, r.takeOk) }

func (r *relay) takeOk(c mqtt.Client, m mqtt.Message) { r.keepOk(c, m) }

func (r *relay) keepOk(_ mqtt.Client, m mqtt.Message) {
	if r.last[m.Topic()] == nil {
		r.last[m.Topic()] = m
	}
}

// One method has two subscriptions, and so two goroutines: a message is no key that one alone
// works on.
type ledger struct{ counts map[string]int }

func (l *ledger) listen(c *nats.Conn) {
	c.Subscribe("a", l.countBad)
	c.Subscribe("b", l.countBad)
}

func (l *ledger) countBad(m *nats.Msg) {
	l.counts[m.Subject]++ // want `l\.counts`
}
