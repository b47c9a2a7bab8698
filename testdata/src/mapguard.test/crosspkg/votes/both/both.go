// Package both is the first that imports the two that disagree.
package both

import (
	"mapguard.test/crosspkg/votes/one"
	"mapguard.test/crosspkg/votes/two"
)

// FN_DisagreementBad uses both: that they disagree is not reported, as only
// guards travel, and not the votes of packages that do not own the map.
// It would take votes of packages that do not own the map in their facts, which
// grow with each user of it.
func FN_DisagreementBad() { // want FN_DisagreementBad:`writes Other under Gate; reads Other; writes Other`
	one.AddOk("a")
	two.AddBad("a")
}
