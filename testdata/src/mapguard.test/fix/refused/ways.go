package refused

import (
	"errors"
	"sync"
)

type region struct{ name string }

type regions struct {
	mu    sync.Mutex
	byKey map[string]*region
	kept  *region
	list  func(string) []*region
}

func (r *regions) drop(k string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.byKey, k)
}

func (r *regions) known(k string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.byKey[k] != nil
}

// Who inserts leaves the loop, and comes to the return at the end, which tells that it has.
func (r *regions) breaksBad(k string) error {
	if _, ok := r.byKey[k]; ok { // want `check-then-act: .*`
		return errors.New("known")
	}
	for _, g := range r.list(k) {
		if g.name == k {
			r.byKey[k] = g
			break
		}
	}
	return nil
}

// So it does by a jump in front of the return.
func (r *regions) jumpsBad(k string) error {
	if _, ok := r.byKey[k]; ok { // want `check-then-act: .*`
		return errors.New("known")
	}
	for _, g := range r.list(k) {
		if g.name == k {
			r.byKey[k] = g
			if k == "" {
				goto end
			}
			return errors.New("known")
		}
	}
end:
	return nil
}

// The value is kept elsewhere before it is returned.
func (r *regions) keepsBad(k string) (*region, error) {
	g, ok := r.byKey[k] // want `check-then-act: .*`
	if ok {
		return g, nil
	}
	g = &region{}
	for range r.list(k) {
		r.kept = g
	}
	r.byKey[k] = g
	return g, nil
}
