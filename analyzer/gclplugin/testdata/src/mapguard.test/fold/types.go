package fold

import "sync"

type entry struct{ key string }

// A Cache is safe for concurrent use.
type Cache struct {
	// mu protects entries.
	mu      sync.Mutex
	entries map[string]*entry
}
