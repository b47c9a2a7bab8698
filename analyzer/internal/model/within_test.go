package model

import "testing"

func TestRunsWithin(t *testing.T) {
	for name, want := range map[string]bool{
		"io/fs.WalkDir":                         true,
		"path/filepath.Walk":                    true,
		"slices.DeleteFunc":                     true,
		"strings.Map":                           true,
		"(*regexp.Regexp).ReplaceAllStringFunc": true,
		"maps.Collect":                          true,
		"go/ast.Inspect":                        true,
		"slices.Values":                         false, // takes no function
		"reflect.MakeFunc":                      false, // what it gives has the function
		"maps.Keys":                             false,
		"time.AfterFunc":                        false, // in a goroutine
		"(*net/http.Server).RegisterOnShutdown": false,
		"sync.OnceFunc":                         false,
		"strings.Contains":                      false,
	} {
		fn := functions(t, packageOf(name))[name]
		if fn == nil {
			t.Errorf("there is no %s", name)
			continue
		}
		if got := Lookup(fn).Kind == RunNow; got != want {
			t.Errorf("Lookup(%s) runs its function at once: %v, want %v", name, got, want)
		}
	}
}
