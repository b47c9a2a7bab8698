// Package firsttime uses gates of another package: what they let through comes once, and before all that comes behind them.
package firsttime

import (
	"net/http"

	"mapguard.test/callbacks/firsttime/gate"
)

var (
	namesGate gate.Gate
	names     map[string]int
)

func loadNames() {
	namesGate.First(func() {
		names = make(map[string]int)
		names["one"] = 1
	})
}

func namesOk(w http.ResponseWriter, r *http.Request) {
	loadNames()
	if names[r.URL.Path] == 0 {
		w.WriteHeader(404)
	}
}

type shop struct {
	first  gate.Opened
	prices map[string]int
}

func (s *shop) pricesOk(w http.ResponseWriter, r *http.Request) {
	s.first.First(func() { s.prices = map[string]int{"tea": 3} })
	if s.prices[r.URL.Path] == 0 {
		w.WriteHeader(404)
	}
}

// The gate is rewound: another request fills the map while this one reads.
var (
	colorsGate gate.Gate
	colors     map[string]int
)

func colorsBad(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodPost {
		colorsGate.Rewind()
	}
	colorsGate.First(func() {
		colors = make(map[string]int)
		colors["red"] = 1
	})
	if colors[r.URL.Path] == 0 { // want `goroutine-race: colors is read in a goroutine without a lock`
		w.WriteHeader(404)
	}
}

var (
	hastyGate gate.Hasty
	shapes    map[string]int
)

func hastyBad(w http.ResponseWriter, r *http.Request) {
	hastyGate.First(func() {
		shapes = make(map[string]int)
		shapes["disc"] = 1
	})
	if shapes[r.URL.Path] == 0 { // want `goroutine-race: shapes is read in a goroutine without a lock`
		w.WriteHeader(404)
	}
}

var (
	tornGate gate.Torn
	sizes    map[string]int
)

func tornBad(w http.ResponseWriter, r *http.Request) {
	tornGate.First(func() {
		if sizes == nil { // want `check-then-act: sizes is compared with nil here`
			sizes = make(map[string]int)
		}
		sizes["large"] = 1
	})
	if sizes[r.URL.Path] == 0 { // want `unguarded-access: sizes is read without a lock`
		w.WriteHeader(404)
	}
}

var (
	earlyGate gate.Early
	tastes    map[string]int
)

func earlyBad(w http.ResponseWriter, r *http.Request) {
	earlyGate.First(func() {
		tastes = make(map[string]int)
		tastes["sweet"] = 1
	})
	if tastes[r.URL.Path] == 0 { // want `goroutine-race: tastes is read in a goroutine without a lock`
		w.WriteHeader(404)
	}
}

var (
	fickleGate gate.Fickle
	sounds     map[string]int
)

func fickleBad(w http.ResponseWriter, r *http.Request) {
	fickleGate.First(func() error {
		sounds = make(map[string]int)
		sounds["loud"] = 1
		return r.ParseForm()
	})
	if sounds[r.URL.Path] == 0 { // want `goroutine-race: sounds is read in a goroutine without a lock`
		w.WriteHeader(404)
	}
}

// Serve starts a server.
func Serve(s *shop) {
	http.HandleFunc("/names", namesOk)
	http.HandleFunc("/prices", s.pricesOk)
	http.HandleFunc("/colors", colorsBad)
	http.HandleFunc("/hasty", hastyBad)
	http.HandleFunc("/torn", tornBad)
	http.HandleFunc("/early", earlyBad)
	http.HandleFunc("/fickle", fickleBad)
	http.ListenAndServe("", nil)
}
