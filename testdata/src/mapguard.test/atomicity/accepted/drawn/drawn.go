// Package drawn has no map of its own: it draws names, and puts entries into maps
// that it is given.
package drawn

import (
	"crypto/rand"
	"encoding/base64"
)

// Name returns a name that nothing else has.
func Name() string {
	b := make([]byte, 18)
	_, _ = rand.Read(b)
	return base64.URLEncoding.EncodeToString(b)
}

// Fixed returns the same name each time.
func Fixed() string { return "fixed" }
