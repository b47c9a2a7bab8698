// Package echo stands in for the web framework.
package echo

import "net/http"

// A Context is of one request.
type Context interface{ Path() string }

// A HandlerFunc serves a request.
type HandlerFunc func(Context) error

// An Echo has routes, and serves.
type Echo struct{}

// New makes one.
func New() *Echo

// ServeHTTP serves a request.
func (e *Echo) ServeHTTP(w http.ResponseWriter, r *http.Request)

// Start serves.
func (e *Echo) Start(addr string) error

// Group has the routes below a path.
func (e *Echo) Group(path string) *Group

// GET adds a route.
func (e *Echo) GET(path string, h HandlerFunc)

// A Group has the routes below a path.
type Group struct{ e *Echo }

// GET adds a route.
func (g *Group) GET(path string, h HandlerFunc)
