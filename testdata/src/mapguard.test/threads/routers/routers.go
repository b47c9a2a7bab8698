// Package routers registers handlers with routers. They are called once a server has the router.
package routers

import (
	"net/http"

	"mapguard.test/threads/routers/beyond"
)

type site struct {
	pages map[string]string
	mux   *http.ServeMux
}

func (s *site) show(w http.ResponseWriter, r *http.Request) { w.Write([]byte(s.pages[r.URL.Path])) }

func (s *site) fill(names []string) {
	for _, n := range names {
		s.pages[n] = n
	}
}

// NewOk has a router of its own, which its caller serves.
func NewOk(names []string) *site {
	s := &site{pages: make(map[string]string), mux: http.NewServeMux()}
	s.mux.HandleFunc("/site", s.show)
	s.fill(names)
	return s
}

// RegisterOk gets the router to register with.
func RegisterOk(mux *http.ServeMux, names []string) {
	s := &site{pages: make(map[string]string)}
	mux.HandleFunc("/site", s.show)
	beyond.RegisterPages(mux)
	for _, n := range names {
		s.pages[n] = n
	}
}

// KeepsOk keeps the router that it gets.
func KeepsOk(mux *http.ServeMux, names []string) *site {
	s := &site{pages: make(map[string]string), mux: mux}
	mux.HandleFunc("/kept", s.show)
	s.fill(names)
	return s
}

// mountOk is called ahead of the server alone.
func (s *site) mountOk(names []string) {
	s.mux.HandleFunc("/mounted", s.show)
	for _, n := range names {
		s.pages[n] = n
	}
}

// ServeMounted mounts first.
func ServeMounted(names []string) error {
	s := &site{pages: make(map[string]string), mux: newMux()}
	s.mountOk(names)
	return http.ListenAndServe(":8080", s.mux)
}

func newMux() *http.ServeMux { return http.NewServeMux() }

type remounted struct {
	pages map[string]string
	mux   *http.ServeMux
}

// remountBad is called when the router is served.
func (s *remounted) remountBad(names []string) {
	s.mux.HandleFunc("/remounted", func(w http.ResponseWriter, r *http.Request) { w.Write([]byte(s.pages[r.URL.Path])) }) // want `goroutine-race: .*s\.pages.*`
	for _, n := range names {
		s.pages[n] = n
	}
}

// ServeRemounted serves first.
func ServeRemounted(names []string) {
	s := &remounted{pages: make(map[string]string), mux: newMux()}
	go http.ListenAndServe(":8080", s.mux)
	s.remountBad(names)
}

type open struct {
	pages map[string]string
	mux   *http.ServeMux
}

// AddBad can be called at any time.
func (s *open) AddBad(names []string) {
	s.mux.HandleFunc("/added", func(w http.ResponseWriter, r *http.Request) { w.Write([]byte(s.pages[r.URL.Path])) }) // want `goroutine-race: .*s\.pages.*`
	for _, n := range names {
		s.pages[n] = n
	}
}

var common = http.NewServeMux()

type shared struct {
	pages map[string]string
}

func (s *shared) show(w http.ResponseWriter, r *http.Request) { w.Write([]byte(s.pages[r.URL.Path])) }

// CommonBad registers with a router that others may serve by then.
func CommonBad(names []string) {
	s := &shared{pages: make(map[string]string)}
	common.HandleFunc("/common", s.show) // want `goroutine-race: .*shared\.pages.*`
	for _, n := range names {
		s.pages[n] = n
	}
}

type maybeShared struct {
	pages map[string]string
	mux   *http.ServeMux
}

func (s *maybeShared) show(w http.ResponseWriter, r *http.Request) {
	w.Write([]byte(s.pages[r.URL.Path]))
}

// CommonFieldBad has it in a field.
func CommonFieldBad(names []string, own bool) {
	s := &maybeShared{pages: make(map[string]string), mux: http.NewServeMux()}
	if !own {
		s.mux = common
	}
	s.mux.HandleFunc("/common", s.show) // want `goroutine-race: .*maybeShared\.pages.*`
	for _, n := range names {
		s.pages[n] = n
	}
}

type given struct {
	pages map[string]string
}

func (s *given) show(w http.ResponseWriter, r *http.Request) { w.Write([]byte(s.pages[r.URL.Path])) }

// GivenBad gives the router away, and that serves.
func GivenBad(names []string) {
	mux := http.NewServeMux()
	s := &given{pages: make(map[string]string)}
	mux.HandleFunc("/given", s.show) // want `goroutine-race: .*given\.pages.*`
	beyond.Open(mux)
	for _, n := range names {
		s.pages[n] = n
	}
}

type published struct{ pages map[string]string }

