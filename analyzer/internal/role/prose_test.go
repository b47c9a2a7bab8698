package role

import "testing"

func TestCallerLocks(t *testing.T) {
	for text, want := range map[string]bool{
		"mu must be held": true,
		"It must not be called with the lock held.": false,
		"Callers should not lock.":                  false,
		"mu must not be held":                       false,
		"The caller must hold c.mu.":                true,
		"Caller holds the lock.":                    true,
		"Callers must hold mu":                      true,
		"Lock should be held":                       true,
		"c.mu should be held by the caller.":        true,
		"It must be called with mu held.":           true,
		"must be called with the lock held":         true,
		"assumes the lock is held":                  true,
		"requires c.mu to be held":                  true,
		"get requires mu be locked for reading":     true,
		"The mutex is already locked.":              true,
		"the lock needs to be held":                 true,
		"+checklocks:c.mu":                          true,
		"LOCKS_REQUIRED(c)":                         true,
		"EXCLUSIVE_LOCKS_REQUIRED(c.mu)":            true,
		"REQUIRES(c.mu)":                            true,
		"LOCKS_EXCLUDED(c.mu)":                      false,
		"REQUIRES(!c.mu)":                           false,
		"It is safe, since the store is locked by the caller when this is called.": true,
		"Put was locked by the caller of load before, not any more.":               false,
		"The file is locked by the caller, the map is not.":                        false,
		"If c is locked by the caller, this would block.":                          false,
		"The store is not locked by the caller.":                                   false,
		"Not goroutine-safe.":                                                      true,
		"It runs under the caller's lock.":                                         true,
		"It is the caller's job to lock c.mu.":                                     true,
		"The callers' lock protects it.":                                           true,
		"Callers lock mu.":                                                         true,
		"The caller has to take the lock first.":                                   true,
		"It checks twice, in case several callers ask for a lock at a time.":       false,
		"The caller must not hold mu.":                                             false,
		"Callers need not hold the lock.":                                          false,
		"It must be called without holding mu.":                                    false,
		"Callers may write x without holding s.mu.":                                false,
		"get returns the engine of url":                                            false,
		"It takes mu.":                                                             false,
		"Get acquires the lock and returns the entry.":                             false,
		"Lock locks c.":                                                            false,
		"It must not be nil. The lock protects the map":                            false,
		"The result should be closed by the caller.":                               false,
		"safe for concurrent use":                                                  false,
		"":                                                                         false,
	} {
		if got := said("get", text).Has(CallerLocks); got != want {
			t.Errorf("%q gives CallerLocks: %v, want %v", text, got, want)
		}
	}
}

func TestConcurrent(t *testing.T) {
	for text, want := range map[string]bool{
		"A Cache is safe for concurrent use.":                                                                 true,
		"It is safe for concurrent use by multiple goroutines.":                                               true,
		"Methods may be called concurrently from several goroutines.":                                         true,
		"Store is goroutine-safe.":                                                                            true,
		"A thread safe map.":                                                                                  true,
		"It is safe to call Get concurrently.":                                                                true,
		"safe for simultaneous use by multiple goroutines":                                                    true,
		"A Cache is not safe for concurrent use.":                                                             false,
		"A Cache is goroutine-safe, and must be locked before it is read or written.":                         false,
		"A Cache is thread-safe: all writes must be done with\n// the cache locked.":                          false,
		"A Table is safe for concurrent use: callers need no lock.":                                           true,
		"It is safe for concurrent use. A client must hold a lock before it writes to the file of that name.": true,
		"A Cache is safe for concurrent use. Its methods must not be called with the lock held.":              true,
		"Consequently, it is _not concurrency safe_, as it is meant for one goroutine.":                       false,
		"A Cache is **not** safe for concurrent use.":                                                         false,
		"It is NOT thread-safe":                                                                               false,
		"This isn't safe for concurrent use.":                                                                 false,
		"Tx (no-thread safe) is one transaction.":                                                             false,
		"A non-thread-safe cache":                                                                             false,
		"The list is thread-unsafe; wrap it to have it thread-safe.":                                          false,
		"They aren't goroutine safe":                                                                          false,
		"There is no lock to take, since it is thread-safe.":                                                  true,
		"A Cache maps keys to values. TODO: make it threadsafe.":                                              false,
		"A Cache is threadsafe. TODO: make it faster.":                                                        true,
		"A Cache maps keys to values.":                                                                        false,
		"":                                                                                                    false,
	} {
		if got := OfType(text).Has(Concurrent); got != want {
			t.Errorf("%q gives Concurrent: %v, want %v", text, got, want)
		}
	}
}

