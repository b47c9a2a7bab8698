package stale

import (
	"context"
	"io"
	"net/http"
)

// A session of another service: what is behind it, the package does not see.
type session = http.RoundTripper

// A router sends requests on by the session of their host.
type router struct {
	dial     func(ctx context.Context, host string) (session, error)
	sessions map[string]session
}

func (r *router) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	for _, host := range req.URL.Query()["host"] {
		if err := r.passBad(w, req, host); err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
	}
}

// The one that comes second replaces the session of the first, as it does without a lock.
func (r *router) passBad(w http.ResponseWriter, req *http.Request, host string) error {
	var err error
	s, ok := r.sessions[host] // want `check-then-act: .*`
	if !ok {
		s, err = r.dial(req.Context(), host)
		if err != nil {
			return err
		}
		r.sessions[host] = s
	}
	res, err := s.RoundTrip(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	_, err = io.Copy(w, res.Body)
	return err
}

func route(dial func(ctx context.Context, host string) (session, error)) error {
	http.Handle("/route", &router{dial: dial, sessions: make(map[string]session)})
	return http.ListenAndServe(":8081", nil)
}