func (s *published) show(w http.ResponseWriter, r *http.Request) {
	w.Write([]byte(s.pages[r.URL.Path]))
}

// Current is what others serve.
var Current http.Handler

// PublishedBad puts the router where others find it.
func PublishedBad(names []string) {
	mux := http.NewServeMux()
	s := &published{pages: make(map[string]string)}
	mux.HandleFunc("/published", s.show) // want `goroutine-race: .*published\.pages.*`
	Current = mux
	for _, n := range names {
		s.pages[n] = n
	}
}

type started struct {
	pages map[string]string
}

func (s *started) show(w http.ResponseWriter, r *http.Request) { w.Write([]byte(s.pages[r.URL.Path])) }

// StartsBad starts a goroutine which goes on when there is a server.
func StartsBad(mux *http.ServeMux, names []string) {
	s := &started{pages: make(map[string]string)}
	mux.HandleFunc("/starts", s.show) // want `goroutine-race: .*started\.pages.*`
	go func() {
		for _, n := range names {
			s.pages[n] = n
		}
	}()
}

type chosen struct{ pages map[string]string }

func (s *chosen) show(w http.ResponseWriter, r *http.Request) { w.Write([]byte(s.pages[r.URL.Path])) }

// ChosenBad takes the common one in some cases.
func ChosenBad(own bool, names []string) {
	s := &chosen{pages: make(map[string]string)}
	mux := http.NewServeMux()
	if !own {
		mux = common
	}
	mux.HandleFunc("/chosen", s.show) // want `goroutine-race: .*chosen\.pages.*`
	for _, n := range names {
		s.pages[n] = n
	}
}

type called struct{ pages map[string]string }

func (s *called) show(w http.ResponseWriter, r *http.Request) { w.Write([]byte(s.pages[r.URL.Path])) }

// CalledBad has it from a function that is not known.
func CalledBad(router func() *http.ServeMux, names []string) {
	s := &called{pages: make(map[string]string)}
	mux := router()
	mux.HandleFunc("/called", s.show) // want `goroutine-race: .*called\.pages.*`
	for _, n := range names {
		s.pages[n] = n
	}
}

type asked struct{ pages map[string]string }

func (s *asked) show(w http.ResponseWriter, r *http.Request) { w.Write([]byte(s.pages[r.URL.Path])) }

// AskedBad has it from a method that is not known.
func AskedBad(of source, names []string) {
	s := &asked{pages: make(map[string]string)}
	mux := of.router()
	mux.HandleFunc("/asked", s.show) // want `goroutine-race: .*asked\.pages.*`
	for _, n := range names {
		s.pages[n] = n
	}
}

type deep struct{ pages map[string]string }

func (s *deep) show(w http.ResponseWriter, r *http.Request) { w.Write([]byte(s.pages[r.URL.Path])) }

// DeepBad has it from where it is followed no further.
func DeepBad(names []string) {
	s := &deep{pages: make(map[string]string)}
	mux := one()
	mux.HandleFunc("/deep", s.show) // want `goroutine-race: .*deep\.pages.*`
	for _, n := range names {
		s.pages[n] = n
	}
}

type source interface{ router() *http.ServeMux }

func one() *http.ServeMux   { return two() }
func two() *http.ServeMux   { return three() }
func three() *http.ServeMux { return four() }
func four() *http.ServeMux  { return five() }
func five() *http.ServeMux  { return six() }
func six() *http.ServeMux   { return seven() }
func seven() *http.ServeMux { return eight() }
func eight() *http.ServeMux { return newMux() }

// LocalOk has a router by value.
func LocalOk(names []string) error {
	var mux http.ServeMux
	s := &site{pages: make(map[string]string)}
	mux.HandleFunc("/local", s.show)
	s.fill(names)
	return open8080(&mux)
}

func open8080(h http.Handler) error { return nil }

type whole struct {
	pages map[string]string
	mux   http.ServeMux
}

// NewWholeOk makes the router with the site.
func NewWholeOk(names []string) *whole {
	s := &whole{pages: make(map[string]string)}
	s.mux.HandleFunc("/whole", func(w http.ResponseWriter, r *http.Request) { w.Write([]byte(s.pages[r.URL.Path])) })
	for _, n := range names {
		s.pages[n] = n
	}
	return s
}

type wholeOpen struct {
	pages map[string]string
	mux   http.ServeMux
}

// AddBad can be called at any time.
func (s *wholeOpen) AddBad(names []string) {
	s.mux.HandleFunc("/whole", func(w http.ResponseWriter, r *http.Request) { w.Write([]byte(s.pages[r.URL.Path])) }) // want `goroutine-race: .*s\.pages.*`
	for _, n := range names {
		s.pages[n] = n
	}
}
