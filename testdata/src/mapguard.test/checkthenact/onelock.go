package checkthenact

import "net/http"

// A type whose maps have no lock at all needs one: that is one finding.

type lockless struct {
	hits  map[string]int
	names map[string]string
}

func (l *lockless) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	if l.hits[r.Host] == 0 { // want `check-then-act: l\.hits is read here`
		l.hits[r.Host] = 1
	}
	l.name(r.Host)
}

func (l *lockless) name(host string) {
	if _, ok := l.names[host]; !ok {
		l.names[host] = host
	}
}

func serveLockless() error {
	return http.ListenAndServe("", &lockless{hits: make(map[string]int), names: make(map[string]string)})
}
