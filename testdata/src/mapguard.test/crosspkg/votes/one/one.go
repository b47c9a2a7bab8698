// Package one takes the lock.
package one

import "mapguard.test/crosspkg/votes/cache"

// AddOk counts under the lock.
func AddOk(k string) { // want AddOk:`writes Other under Gate`
	cache.Gate.Lock()
	defer cache.Gate.Unlock()
	cache.Other[k]++
}

func addOk(k string) {
	cache.Mu.Lock()
	defer cache.Mu.Unlock()
	cache.M[k]++
}
