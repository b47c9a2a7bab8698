package role

import "testing"

func TestSupportPath(t *testing.T) {
	for within, want := range map[string]bool{
		"":                  false,
		"tests/apps/load":   true,
		"internal/test":     true,
		"pkg/testutil/conn": true,
		"e2e":               true,
		"pkg/latest":        false,
		"contest/tester":    false,
		"attest":            false,
		"network/mocks":     true,
	} {
		if got := supportPath(within); got != want {
			t.Errorf("supportPath(%q) = %v, want %v", within, got, want)
		}
	}
}
