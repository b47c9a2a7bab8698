// Package beyond is another one.
package beyond

import "net/http"

// Open serves.
func Open(h http.Handler) { go http.ListenAndServe(":8080", h) }

// RegisterPages registers its own.
func RegisterPages(mux *http.ServeMux) {}
