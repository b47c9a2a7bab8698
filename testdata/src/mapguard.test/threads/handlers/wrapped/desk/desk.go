// Package desk gives its handlers to wrappers of another package.
package desk

import (
	"net/http"
	"sync"

	"mapguard.test/threads/handlers/wrapped/mw"
)

type drawer struct {
	space mw.Space
	pens  map[string]int
}

type penOk struct{ in *drawer }

func (p *penOk) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if _, ok := p.in.pens[r.URL.Path]; !ok {
		p.in.pens[r.URL.Path] = 1
	}
}

type inkOk struct{ in *drawer }

func (p *inkOk) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if _, ok := p.in.pens["ink"]; !ok {
		p.in.pens["ink"] = len(r.URL.Path)
	}
}

type readerBox struct {
	rw    sync.RWMutex
	cards map[string]int
}

type readerBad struct{ in *readerBox }

func (p *readerBad) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if _, ok := p.in.cards[r.URL.Path]; !ok {
		p.in.cards[r.URL.Path] = 1 // want `rlock-write: p.in.cards is written under the read lock`
	}
}

type hatchBox struct {
	space mw.Space
	cards map[string]int
}

type hatchBad struct{ in *hatchBox }

func (p *hatchBad) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if _, ok := p.in.cards[r.URL.Path]; !ok { // want `check-then-act: p.in.cards is read here`
		p.in.cards[r.URL.Path] = 1
	}
}

type quickBox struct {
	space mw.Space
	cards map[string]int
}

type quickBad struct{ in *quickBox }

func (p *quickBad) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if _, ok := p.in.cards[r.URL.Path]; !ok { // want `check-then-act: p.in.cards is read here`
		p.in.cards[r.URL.Path] = 1
	}
}

type otherBox struct{ cards map[string]int }

type otherBad struct{ in *otherBox }

func (p *otherBad) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if _, ok := p.in.cards[r.URL.Path]; !ok { // want `check-then-act: p.in.cards is read here`
		p.in.cards[r.URL.Path] = 1
	}
}

// Register registers the handlers.
func Register() {
	d := &drawer{pens: make(map[string]int)}
	http.Handle("/pens", mw.Within(&d.space, &penOk{in: d}))
	http.Handle("/ink", mw.NewDoor(&d.space, &inkOk{in: d}))
	reader := &readerBox{cards: make(map[string]int)}
	http.Handle("/cards", mw.Beside(&reader.rw, &readerBad{in: reader}))
	hatch := &hatchBox{cards: make(map[string]int)}
	door := mw.NewHatch(&hatch.space, &hatchBad{in: hatch})
	http.Handle("/hatch", door)
	http.Handle("/inside", door.Inside())
	quick := &quickBox{cards: make(map[string]int)}
	http.Handle("/quick", mw.Logged(&quick.space, true, &quickBad{in: quick}))
	other := &otherBox{cards: make(map[string]int)}
	http.Handle("/left", mw.Within(new(mw.Space), &otherBad{in: other}))
	http.Handle("/right", mw.Within(new(mw.Space), &otherBad{in: other}))
}
