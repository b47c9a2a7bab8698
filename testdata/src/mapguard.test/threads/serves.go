package threads

import "net/http"

// A site is shown by the handlers of a server. What is done before that serves comes before all of them.
type site struct{ pages map[string]string }

// openOk fills the map before there is a server.
func openOk(names []string) error {
	s := &site{pages: make(map[string]string)}
	http.HandleFunc("/site", func(w http.ResponseWriter, r *http.Request) { w.Write([]byte(s.pages[r.URL.Path])) })
	for _, n := range names {
		s.pages[n] = n
	}
	go http.ListenAndServe(":8081", nil)
	return http.ListenAndServe(":8080", nil)
}

// openLateBad goes on with it when there is one.
func openLateBad(names []string) {
	s := &site{pages: make(map[string]string)}
	http.HandleFunc("/late", func(w http.ResponseWriter, r *http.Request) { w.Write([]byte(s.pages[r.URL.Path])) }) // want `goroutine-race: .*site\.pages.*`
	go func() { http.ListenAndServe(":8080", nil) }()
	for _, n := range names {
		s.pages[n] = n
	}
}

// openBesideBad registers when another one serves already.
func openBesideBad(names []string) error {
	go debug()
	s := &site{pages: make(map[string]string)}
	http.HandleFunc("/beside", func(w http.ResponseWriter, r *http.Request) { w.Write([]byte(s.pages[r.URL.Path])) }) // want `goroutine-race: .*site\.pages.*`
	for _, n := range names {
		s.pages[n] = n
	}
	return http.ListenAndServe(":8080", nil)
}

func debug() { http.ListenAndServe(":6060", nil) }

// openElsewhereBad leaves it to others to serve.
func openElsewhereBad(names []string) {
	s := &site{pages: make(map[string]string)}
	http.HandleFunc("/else", func(w http.ResponseWriter, r *http.Request) { w.Write([]byte(s.pages[r.URL.Path])) }) // want `goroutine-race: .*site\.pages.*`
	for _, n := range names {
		s.pages[n] = n
	}
}
