// Package mqtt stands in for the client.
package mqtt

// A Message has come.
type Message interface{ Topic() string }

// A Token tells when something is done.
type Token interface{ Wait() bool }

// A MessageHandler gets what has come.
type MessageHandler func(Client, Message)

// A Client has handlers.
type Client interface {
	Subscribe(topic string, qos byte, h MessageHandler) Token
}

// ClientOptions say whether messages are handled in turn.
type ClientOptions struct{ Order bool }

// NewClientOptions returns what is usual.
func NewClientOptions() *ClientOptions

// SetOrderMatters sets the order.
func (o *ClientOptions) SetOrderMatters(order bool) *ClientOptions

// NewClient returns a client.
func NewClient(o *ClientOptions) Client
