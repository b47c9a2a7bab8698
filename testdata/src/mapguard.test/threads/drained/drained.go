// Package drained has what runs when a server has been shut down: none of its handlers runs any more.
package drained

import (
	"context"
	"net"
	"net/http"
	"sync"
	"time"
)

type desk struct {
	mu      sync.Mutex
	tickets map[string]int
	public  *http.Server
}

func (d *desk) Open(l net.Listener) {
	routes := http.NewServeMux()
	routes.HandleFunc("/ticket", d.ticket)
	d.public = &http.Server{Handler: routes}
	go d.public.Serve(l)
}

func (d *desk) ticket(w http.ResponseWriter, r *http.Request) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.tickets[r.RemoteAddr]++
}

func (d *desk) CloseOk() error {
	if err := d.public.Shutdown(context.Background()); err != nil {
		return err
	}
	for k := range d.tickets {
		delete(d.tickets, k)
	}
	return nil
}

// In a function that has the server as a variable.
func serveOk(l net.Listener, stop <-chan struct{}) int {
	var mu sync.Mutex
	seen := map[string]int{}
	routes := http.NewServeMux()
	routes.HandleFunc("/see", func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		seen[r.RemoteAddr]++
	})
	srv := &http.Server{Handler: routes}
	go srv.Serve(l)
	<-stop
	srv.Shutdown(context.TODO())
	return len(seen)
}

// A deadline may come before the last handler is done.
type booth struct {
	mu      sync.Mutex
	tickets map[string]int
	public  *http.Server
}

func (b *booth) Open(l net.Listener) {
	routes := http.NewServeMux()
	routes.HandleFunc("/ticket", b.ticket)
	b.public = &http.Server{Handler: routes}
	go b.public.Serve(l)
}

func (b *booth) ticket(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tickets[r.RemoteAddr]++
}

func (b *booth) CloseSoonBad() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	b.public.Shutdown(ctx)
	for k := range b.tickets { // want `check-then-act: .*tickets is ranged over here, then deleted`
		delete(b.tickets, k)
	}
}

// Close waits for nothing.
type stall struct {
	mu      sync.Mutex
	tickets map[string]int
	public  *http.Server
}

func (s *stall) Open(l net.Listener) {
	routes := http.NewServeMux()
	routes.HandleFunc("/ticket", s.ticket)
	s.public = &http.Server{Handler: routes}
	go s.public.Serve(l)
}

func (s *stall) ticket(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tickets[r.RemoteAddr]++
}

func (s *stall) CloseAtOnceBad() {
	s.public.Close()
	for k := range s.tickets { // want `check-then-act: .*tickets is ranged over here, then deleted`
		delete(s.tickets, k)
	}
}

// The handlers of another server go on.
type office struct {
	mu      sync.Mutex
	tickets map[string]int
	public  *http.Server
	staff   *http.Server
}

func (o *office) Open(l, inside net.Listener) {
	routes := http.NewServeMux()
	routes.HandleFunc("/help", o.help)
	o.public = &http.Server{Handler: routes}
	go o.public.Serve(l)
	private := http.NewServeMux()
	private.HandleFunc("/ticket", o.ticket)
	o.staff = &http.Server{Handler: private}
	go o.staff.Serve(inside)
}

func (o *office) help(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusOK) }

func (o *office) ticket(w http.ResponseWriter, r *http.Request) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.tickets[r.RemoteAddr]++
}

func (o *office) ClosePublicBad() {
	o.public.Shutdown(context.Background())
	for k := range o.tickets { // want `check-then-act: .*tickets is ranged over here, then deleted`
		delete(o.tickets, k)
	}
}

// Both servers hand requests to the same handlers.
type counter struct {
	mu      sync.Mutex
	tickets map[string]int
	public  *http.Server
	staff   *http.Server
}

func (c *counter) Open(l, inside net.Listener) {
	routes := http.NewServeMux()
	routes.HandleFunc("/ticket", c.ticket)
	c.public = &http.Server{Handler: routes}
	c.staff = &http.Server{Handler: routes}
	go c.public.Serve(l)
	go c.staff.Serve(inside)
}

func (c *counter) ticket(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tickets[r.RemoteAddr]++
}

func (c *counter) CloseOneBad() {
	c.public.Shutdown(context.Background())
	for k := range c.tickets { // want `check-then-act: .*tickets is ranged over here, then deleted`
		delete(c.tickets, k)
	}
}

// A handler leaves a goroutine behind.
type agency struct {
	mu      sync.Mutex
	tickets map[string]int
	public  *http.Server
}

func (a *agency) Open(l net.Listener) {
	routes := http.NewServeMux()
	routes.HandleFunc("/ticket", a.ticket)
	a.public = &http.Server{Handler: routes}
	go a.public.Serve(l)
}

func (a *agency) ticket(w http.ResponseWriter, r *http.Request) {
	from := r.RemoteAddr
	go func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.tickets[from]++
	}()
}

func (a *agency) CloseBeforeBad() {
	a.public.Shutdown(context.Background())
	for k := range a.tickets { // want `check-then-act: .*tickets is ranged over here, then deleted`
		delete(a.tickets, k)
	}
}

// A handler of which the server gives up the wait for a timeout goes on by itself.
type lobby struct {
	mu      sync.Mutex
	tickets map[string]int
	public  *http.Server
}

func (b *lobby) Open(l net.Listener) {
	routes := http.NewServeMux()
	routes.HandleFunc("/ticket", b.ticket)
	b.public = &http.Server{Handler: http.TimeoutHandler(routes, time.Second, "late")}
	go b.public.Serve(l)
}

func (b *lobby) ticket(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tickets[r.RemoteAddr]++
}

func (b *lobby) CloseLateBad() {
	b.public.Shutdown(context.Background())
	for k := range b.tickets { // want `check-then-act: .*tickets is ranged over here, then deleted`
		delete(b.tickets, k)
	}
}

type bureau struct {
	mu     sync.Mutex
	papers map[string]int
	server *http.Server
}

// later answers before the handler has run.
func later(h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { go h(w, r) }
}

func (b *bureau) Open(l net.Listener) {
	routes := http.NewServeMux()
	routes.HandleFunc("/paper", later(b.paper))
	b.server = &http.Server{Handler: routes}
	go b.server.Serve(l)
}

func (b *bureau) paper(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.papers[r.RemoteAddr]++
}

// What the middleware starts outlives the handler.
func (b *bureau) CloseBad() error {
	if err := b.server.Shutdown(context.Background()); err != nil {
		return err
	}
	for k := range b.papers { // want `b.papers is ranged over`
		delete(b.papers, k)
	}
	return nil
}

type kiosk struct {
	mu     sync.Mutex
	sold   map[string]int
	server *http.Server
}

// Open keeps the first server alone.
func (k *kiosk) Open(l net.Listener) {
	routes := http.NewServeMux()
	routes.HandleFunc("/buy", k.buy)
	server := &http.Server{Handler: routes}
	if k.server == nil {
		k.server = server
	}
	go server.Serve(l)
}

func (k *kiosk) buy(w http.ResponseWriter, r *http.Request) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.sold[r.RemoteAddr]++
}

// The second server still serves.
func (k *kiosk) CloseBad() error {
	if err := k.server.Shutdown(context.Background()); err != nil {
		return err
	}
	for who := range k.sold { // want `k.sold is ranged over`
		delete(k.sold, who)
	}
	return nil
}
