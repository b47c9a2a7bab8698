package newmutex

import "errors"

var errNoAddress = errors.New("no address")

// A wire is a connection that must be closed.
type wire struct {
	address string
	wait    chan int
}

func connect(address string, wait chan int) (*wire, error) {
	if address == "" {
		return nil, errNoAddress
	}
	<-wait
	return &wire{address, wait}, nil
}

// Close ends the wire.
func (l *wire) Close() error { l.wait <- 1; return nil }

// Wires are safe for concurrent use.
type Wires struct {
	wait chan int
	open map[string]*wire
}

// Ends are safe for concurrent use.
type Ends struct {
	wait chan int
	shut map[string]*wire
}

// OpenBad says by its error how the wire was made, not who has put it in.
func (l *Wires) OpenBad(address string) (*wire, error) {
	if c, ok := l.open[address]; ok { // want `check-then-act: .*`
		return c, nil
	}
	c, err := connect(address, l.wait)
	if err == nil {
		l.open[address] = c
	}
	return c, err
}

// ShutBad looks in the head of the statement in whose branch it inserts.
func (l *Ends) ShutBad(address string) (string, error) {
	var c *wire
	var ok bool
	var err error
	if c, ok = l.shut[address]; !ok { // want `check-then-act: .*`
		if c, err = connect(address, l.wait); err != nil {
			return "", err
		}
		l.shut[address] = c
	}
	return c.address, nil
}
