package registration

import "net/http"

// Router gets its routes before it serves, as every router does: what gives it a handler is
// registration, whatever its name is.
type Router struct {
	mux    *http.ServeMux
	routes map[string]map[string]http.HandlerFunc
}

// NewRouter makes one.
func NewRouter() *Router {
	return &Router{mux: http.NewServeMux(), routes: map[string]map[string]http.HandlerFunc{}}
}

// HandleOk gets a handler.
func (r *Router) HandleOk(path, method string, h http.Handler) {
	if _, ok := r.routes[path]; !ok {
		r.routes[path] = map[string]http.HandlerFunc{}
		r.mux.Handle(path, r.byMethod(path))
	}
	r.routes[path][method] = h.ServeHTTP
}

func (r *Router) byMethod(path string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if h, ok := r.routes[path][req.Method]; ok {
			h(w, req)
		}
	})
}

// ServeHTTP hands requests on.
func (r *Router) ServeHTTP(w http.ResponseWriter, req *http.Request) { r.mux.ServeHTTP(w, req) }

// counted gets its next handler with each request: that registers nothing.
type counted struct{ hits map[string]int }

// ServeHTTP counts.
func (c *counted) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	c.passBad(w, req, http.NotFoundHandler())
}

func (c *counted) passBad(w http.ResponseWriter, req *http.Request, next http.Handler) {
	c.hits[req.URL.Path]++ // want `c.hits`
	next.ServeHTTP(w, req)
}

// late adds routes while it serves.
type late struct{ routes map[string]http.HandlerFunc }

// ServeHTTP serves.
func (l *late) ServeHTTP(w http.ResponseWriter, req *http.Request) { l.serveBad(w, req) }

// serveBad adds what it does not have.
func (l *late) serveBad(w http.ResponseWriter, req *http.Request) {
	h := l.routes[req.URL.Path] // want `l.routes`
	if h == nil {
		h = http.NotFound
		l.add(req.URL.Path, h)
	}
	h(w, req)
}

func (l *late) add(path string, h http.HandlerFunc) {
	l.routes[path] = h
}
