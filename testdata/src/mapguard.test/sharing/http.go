package sharing

import (
	"context"
	"net/http"
)

type handler struct{ m map[string]*conn }

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if h.m[r.URL.Path] == nil { // want `check-then-act: .*h\.m.*high`
		h.m[r.URL.Path] = &conn{}
	}
}

type mux struct{ m map[string]*conn }

func (x *mux) routes() {
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if x.m[r.URL.Path] == nil { // want `check-then-act: .*x\.m`
			x.m[r.URL.Path] = &conn{}
		}
	})
}

// What belongs to the request is not shared.
func perRequestOk(w http.ResponseWriter, r *http.Request) {
	if r.Header["X"] == nil {
		r.Header["X"] = []string{"1"}
	}
	seen := make(map[string]bool)
	if !seen[r.URL.Path] {
		seen[r.URL.Path] = true
	}
}

type deep struct{ m map[string]*conn }

func (d *deep) ServeHTTP(w http.ResponseWriter, r *http.Request) { d.load(r.URL.Path) }

func (d *deep) load(k string) *conn {
	c := d.m[k] // want `check-then-act: .*d\.m`
	if c == nil {
		c = &conn{}
		d.m[k] = c
	}
	return c
}

// UnimplementedGreeterServer is as the gRPC compiler writes it.
type UnimplementedGreeterServer struct{}

// Greet answers.
func (UnimplementedGreeterServer) Greet(ctx context.Context, name string) (string, error) {
	return "", nil
}

// A Greeter is a gRPC service.
type Greeter struct {
	UnimplementedGreeterServer
	m map[string]*conn
}

// Greet is called concurrently.
func (g *Greeter) Greet(ctx context.Context, name string) (string, error) {
	if g.m[name] == nil { // want `check-then-act: .*g\.m`
		g.m[name] = &conn{}
	}
	return name, nil
}

type reconciler struct{ m map[string]*conn }

// Reconcile is called by the controller's workers.
func (r *reconciler) Reconcile(ctx context.Context, name string) error {
	if r.m[name] == nil { // want `check-then-act: .*r\.m`
		r.m[name] = &conn{}
	}
	return nil
}
