package driver

import "testing"

func TestInjects(t *testing.T) {
	for src, want := range map[string]bool{
		"//go:build wireinject\n\npackage p\n":                         true,
		"// A comment.\n\n//go:build wireinject && linux\n\npackage p": true,
		"//go:build !wireinject\n\npackage p\n":                        false,
		"//go:build !linux\n\npackage p\n":                             false,
		"//go:build linux\n\npackage p\n":                              false,
		"package p\n\n//go:build wireinject\n":                         false,
		"":                                                             false,
	} {
		if got := injects([]byte(src)); got != want {
			t.Errorf("%q: %t", src, got)
		}
	}
}
