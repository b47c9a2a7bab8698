package witness_test

import (
	"testing"

	"github.com/mapguard/mapguard/analyzer/internal/witness"
)

func TestReasonString(t *testing.T) {
	for r, want := range map[witness.Reason]string{
		witness.NoReason:  "a witness",
		witness.GuardHeld: "at the same time? the guard is held",
		witness.NoStep:    "does it matter? no step in the package changes what was looked at",
	} {
		if got := r.String(); got != want {
			t.Errorf("%d reads %q, want %q", r, got, want)
		}
	}
}
