package routers

import (
	"github.com/labstack/echo/v4"
	"github.com/nats-io/nats.go"
)

func (s *site) get(c echo.Context) error { return serve(s.pages[c.Path()]) }

type running struct{ pages map[string]string }

func (s *running) get(c echo.Context) error { return serve(s.pages[c.Path()]) }

type told struct{ pages map[string]string }

func (s *told) got(m *nats.Msg) { m.Subject = s.pages[m.Subject] }

// GroupOk registers with the group of an engine.
func GroupOk(names []string) *echo.Echo {
	s := &site{pages: make(map[string]string)}
	e := echo.New()
	e.Group("/v1").GET("/site", s.get)
	for _, n := range names {
		s.pages[n] = n
	}
	return e
}

// RunOk fills before it runs.
func RunOk(names []string) error {
	s := &site{pages: make(map[string]string)}
	e := echo.New()
	e.GET("/site", s.get)
	for _, n := range names {
		s.pages[n] = n
	}
	return e.Start(":8080")
}

type engined struct{ pages map[string]string }

func (s *engined) get(c echo.Context) error { return serve(s.pages[c.Path()]) }

var engine = echo.New()

// EngineBad registers with one that others may run by then.
func EngineBad(names []string) {
	s := &engined{pages: make(map[string]string)}
	engine.GET("/site", s.get) // want `goroutine-race: .*engined\.pages.*`
	for _, n := range names {
		s.pages[n] = n
	}
}

// RunsBad fills when it runs.
func RunsBad(names []string) {
	s := &running{pages: make(map[string]string)}
	e := echo.New()
	e.GET("/site", s.get) // want `goroutine-race: .*running\.pages.*`
	go e.Start(":8080")
	for _, n := range names {
		s.pages[n] = n
	}
}

// SubscribesBad gives a client what it calls from then on.
func SubscribesBad(conn *nats.Conn, names []string) {
	s := &told{pages: make(map[string]string)}
	conn.Subscribe("site", s.got) // want `goroutine-race: .*told\.pages.*`
	for _, n := range names {
		s.pages[n] = n
	}
}

func serve(page string) error { return nil }
