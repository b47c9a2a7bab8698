package initialisation

import "net/http"

// numbers has what labels has, the other way round. Initialisation asks for one, and so makes it.
var (
	numbers map[string]int
	labels  = map[int]string{1: "one", 2: "two"}
)

func init() {
	for _, n := range labels {
		if n == "" {
			continue
		}
		if _, ok := idOk(n); !ok {
			panic(n)
		}
	}
	_, _ = droppedBad("one")
}

// idOk never finds no map once the package is initialised.
func idOk(n string) (int, bool) {
	if numbers == nil {
		numbers = make(map[string]int)
		for i, n := range labels {
			numbers[n] = i
		}
	}
	i, ok := numbers[n]
	return i, ok
}

// slow is made by the first who asks.
var slow map[string]int

func slowBad(n string) int {
	if slow == nil { // want `check-then-act: slow is compared with nil`
		slow = make(map[string]int)
		for i, n := range labels {
			slow[n] = i
		}
	}
	return slow[n]
}

// taken is made by initialisation, too, but taken away again.
var taken map[string]int

func droppedBad(n string) (int, bool) {
	if taken == nil { // want `check-then-act: taken is compared with nil`
		taken = make(map[string]int)
	}
	i, ok := taken[n]
	return i, ok
}

func forget() { taken = nil }

func serve(mux *http.ServeMux) {
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		idOk(r.URL.Path)
		slowBad(r.URL.Path)
		droppedBad(r.URL.Path)
		forget()
	})
}
