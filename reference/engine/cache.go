package engine

import (
	"fmt"
	"sync"
)

// MemoryEngines is the process-wide cache of the engines of in-memory
// databases, by URL. Code that needs the engine of such a URL looks here first
// and, finding none, opens one and puts it here.
var MemoryEngines = map[string]*Engine{}

// MemoryEnginesMu protects MemoryEngines. It is held from the look-up until the
// engine is in the map and the caller has its reference: an engine that was
// looked up in one critical section and created in another may be created
// twice.
var MemoryEnginesMu sync.Mutex

// Dispose removes the engine of an in-memory URL from the cache and closes it.
// The next user of the URL gets a new engine, and so an empty database. A URL
// that has no engine is no error.
func Dispose(url string) error {
	MemoryEnginesMu.Lock()
	eng, ok := MemoryEngines[url]
	delete(MemoryEngines, url)
	MemoryEnginesMu.Unlock()
	if !ok {
		return nil
	}
	if err := eng.Close(); err != nil {
		return fmt.Errorf("dispose of engine %s: %w", url, err)
	}
	return nil
}
