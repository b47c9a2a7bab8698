package role

import "testing"

func TestOfGiven(t *testing.T) {
	for doc, want := range map[string]bool{
		"Wrap wraps a get function (of the form of pkg.Options.Get) to be threadsafe with the store.": false,
		"Keyed returns a list that is safe for concurrent use.":                                       false,
		"Keyed gives the caller its own list, which is safe for concurrent use.":                      true,
		"This function makes each handler to be goroutine-safe.":                                      false,
		"Keyed returns the list. It is safe for concurrent use.":                                      true,
		"Keyed returns the list and is safe for concurrent use.":                                      true,
		"Keyed is safe for concurrent use.":                                                           true,
		"Keyed is a lookup that is safe for concurrent use.":                                          true,
		"Keyed reads the list in a way that is safe for concurrent use.":                              true,
		"Keyed is meant to be threadsafe.":                                                            true,
		"Keyed returns a list that is goroutine-safe. Keyed is goroutine-safe itself.":                true,
		"Safe for concurrent use.":                                                                    true,
	} {
		if got := said("Keyed", doc).Has(Concurrent); got != want {
			t.Errorf("%q: safe for concurrent use: %v, want %v", doc, got, want)
		}
	}
}
