package comment

import "testing"

func TestGuardedBy(t *testing.T) {
	for text, want := range map[string]string{
		"// guarded by mu":                              "mu",
		"// Guarded by mu.":                             "mu",
		"// guarded by c.mu":                            "c.mu",
		"// protected by mu":                            "mu",
		"// engines is guarded by enginesMu.":           "enginesMu",
		"// +checklocks:mu":                             "mu",
		"// +checklocks:s.mu":                           "s.mu",
		"// GUARDED_BY(mu)":                             "mu",
		"//mapguard:guardedby mu":                       "mu",
		"// synchronized by mu":                         "mu",
		"// synchronised with mu":                       "mu",
		"// locked under mu":                            "mu",
		"// by plan; guarded by mu, read often":         "mu",
		"// protected by s.store.mu":                    "s.store.mu",
		"// engines by URL":                             "",
		"// mu guards engines":                          "",
		"// unguarded; see mu":                          "",
		"// protects against double registration by id": "",
		"": "",
	} {
		if got := GuardedBy(text); got != want {
			t.Errorf("GuardedBy(%q) is %q, want %q", text, got, want)
		}
	}
}

func TestProtects(t *testing.T) {
	for _, tc := range []struct {
		text, name string
		want       bool
	}{
		{"// protects engines", "engines", true},
		{"// mu guards engines and plans.", "plans", true},
		{"// guards x, y", "y", true},
		{"// for engines", "engines", true},
		{"// mu synchronizes access to engines", "engines", true},
		{"// serializes writes to engines", "engines", true},
		{"// lock for engines", "engines", true},
		{"// mu must be held to access engines", "engines", true},
		{"// protects enginesByURL", "engines", false},
		{"// protects myengines", "engines", false},
		{"// protects plans", "engines", false},
		{"// beside engines", "engines", false},
		{"", "engines", false},
	} {
		if got := Protects(tc.text, tc.name); got != tc.want {
			t.Errorf("Protects(%q, %q) is %v, want %v", tc.text, tc.name, got, tc.want)
		}
	}
}

func TestProtectsHat(t *testing.T) {
	for text, want := range map[string]bool{
		"// protects the following fields": true,
		"// mu guards everything below":    true,
		"// protects all fields":           true,
		"// guards the fields below.":      true,
		"// protects following":            true,
		"// guards these":                  true,
		"// protects engines":              false,
		"// the following fields are hot":  false,
		"":                                 false,
	} {
		if got := ProtectsHat(text); got != want {
			t.Errorf("ProtectsHat(%q) is %v, want %v", text, got, want)
		}
	}
}

func TestCallerLocks(t *testing.T) {
	for text, want := range map[string]bool{
		"mu must be held": true,
		"It must not be called with the lock held.":     false,
		"Callers should not lock.":                      false,
		"mu must not be held":                           false,
		"The caller must hold c.mu.":                    true,
		"Caller holds the lock.":                        true,
		"Callers must hold mu":                          true,
		"Lock should be held":                           true,
		"c.mu should be held by the caller.":            true,
		"It must be called with mu held.":               true,
		"must be called with the lock held":             true,
		"assumes the lock is held":                      true,
		"requires c.mu to be held":                      true,
		"get requires mu be locked for reading":         true,
		"The mutex is already locked.":                  true,
		"the lock needs to be held":                     true,
		"+checklocks:c.mu":                              true,
		"Not goroutine-safe.":                           true,
		"The caller must not hold mu.":                  false,
		"Callers need not hold the lock.":               false,
		"It must be called without holding mu.":         false,
		"get returns the engine of url":                 false,
		"It takes mu.":                                  false,
		"Get acquires the lock and returns the entry.":  false,
		"Lock locks c.":                                 false,
		"It must not be nil. The lock protects the map": false,
		"The result should be closed by the caller.":    false,
		"safe for concurrent use":                       false,
		"":                                              false,
	} {
		if got := CallerLocks(text); got != want {
			t.Errorf("CallerLocks(%q) is %v, want %v", text, got, want)
		}
	}
}

func TestLockedName(t *testing.T) {
	for name, want := range map[string]bool{
		"getLocked":      true,
		"insertLocked":   true,
		"get_locked":     true,
		"getLockHeld":    true,
		"getUnlocked":    true,
		"getNoLock":      true,
		"getWithoutLock": true,
		"get":            false,
		"Locked":         false,
		"getWithLock":    false,
		"LockedGet":      false,
		"isBlocking":     false,
		"isBlocked":      false,
		"IsLocked":       false,
		"UnsafeLoad":     true,
		"unlock":         false,
		"":               false,
	} {
		if got := LockedName(name); got != want {
			t.Errorf("LockedName(%q) is %v, want %v", name, got, want)
		}
	}
}

func TestConcurrent(t *testing.T) {
	for text, want := range map[string]bool{
		"A Cache is safe for concurrent use.":                         true,
		"It is safe for concurrent use by multiple goroutines.":       true,
		"Methods may be called concurrently from several goroutines.": true,
		"Store is goroutine-safe.":                                    true,
		"A thread safe map.":                                          true,
		"It is safe to call Get concurrently.":                        true,
		"safe for simultaneous use by multiple goroutines":            true,
		"A Cache is not safe for concurrent use.":                     false,
		"It is NOT thread-safe":                                       false,
		"This isn't safe for concurrent use.":                         false,
		"A Cache maps keys to values.":                                false,
		"":                                                            false,
	} {
		if got := Concurrent(text); got != want {
			t.Errorf("Concurrent(%q) is %v, want %v", text, got, want)
		}
	}
}

func TestNamedFor(t *testing.T) {
	for _, tc := range []struct {
		lock, name string
		want       bool
	}{
		{"enginesMu", "engines", true},
		{"muEngines", "engines", true},
		{"enginesLock", "engines", true},
		{"engineLock", "engines", true},
		{"enginesMutex", "engines", true},
		{"engineMtx", "engineMap", true},
		{"engines_mu", "engines", true},
		{"lockEngines", "engines", true},
		{"cacheMu", "cache", true},
		{"entriesLock", "entries", true},
		{"entryLock", "entries", true},
		{"planMu", "plansByID", true},
		{"registryRWMutex", "registry", true},
		{"mu", "engines", false},
		{"lock", "engines", false},
		{"plansMu", "engines", false},
		{"engines", "engines", false},
		{"mutex", "m", false},
		{"idMu", "ids", false}, // too short to mean anything
	} {
		if got := NamedFor(tc.lock, tc.name); got != tc.want {
			t.Errorf("NamedFor(%q, %q) is %v, want %v", tc.lock, tc.name, got, tc.want)
		}
	}
}
