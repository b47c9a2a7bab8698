// Package upgraded takes connections from its server: to shut that down does not wait for what is done with them.
package upgraded

import (
	"context"
	"net"
	"net/http"
	"sync"
)

type chat struct {
	mu     sync.Mutex
	rooms  map[string]int
	public *http.Server
}

func (c *chat) Open(l net.Listener) {
	routes := http.NewServeMux()
	routes.HandleFunc("/join", c.join)
	c.public = &http.Server{Handler: routes}
	go c.public.Serve(l)
}

func (c *chat) join(w http.ResponseWriter, r *http.Request) {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		return
	}
	defer conn.Close()
	var b [1]byte
	for {
		if _, err := conn.Read(b[:]); err != nil {
			return
		}
		c.mu.Lock()
		c.rooms[r.RemoteAddr]++
		c.mu.Unlock()
	}
}

func (c *chat) CloseBad() {
	c.public.Shutdown(context.Background())
	for k := range c.rooms { // want `check-then-act: .*rooms is ranged over here, then deleted`
		delete(c.rooms, k)
	}
}
