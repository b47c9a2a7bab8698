// Package store declares a map and its lock for package fold.
package store

import "sync"

// Mu protects ByName.
var Mu sync.Mutex

// ByName holds the sizes.
var ByName = map[string]int{}
