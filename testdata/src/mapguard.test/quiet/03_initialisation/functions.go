package initialisation

import "net/http"

// A package-level function that is named for it gives the package its maps; it
// runs before anything uses them. What looks first whether they are there is
// meant to run at any time, and so is what is called later.

var ciphers map[string]int

// InitOk fills a new map.
func InitOk(names []string) {
	ciphers = make(map[string]int, len(names))
	for i, n := range names {
		ciphers[n] = i
	}
}

// InitAllOk does so through another one.
func InitAllOk(names []string) { InitOk(names) }

// ServeCiphersOk reads what is there.
func ServeCiphersOk(w http.ResponseWriter, r *http.Request) {
	if _, ok := ciphers[r.URL.Path]; !ok {
		http.NotFound(w, r)
	}
}

var onNeed map[string]int

// initLazyBad runs whenever the map is needed.
func initLazyBad(names []string) {
	if onNeed != nil { // want `check-then-act: .*onNeed`
		return
	}
	onNeed = make(map[string]int, len(names))
	for i, n := range names {
		onNeed[n] = i
	}
}

// ServeLazyBad needs it.
func ServeLazyBad(w http.ResponseWriter, r *http.Request) {
	initLazyBad([]string{"a"})
	if _, ok := onNeed[r.URL.Path]; !ok { // want `unguarded-access: .*onNeed`
		http.NotFound(w, r)
	}
}

var words map[string]int

// initWordsBad is called by a handler.
func initWordsBad(names []string) {
	words = make(map[string]int, len(names))
	for i, n := range names {
		words[n] = i // want `unguarded-access: .*words`
	}
}

// ServeReload calls it.
func ServeReload(w http.ResponseWriter, r *http.Request) {
	initWordsBad(r.URL.Query()["w"])
	if _, ok := words[r.URL.Path]; !ok { // of the finding above
		http.NotFound(w, r)
	}
}
