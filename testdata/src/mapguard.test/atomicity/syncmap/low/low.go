// Package low holds what is said of concurrent maps at low confidence alone:
// the value of an eager LoadOrStore is made for nothing when it loses, and
// it is never closed.
package low

import (
	"context"
	"net"
	"os"
	"sync"
	"time"
)

type pool struct{ m sync.Map }

func (p *pool) connBad(addr string) (net.Conn, error) {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		return nil, err
	}
	v, _ := p.m.LoadOrStore(addr, c) // want `sync-map: .*low`
	return v.(net.Conn), nil
}

func (p *pool) connOk(addr string) (net.Conn, error) {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		return nil, err
	}
	v, loaded := p.m.LoadOrStore(addr, c)
	if loaded {
		c.Close()
	}
	return v.(net.Conn), nil
}

func (p *pool) fileBad(name string) (*os.File, error) {
	if v, ok := p.m.Load(name); ok {
		return v.(*os.File), nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	v, loaded := p.m.LoadOrStore(name, f) // want `sync-map: .*low`
	if loaded {
		println("lost", name)
	}
	return v.(*os.File), nil
}

type worker struct{ quit chan struct{} }

func start() *worker {
	w := &worker{quit: make(chan struct{})}
	go func() { <-w.quit }()
	return w
}

func (w *worker) Stop() { close(w.quit) }

// The loser's goroutine runs for ever.
func (p *pool) workerBad(k string) *worker {
	v, _ := p.m.LoadOrStore(k, start()) // want `sync-map: .*low`
	return v.(*worker)
}

func (p *pool) workerOk(k string) *worker {
	w := start()
	v, loaded := p.m.LoadOrStore(k, w)
	if loaded {
		w.Stop()
	}
	return v.(*worker)
}

// The collector stops unknown tickers.
func (p *pool) tickerOk(k string) *time.Ticker {
	v, _ := p.m.LoadOrStore(k, time.NewTicker(time.Second))
	return v.(*time.Ticker)
}

type call struct{ cancel context.CancelFunc }

// The loser's context stays with its parent. A function to be called is not
// taken for a resource to be closed.
// It would take knowing of a function value that it must be called, as of a
// value with a Close method.
func (p *pool) FN_contextBad(parent context.Context, k string) {
	_, cancel := context.WithCancel(parent)
	p.m.LoadOrStore(k, &call{cancel})
}

func (p *pool) contextOk(parent context.Context, k string) {
	_, cancel := context.WithCancel(parent)
	if _, loaded := p.m.LoadOrStore(k, &call{cancel}); loaded {
		cancel()
	}
}

// Started only by the one that has stored it.
func (p *pool) startedLaterOk(k string) *worker {
	w := &worker{quit: make(chan struct{})}
	v, loaded := p.m.LoadOrStore(k, w)
	if !loaded {
		go func() { <-w.quit }()
	}
	return v.(*worker)
}

// Memory is the collector's.
func (p *pool) mutexOk(k string) *sync.Mutex {
	v, _ := p.m.LoadOrStore(k, new(sync.Mutex))
	return v.(*sync.Mutex)
}

type set struct{ m map[string]bool }

func (p *pool) structOk(k string) *set {
	v, _ := p.m.LoadOrStore(k, &set{m: make(map[string]bool)})
	return v.(*set)
}