func TestNotConcurrent(t *testing.T) {
	for text, want := range map[string]bool{
		"A Cache is not safe for concurrent use.":                         true,
		"It must not be called concurrently.":                             true,
		"Tx (no-thread safe) is one transaction.":                         true,
		"There is no lock to take: it is thread-safe.":                    false,
		"It is _not concurrency safe_, as it is meant for one goroutine.": true,
		"A Cache is **not** safe for concurrent use.":                     true,
		"Add must not be called from many goroutines.":                    true,
		"A Cache is safe for concurrent use.":                             false,
		"It is called once.":                                              false,
		"":                                                                false,
	} {
		if got := OfType(text).Has(NotConcurrent); got != want {
			t.Errorf("%q gives NotConcurrent: %v, want %v", text, got, want)
		}
	}
}

// Only of a function does "called concurrently" promise anything, and only a
// function has callers.
func TestProseOfFunctions(t *testing.T) {
	for _, text := range []string{"It may be called concurrently.", "The caller holds mu.", "Called at startup."} {
		if r := OfType(text); r != 0 {
			t.Errorf("of a type, %q gives %v", text, r)
		}
		if r := said("get", text); r == 0 {
			t.Errorf("of a function, %q gives nothing", text)
		}
	}
}

// What remains to be done tells of goroutines, but promises nothing yet.
func TestWished(t *testing.T) {
	for text, want := range map[string]Roles{
		"TODO: Make access to c.all.entries concurrency-safe.":                Concurrent | Wished,
		"It finds an entry.\n\nFIXME(#12): should be safe for concurrent use": Concurrent | Wished,
		"It is safe for concurrent use. TODO: cache the result.":              Concurrent,
		"TODO: cache the result. It is safe for concurrent use.":              Concurrent,
		"TODO(bob): rename\n\nIt is safe for concurrent use.":                 Concurrent,
		"// TODO(bob): rename\n//\n// It is safe for concurrent use.":         Concurrent,
		"// TODO(bob): rename, and make it\n// safe for concurrent use.":      Concurrent | Wished,
		"TODO: it is not safe for concurrent use.":                            NotConcurrent,
	} {
		if got := said("get", text) & (Concurrent | Wished | NotConcurrent); got != want {
			t.Errorf("%q gives %v, want %v", text, got, want)
		}
	}
}

func TestOrderedHeads(t *testing.T) {
	for text, want := range map[string]bool{
		"This is outside of the scope of Add, so we don’t need to hold c.mu.":  true,
		"This is outside the scope of Add, so we don't need the mutex.":        true,
		"All workers have ended, so there is no need to lock.":                 true,
		"No lock is needed, since nobody else has the object yet.":             true,
		"We need no lock, because all readers are done.":                       true,
		"This runs before any worker is started, so no mutex is needed.":       true,
		"The lock is not needed, since no other goroutine runs by now.":        true,
		"Sum up. No need to lock here as the pool is not shared yet.":          true,
		"No lock is needed: we only read.":                                     false,
		"No lock is needed: nobody else has the object yet.":                   false,
		"No lock is needed, since we first sum up, and after all it is cheap.": false,
		"No need to lock, since this is called once all day.":                  false,
		"We need no lock, as we write no more than one word.":                  false,
		"We need no lock, because no other map has the key.":                   false,
		"No lock is needed, since nothing else is to be done.":                 false,
		"The name is not valid yet, so there is no need to lock.":              false,
		"All entries are gone, so there is no need to lock.":                   false,
		"TODO: no lock is needed, since all workers have ended?":               false,
		"It is a bug that no lock is needed, since all workers have ended.":    false,
		"All workers have ended, so we do this without the lock.":              false,
		"All readers are done, so there is no need to wait for the lock.":      false,
		"Before every worker starts, so no lock is needed.":                    false,
		"No lock is needed, reads are atomic.":                                 false,
		"Nobody else may come in, so take the lock.":                           false,
		"We must hold the lock, because all readers are done.":                 false,
		"All workers have ended. Take the lock.":                               false,
		"no need to lock":                                                      false,
		"":                                                                     false,
	} {
		if got := saysOrdered(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestHeadsOfBodies(t *testing.T) {
	for text, want := range map[string]bool{
		"already locked":                              true,
		"Already locked by add.":                      true,
		"c.mu is held":                                true,
		"lock is already held":                        true,
		"the mutex must be held":                      true,
		"caller holds the lock":                       true,
		"must be called with mu held":                 true,
		"should hold the lock":                        true,
		"already under c.lock":                        true,
		"not locked":                                  false,
		"if already locked, go on":                    false,
		"already locked? then wait until it is free":  false,
		"the lock is not held here":                   false,
		"take the lock":                               false,
		"locks are cheap":                             false,
		"the lock is taken below":                     false,
		"find the entry. The lock is held by others.": false,
		"unlocked on purpose":                         false,
		"":                                            false,
	} {
		if got := saysHeld(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
