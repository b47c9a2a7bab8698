package client

import "mapguard.test/crosspkg/store"

var zone store.Zone

// The goroutine is judged by itself.
func dropLaterOk(k string) {
	if zone.Has(k) {
		go zone.Drop(k)
	}
}
