package syncmap

import "sync"

var hits sync.Map

// The helper that looks is in another file.
func CountBad(k string) {
	n := number(&hits, k)
	hits.Store(k, n+1) // want `sync-map: access at counter\.go:7 and Store here on hits are two steps`
}
