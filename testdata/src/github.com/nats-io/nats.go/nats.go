// Package nats stands in for the client.
package nats

// A Msg has come.
type Msg struct{ Subject string }

// A Subscription can be ended.
type Subscription struct{}

// A Conn is a connection.
type Conn struct{}

// A MsgHandler gets what has come.
type MsgHandler func(*Msg)

// Subscribe has a goroutine of its own.
func (c *Conn) Subscribe(subject string, h MsgHandler) (*Subscription, error)

// A JetStreamContext subscribes to what a server keeps.
type JetStreamContext interface {
	Subscribe(subject string, h MsgHandler, opts ...SubOpt) (*Subscription, error)
}

// A SubOpt is an option.
type SubOpt interface{ configureSubscribe() }

// JetStream gives what subscribes.
func (c *Conn) JetStream() (JetStreamContext, error)
