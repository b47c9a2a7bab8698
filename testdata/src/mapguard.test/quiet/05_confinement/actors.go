package confinement

import (
	"net/http"
	"time"

	"github.com/Arceliar/phony"
)

// A switchboard keeps its lines to the functions that its inbox runs.
type switchboard struct {
	phony.Inbox

	lines map[string]*line
	names map[string]string
}

type line struct{ calls int }

var board = &switchboard{lines: make(map[string]*line), names: make(map[string]string)}

func (s *switchboard) ConnectOk(w http.ResponseWriter, r *http.Request) {
	phony.Block(s, func() {
		if _, ok := s.lines[r.URL.Path]; !ok {
			s._open(r.URL.Path)
		}
	})
}

func (s *switchboard) _open(name string) { s.lines[name] = &line{} }

func (s *switchboard) HangUpOk(w http.ResponseWriter, r *http.Request) {
	s.Act(nil, func() {
		if l, ok := s.lines[r.URL.Path]; ok && l.calls > 0 {
			delete(s.lines, r.URL.Path)
		}
	})
	time.AfterFunc(time.Minute, func() {
		s.Act(s, func() { delete(s.lines, r.URL.Path) })
	})
}

// The names are replaced whole, so that a reader may go on with the map that it was given.
func (s *switchboard) NameOk(w http.ResponseWriter, r *http.Request) {
	var names map[string]string
	phony.Block(s, func() { names = s.names })
	_, _ = w.Write([]byte(names[r.URL.Path]))
}

func (s *switchboard) NamesOk(w http.ResponseWriter, r *http.Request) {
	phony.Block(s, func() {
		for _, name := range s.names {
			_, _ = w.Write([]byte(name))
		}
		if s.names["a"] == "b" {
			return
		}
		_, _ = w.Write([]byte(s.names["c"]))
	})
}

func (s *switchboard) RenameOk(w http.ResponseWriter, r *http.Request) {
	names := map[string]string{r.URL.Path: r.URL.RawQuery}
	s.Act(nil, func() { s.names = names })
}

// A directory is looked at in one turn and changed in another, or in none.
type directory struct {
	phony.Inbox

	pages map[string]*line
	known map[string]*line
}

var pages = &directory{pages: make(map[string]*line), known: make(map[string]*line)}

func (d *directory) TwoTurnsBad(w http.ResponseWriter, r *http.Request) {
	var found *line
	phony.Block(d, func() { found = d.pages[r.URL.Path] })
	if found == nil {
		phony.Block(d, func() {
			d.pages[r.URL.Path] = &line{} // want `d.pages`
		})
	}
}

func (d *directory) FileOk(w http.ResponseWriter, r *http.Request) {
	phony.Block(d, func() { d.known[r.URL.Path] = &line{} })
}

func (d *directory) ForgetOk(w http.ResponseWriter, r *http.Request) {
	phony.Block(d, func() { delete(d.known, r.URL.Path) })
}

func (d *directory) PeekBad(w http.ResponseWriter, r *http.Request) {
	if d.known[r.URL.Path] == nil { // want `d.known is read without Inbox`
		w.WriteHeader(http.StatusNotFound)
	}
}

func routes() {
	http.HandleFunc("/connect", board.ConnectOk)
	http.HandleFunc("/hangup", board.HangUpOk)
	http.HandleFunc("/name", board.NameOk)
	http.HandleFunc("/names", board.NamesOk)
	http.HandleFunc("/rename", board.RenameOk)
	http.HandleFunc("/two", pages.TwoTurnsBad)
	http.HandleFunc("/later", pages.LaterBad)
	http.HandleFunc("/file", pages.FileOk)
	http.HandleFunc("/forget", pages.ForgetOk)
	http.HandleFunc("/peek", pages.PeekBad)
}

// What is decided in one turn is done in another one, later.
func (d *directory) LaterBad(w http.ResponseWriter, r *http.Request) {
	phony.Block(d, func() {
		if d.pages[r.URL.Path] == nil {
			d.Act(nil, func() {
				d.pages[r.URL.Path] = &line{} // want `split-lock: d.pages is read at line \d+ and written here in two critical sections of d.Inbox`
			})
		}
	})
}
