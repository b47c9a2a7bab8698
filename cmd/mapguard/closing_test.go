package main

import (
	"testing"
	"time"

	"github.com/mapguard/mapguard/analyzer/finding"
)

func TestClosing(t *testing.T) {
	found := []finding.Finding{{Confidence: "high"}, {Confidence: "medium"}, {Confidence: "high"}}
	if got, want := closing(found, 12, 1340*time.Millisecond), "mapguard: 3 findings (2 high, 1 medium) in 12 packages, 1.3 s"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := closing(nil, 1, 0), "mapguard: no findings in 1 package, 0.0 s"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
