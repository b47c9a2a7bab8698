package role

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

func TestNamedExactlyFor(t *testing.T) {
	for _, tc := range []struct {
		lock, name string
		want       bool
	}{
		{"enginesMu", "engines", true},
		{"engineMu", "engines", false},
		{"muEngines", "engines", false},
		{"engines", "engines", false},
	} {
		if got := NamedExactlyFor(tc.lock, tc.name); got != tc.want {
			t.Errorf("NamedExactlyFor(%q, %q) is %v, want %v", tc.lock, tc.name, got, tc.want)
		}
	}
}

func TestNamedPartlyFor(t *testing.T) {
	for _, tc := range []struct {
		lock, name string
		want       bool
	}{
		{"enginesMu", "removedEngines", true},
		{"enginesMu", "engineNames", true},
		{"enginesMu", "engines", false},
		{"engineMu", "engines", false},
		{"enginesMu", "enginesByID", false}, // the same ones in another order
		{"enginesMu", "plans", false},
	} {
		if got := NamedPartlyFor(tc.lock, tc.name); got != tc.want {
			t.Errorf("NamedPartlyFor(%q, %q) is %v, want %v", tc.lock, tc.name, got, tc.want)
		}
	}
}

func TestHeldAcross(t *testing.T) {
	for text, want := range map[string]bool{
		"mu protects engines. It is held from the look-up until the engine\nis in the map.":        true,
		"mu protects engines and is held across the call of open.":                                 true,
		"mu protects engines. It is not held while an engine opens.":                               false,
		"It is held from the look-up until the entry is in. It is not held while an engine opens.": false,
		"mu must never be held across a call of open":                                              false,
		"mu protects engines": false,
	} {
		if got := HeldAcross(text); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}
