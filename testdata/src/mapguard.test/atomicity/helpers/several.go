package helpers

import "sync"

// An object has attributes under a lock of its own.
type Attrs struct {
	mu   sync.RWMutex
	attr map[string]*string
}

func (a *Attrs) Get(k string) *string {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return a.attr[k]
}

func (a *Attrs) Set(k string, v *string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.attr[k] = v
}

// SetAll sets several.
func (a *Attrs) SetAll(keys ...string) {
	for _, k := range keys {
		a.Set(k, &k)
	}
}

type account struct{ attrs *Attrs }

func ask(token string) string { return token + "." }

// Which of several are set is not what was looked at.
func (a *account) signInOk(user string) bool {
	token := a.attrs.Get("token")
	if token == nil {
		return false
	}
	a.attrs.SetAll("secret", ask(*token), "user", user)
	return true
}

func (a *account) beginBad(user string) bool {
	if a.attrs.Get("token") != nil {
		return false
	}
	a.attrs.Set("token", &user) // want `split-lock:.*, low`
	return true
}
