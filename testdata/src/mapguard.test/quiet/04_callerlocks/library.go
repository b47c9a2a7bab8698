package callerlocks

import (
	"net/http"
	"sync"
)

// What a call of a library gives back is not known to be the object that others have,
// whatever lock the callers of the helper hold that asks for it.

type mirror struct {
	mu     sync.Mutex
	client *http.Client
	seen   int
}

func (r *mirror) typeOf(url string) (string, error) {
	resp, err := r.client.Get(url)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	if resp.Header["Content-Type"] == nil {
		return "", nil
	}
	return resp.Header["Content-Type"][0], nil
}

func (r *mirror) CountOk(url string) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seen++
	return r.typeOf(url)
}

func (r *mirror) AgainOk(url string) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seen--
	return r.typeOf(url)
}

func (r *mirror) UncountedOk(url string) (string, error) { return r.typeOf(url) }

// WarnOk adds to the header of a response of its own.
func (r *mirror) WarnOk(w *http.Response) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	resp, err := r.client.Get("warn")
	if err != nil {
		return err
	}
	resp.Header["Warning"] = nil
	return nil
}
