// A program's start comes before the handlers that it registers.
package main

import (
	"net"
	"net/http"
)

var (
	routes = map[string]int{}
	hits   = map[string]int{}
	names  = map[string]int{}
)

// loadOk runs before there is a handler.
func loadOk() { routes["a"] = 1 }

// addBad runs when there is one.
func addBad() {
	names["b"] = 1 // want `names is written`
}

func main() {
	loadOk()
	http.HandleFunc("/", handle)
	addBad()
	http.HandleFunc("/hits", func(w http.ResponseWriter, r *http.Request) {
		hits[r.URL.Path]++ // want `hits`
	})
	l, err := net.Listen("tcp", ":0")
	if err != nil {
		return
	}
	go accept(l)
	_ = http.ListenAndServe(":1", nil)
}

func handle(w http.ResponseWriter, r *http.Request) {
	println(routes[r.URL.Path])
	println(len(names)) // want `names is measured with len`
}

// A connection has a goroutine, and state, of its own; the server's is shared.

type server struct{ conns map[string]bool }

type client struct {
	s    *server
	subs map[string]bool
}

func accept(l net.Listener) {
	s := &server{conns: map[string]bool{}}
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		cl := &client{s: s, subs: map[string]bool{}}
		go cl.serve(c) // want `goroutine-race: server\.conns is written`
	}
}

func (c *client) serve(conn net.Conn) {
	c.s.conns[conn.RemoteAddr().String()] = true
	b := make([]byte, 8)
	for {
		n, err := conn.Read(b)
		if err != nil {
			return
		}
		if k := string(b[:n]); !c.subs[k] {
			c.subs[k] = true
		}
	}
}
