// A program's start comes before a server calls the handlers that it registers.
package main

import (
	"net"
	"net/http"
)

var (
	routes = map[string]int{}
	hits   = map[string]int{}
	names  = map[string]int{}
	late   = map[string]int{}
)

// loadOk runs before there is a handler.
func loadOk() { routes["a"] = 1 }

// addOk runs when there is one, which no server calls yet.
func addOk() { names["b"] = 1 }

// addLate runs when one does.
func addLate() {
	late["b"] = 1 // a part of the finding on late below
}

func main() {
	loadOk()
	http.HandleFunc("/", handle)
	addOk()
	http.HandleFunc("/hits", func(w http.ResponseWriter, r *http.Request) {
		hits[r.URL.Path]++ // want `hits`
	})
	l, err := net.Listen("tcp", ":0")
	if err != nil {
		return
	}
	go accept(l)
	go http.ListenAndServe(":1", nil)
	addLate()
	select {}
}

func handle(w http.ResponseWriter, r *http.Request) {
	println(routes[r.URL.Path])
	println(len(names))
	println(len(late)) // want `late is measured with len`
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
