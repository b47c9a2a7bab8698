package oldgo

import "net/http"

// A book gives its notes back: with a new mutex it gives a copy, which is nil where they are.
type book struct {
	notes map[string]*note
}

func (b *book) all() map[string]*note {
	return b.notes
}

func (b *book) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for k := range b.all() { // want `unguarded-access: .*`
		println(k)
	}
	b.notes[r.URL.Path] = &note{}
}

func serveBook() error { return http.ListenAndServe(":80", &book{notes: map[string]*note{}}) }
