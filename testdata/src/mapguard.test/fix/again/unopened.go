package again

import (
	"log"
	"net"
	"net/http"
	"sync"
	"time"
)

type backend struct {
	name    string
	timeout time.Duration
	limits  func() int
}

type wrapped struct {
	name string
	rt   *http.Transport
}

func (w *wrapped) RoundTrip(r *http.Request) (*http.Response, error) { return w.rt.RoundTrip(r) }

func (w *wrapped) CloseIdleConnections() { w.rt.CloseIdleConnections() }

func (w *wrapped) rename(name string) { w.name = name }

type proxy struct {
	mu         sync.RWMutex // protects transports
	transports map[string]http.RoundTripper
}

// A transport that nothing has been sent by holds nothing: the one that loses is dropped.
func (p *proxy) transportBad(b *backend) http.RoundTripper {
	p.mu.RLock()
	t, ok := p.transports[b.name]
	p.mu.RUnlock()
	if !ok {
		t = newTransport(b)
		p.mu.Lock()
		p.transports[b.name] = t // want `split-lock: .*`
		p.mu.Unlock()
	}
	return t
}

func newTransport(b *backend) http.RoundTripper {
	log.Printf("a new transport for %s", b.name)
	if b.limits == nil {
		return &http.Transport{DisableKeepAlives: true}
	}
	w := &wrapped{name: b.name, rt: &http.Transport{
		Dial: func(network, addr string) (net.Conn, error) {
			return net.DialTimeout(network, addr, b.timeout)
		},
		MaxIdleConns: b.limits(),
	}}
	w.rename(b.name)
	return w
}
