package refused

import (
	"net"
	"net/http"
	"sync"
	"time"
)

type carriers struct {
	mu  sync.RWMutex // protects all
	all map[string]http.RoundTripper
}

type carrier struct {
	http.Transport
	conn net.Conn
	stop chan struct{}
}

// A goroutine runs for the one that loses.
func (c *carriers) reapedBad(name string) http.RoundTripper {
	c.mu.RLock()
	t, ok := c.all[name]
	c.mu.RUnlock()
	if !ok {
		t = newReaped(name)
		c.mu.Lock()
		c.all[name] = t // want `split-lock: .*`
		c.mu.Unlock()
	}
	return t
}

func newReaped(name string) http.RoundTripper {
	if _, err := net.LookupHost(name); err != nil {
		return nil
	}
	r := &carrier{stop: make(chan struct{})}
	go func() {
		for {
			select {
			case <-r.stop:
				return
			case <-time.After(time.Minute):
				r.CloseIdleConnections()
			}
		}
	}()
	return r
}

// A connection is open for the one that loses.
func (c *carriers) dialedBad(name string) http.RoundTripper {
	c.mu.RLock()
	t, ok := c.all[name]
	c.mu.RUnlock()
	if !ok {
		t = newDialed(name)
		c.mu.Lock()
		c.all[name] = t // want `split-lock: .*`
		c.mu.Unlock()
	}
	return t
}

func newDialed(name string) http.RoundTripper {
	conn, err := net.Dial("tcp", name)
	if err != nil {
		return nil
	}
	return &carrier{conn: conn}
}

// What makes it may have kept it.
func (c *carriers) carrierKeptBad(name string, keep func(http.RoundTripper)) http.RoundTripper {
	c.mu.RLock()
	t, ok := c.all[name]
	c.mu.RUnlock()
	if !ok {
		t = newKept(keep)
		c.mu.Lock()
		c.all[name] = t // want `split-lock: .*`
		c.mu.Unlock()
	}
	return t
}

func newKept(keep func(http.RoundTripper)) http.RoundTripper {
	k := &carrier{}
	keep(k)
	return k
}
