package engine

import (
	"context"
	"fmt"
	"sync"
)

// MemoryEngines is the process-wide cache of the engines of in-memory
// databases, by canonical URL. [Acquire] looks here first and, finding nothing,
// enters what it is about to open.
var MemoryEngines = map[string]*Entry{}

// MemoryEnginesMu protects MemoryEngines. It is held from the look-up until the
// entry is in the map: what was looked up in one critical section and entered
// in another may be entered twice. It is not held while an engine opens. One
// lock for all URLs would make callers wait for the slowest database, and waiting
// for a mutex cannot be given up when a deadline passes; callers that need the
// URL which is being opened wait for its entry instead.
var MemoryEnginesMu sync.Mutex

// Entry is the engine of one URL, or the promise of it while it opens. The caller
// that entered it opens the engine; all others wait.
type Entry struct {
	// ready is closed when engine and err are final; before that, only the caller
	// that opens the engine may touch them.
	ready  chan struct{}
	engine *Engine
	err    error
}

// Opened returns the entry of an engine that is open.
func Opened(eng *Engine) *Entry {
	entry := &Entry{ready: make(chan struct{}), engine: eng}
	close(entry.ready)
	return entry
}

// Engine waits until the engine is open and returns it, or the error that
// opening it met. It gives up when ctx ends.
func (e *Entry) Engine(ctx context.Context) (*Engine, error) {
	select {
	case <-e.ready:
		return e.engine, e.err
	case <-ctx.Done():
		return nil, fmt.Errorf("wait for an engine that opens: %w", ctx.Err())
	}
}

// Acquire returns the engine of an in-memory URL, the same to all callers. The
// first to ask opens it, and no other gets it before open has returned: what
// open does to the database, such as to apply the schema, is done for all. A
// caller waits for no other URL, and no longer than its context lasts.
func Acquire(ctx context.Context, url string, open Factory) (*Engine, error) {
	url = Canonical(url)
	for {
		MemoryEnginesMu.Lock()
		entry, ok := MemoryEngines[url]
		if !ok {
			entry = &Entry{ready: make(chan struct{})}
			MemoryEngines[url] = entry
		}
		MemoryEnginesMu.Unlock()
		if !ok {
			return entry.fill(ctx, url, open)
		}
		eng, err := entry.Engine(ctx)
		if err == nil || ctx.Err() != nil {
			return eng, err
		}
		// The caller that opened it failed, perhaps because its own context had
		// ended: that is no reason for this one to fail. The entry is gone.
	}
}

// fill opens the engine of an entry. An entry that cannot be filled leaves the
// cache before those who wait for it are told.
func (e *Entry) fill(ctx context.Context, url string, open Factory) (*Engine, error) {
	e.err = fmt.Errorf("open engine %s: it panicked", url)
	defer func() {
		if e.err != nil {
			e.engine = nil
			e.leave(url)
		}
		close(e.ready)
	}()
	e.engine, e.err = open(ctx, url)
	return e.engine, e.err
}

// leave takes an entry out of the cache, unless it is out already: then what is
// found there is another's.
func (e *Entry) leave(url string) {
	MemoryEnginesMu.Lock()
	defer MemoryEnginesMu.Unlock()
	if MemoryEngines[url] == e {
		delete(MemoryEngines, url)
	}
}

// Dispose removes the engine of an in-memory URL from the cache and closes it,
// when need be after it was opened. The next user of the URL gets a new engine,
// and so an empty database. A URL that has no engine is no error.
func Dispose(url string) error {
	url = Canonical(url)
	MemoryEnginesMu.Lock()
	entry, ok := MemoryEngines[url]
	delete(MemoryEngines, url)
	MemoryEnginesMu.Unlock()
	if !ok {
		return nil
	}
	<-entry.ready
	if entry.err != nil {
		return nil // it was never open
	}
	if err := entry.engine.Close(); err != nil {
		return fmt.Errorf("dispose of engine %s: %w", url, err)
	}
	return nil
}
