// Package gin stands in for the web framework.
package gin

// A Context is of one request.
type Context struct {
	Keys map[string]any
	Path string
}

// A HandlerFunc serves a request.
type HandlerFunc func(*Context)

// An Engine has routes.
type Engine struct{}

// GET adds a route.
func (e *Engine) GET(path string, handlers ...HandlerFunc)
