// Package web has handlers of libraries that call several at a time.
package web

import (
	"context"
	"sync"

	"connectrpc.com/connect"
	"github.com/gin-gonic/gin"
	"github.com/labstack/echo/v4"
)

// A map around the handler is all requests'.
func closureBad(e *gin.Engine) {
	hits := make(map[string]int)
	e.GET("/", func(c *gin.Context) {
		hits[c.Path]++ // want `hits`
	})
}

// A constructor's closure is a handler.
func returnedBad() gin.HandlerFunc {
	seen := make(map[string]bool)
	return func(c *gin.Context) {
		seen[c.Path] = true // want `seen is written`
	}
}

type api struct{ users map[string]int }

// A field of the receiver is all requests'.
func (a *api) userBad(c echo.Context) error {
	if _, ok := a.users[c.Path()]; !ok { // want `check-then-act: a\.users`
		a.users[c.Path()] = 1
	}
	return nil
}

type service struct{ names map[string]string }

// A generic request is one as well.
func (a *service) nameBad(ctx context.Context, r *connect.Request[string]) (*connect.Response[string], error) {
	if _, ok := a.names[*r.Msg]; !ok { // want `check-then-act: a\.names`
		a.names[*r.Msg] = "new"
	}
	return nil, nil
}

var totals = make(map[string]int)

func totalBad(c *gin.Context) {
	totals[c.Path]++ // want `totals`
}

// What belongs to the request, or is made for it, is its own.
func requestOk(c *gin.Context) {
	if c.Keys["user"] == nil {
		c.Keys["user"] = c.Path
	}
	seen := make(map[string]bool)
	if !seen[c.Path] {
		seen[c.Path] = true
	}
}

type guarded struct {
	mu   sync.Mutex
	hits map[string]int
}

// The helper has a handler's signature, and is called by one alone.
func (g *guarded) ServeOk(c *gin.Context) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.countOk(c)
}

func (g *guarded) countOk(c *gin.Context) { g.hits[c.Path]++ }

// Nothing of a library is asked for.
type own struct{ last map[string]int }

type request struct{ path string }

func (o *own) serveOk(r *request) { o.last[r.path]++ }
