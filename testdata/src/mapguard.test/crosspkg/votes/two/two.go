// Package two forgets the lock.
package two

import "mapguard.test/crosspkg/votes/cache"

func addBad(k string) {
	cache.M[k]++ // want `check-then-act: .*cache\.M`
}

// AddBad counts without the lock that package one takes. Alone, this package
// only knows that the map is package-level.
func AddBad(k string) bool { // want AddBad:`reads Other; writes Other`
	if _, ok := cache.Other[k]; ok { // want `check-then-act: .*cache\.Other.*medium`
		return false
	}
	cache.Other[k] = 1
	return true
}
