package newmutex

import (
	"errors"
	"net/http"
)

// A registry gives its clients back: those that use them get a copy.
type registry struct {
	clients  map[string]*int
	commands map[string]string
}

func (r *registry) Clients() map[string]*int {
	return r.clients
}

func (r *registry) removeBad(k string) {
	delete(r.clients, k) // want `unguarded-access: .*`
	delete(r.commands, k)
}

func (r *registry) put(k string, n *int) {
	r.clients[k] = n
	r.commands[k] = k
}

func (r *registry) command(k string) (string, error) {
	c, ok := r.commands[k]
	if !ok {
		return "", errors.New("no command")
	}
	return c, nil
}

func (r *registry) names() (out []string) {
	for k := range r.Clients() {
		out = append(out, k)
	}
	return out
}

func (r *registry) count() int {
	cs := r.Clients()
	return len(cs)
}

type registries interface{ Clients() map[string]*int }

type front struct {
	of *registry
	as registries
}

func newFront() *front {
	r := &registry{clients: map[string]*int{}, commands: map[string]string{}}
	return &front{r, r}
}

func (f *front) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	for range f.as.Clients() {
		w.WriteHeader(200)
	}
	f.of.put(req.URL.Path, nil)
	f.of.removeBad(req.URL.Path)
	println(f.of.command(req.URL.Path))
	println(f.of.names(), f.of.count())
}

func serveFront() error { return http.ListenAndServe(":80", newFront()) }

// What gives the map back does more: it gives a copy at its end.
type filled struct {
	m map[string]int
}

func (f *filled) all() map[string]int {
	f.m[""]++ // want `check-then-act: .*`
	return f.m
}

func (f *filled) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	println(len(f.all()))
	delete(f.m, r.URL.Path) // want `unguarded-access: .*`
}

func serveFilled() error { return http.ListenAndServe(":81", &filled{m: map[string]int{}}) }
