package model

import (
	"go/types"
	"go/version"
)

// since are the Go versions that brought packages and methods of the standard library.
var since = map[string]string{
	"maps":                      "go1.21",
	"sync.Map.LoadAndDelete":    "go1.15",
	"sync.Map.CompareAndSwap":   "go1.20",
	"sync.Map.CompareAndDelete": "go1.20",
	"sync.Map.Swap":             "go1.20",
	"sync.Map.Clear":            "go1.23",
}

// Since reports whether a version of Go has a package of the standard library, or a method of one; so it does if the
// version is not known.
func Since(goVersion, name string) bool {
	return goVersion == "" || since[name] == "" || version.Compare(goVersion, since[name]) >= 0
}

func isSyncMap(t types.Type) bool { return isNamed(pointee(t), "sync", "Map") }
