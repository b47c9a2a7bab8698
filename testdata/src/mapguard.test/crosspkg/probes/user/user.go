package user

import "mapguard.test/crosspkg/probes/lib"

func FitOk() (n int) { // want FitOk:"reads states"
	for _, s := range lib.States() {
		if s.Fit {
			n++
		}
	}
	return n
}

func NamedOk(name string) bool { // want NamedOk:"reads states"
	return lib.States()[name].Fit
}

func SeenBad() (n int) { // want SeenBad:"reads seen"
	for _, s := range lib.SeenBad("a") { // want `unguarded-access: lib.seen is ranged over without seenMu`
		if s.Fit {
			n++
		}
	}
	return n
}
