package harm

import (
	"net/http"
	"os"
	"sync"
	"time"
)

// The package asks another one for what it puts in. What nothing shows to have an end or a
// state of its own is as good when made twice.
type clients struct {
	mu       sync.Mutex
	http     map[string]*http.Client
	handlers map[string]http.HandlerFunc
	files    map[string]*os.File
	tickers  map[string]*time.Ticker
}

func (c *clients) file(k string) *os.File { c.mu.Lock(); defer c.mu.Unlock(); return c.files[k] }
func (c *clients) tick(k string) *time.Ticker {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.tickers[k]
}

// A client has settings, and a method that gives nothing back.
func (c *clients) clientBad(k string, made func() *http.Client) *http.Client {
	c.mu.Lock()
	h := c.http[k]
	c.mu.Unlock()
	if h != nil {
		return h
	}
	h = made()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.http[k] = h // want `split-lock: .*, low`
	return h
}

// What a function of another package makes of what it gets does the same as another one.
func (c *clients) handlerBad(k string, made func(string) http.HandlerFunc) http.HandlerFunc {
	c.mu.Lock()
	h := c.handlers[k]
	c.mu.Unlock()
	if h != nil {
		return h
	}
	h = made(k)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.handlers[k] = h // want `split-lock: .*, low`
	return h
}

// A file must be closed.
func (c *clients) fileBad(k string) *os.File {
	if f := c.file(k); f != nil {
		return f
	}
	f, err := os.Open(k)
	if err != nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.files[k] = f // want `split-lock: .*high`
	return f
}

// A ticker must be stopped.
func (c *clients) tickerBad(k string) *time.Ticker {
	if t := c.tick(k); t != nil {
		return t
	}
	t := time.NewTicker(time.Second)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tickers[k] = t // want `split-lock: .*high`
	return t
}
