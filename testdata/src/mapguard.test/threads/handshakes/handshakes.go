// Package handshakes has functions that servers call, but for handlers of requests.
package handshakes

import (
	"crypto/tls"
	"net/http"
	"net/http/httputil"
)

// Certificates are asked for in the handshake of each connection, and targets for each request that is passed on.

type certificates struct{ known map[string]*tls.Certificate }

func (c *certificates) get(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	return c.getBad(hello.ServerName)
}

func (c *certificates) getBad(name string) (*tls.Certificate, error) {
	if cert, ok := c.known[name]; ok { // want `check-then-act: c\.known`
		return cert, nil
	}
	cert := new(tls.Certificate)
	c.known[name] = cert
	return cert, nil
}

type targets struct{ used map[string]int }

func (t *targets) rewriteBad(r *httputil.ProxyRequest) {
	t.used[r.In.Host]++ // want `check-then-act: t\.used`
}

// Serve serves.
func Serve() error {
	c := &certificates{known: make(map[string]*tls.Certificate)}
	t := &targets{used: make(map[string]int)}
	s := &http.Server{
		Handler:   &httputil.ReverseProxy{Rewrite: t.rewriteBad},
		TLSConfig: &tls.Config{GetCertificate: c.get},
	}
	return s.ListenAndServeTLS("", "")
}
