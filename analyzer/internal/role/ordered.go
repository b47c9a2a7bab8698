package role

import (
	"regexp"
	"strings"
)

// The parts of a sentence that says why a function takes no lock: that it needs none, and an order which is the reason. That it
// needs none since it only reads, say, gives no order.
const (
	noLock = `(?:(?:\bneed(?:s|ed)?\s+(?:not|no)|(?:\b(?:not|no)|n['’]t)\s+(?:to\s+)?(?:need(?:ed)?|requir(?:e|ed)|necessary)|\bneedn['’]t|\bno\s+need|\bwithout)\b[^;]{0,40}?\b(?:lock(?:s|ed|ing)?|mutex|mu|mtx)\b` +
		`|\bno\s+(?:\w+\s+)?(?:lock(?:ing)?|mutex)\b[^;]{0,20}?\b(?:needed|necessary|required)\b|\b(?:lock(?:ing)?|mutex)\b[^;]{0,10}?(?:\bnot|n['’]t)\s+(?:needed|necessary|required)\b)`
	alone = `(?:\b(?:outside|out)\s+(?:of\s+)?(?:the\s+)?(?:scope|time|phase)\b|\b(?:after|before|once)\s+(?:all|every|any|the\s+last|the\s+first)\b|\bno\s+(?:other|more)\s+\w+|\b(?:nobody|no[ -]?one|nothing)\s+else\b` +
		`|\b(?:not|n['’]t)\b[^;]{0,20}?\b(?:yet|any\s+more|anymore)\b|\bno\s+longer\b|\b(?:all|every)\b[^;]{0,40}?\b(?:have|has|are|is)\s+(?:already\s+|by\s+(?:now|then)\s+)?(?:finished|ended|done|stopped|returned|gone|over)\b)`
)

var ordered = regexp.MustCompile(`(?i)` + alone + `[^;]*?(?:\b(?:so|thus|hence|therefore)\b|;)[^;]*?` + noLock +
	`|` + noLock + `[^;]*?(?:\b(?:because|since|as)\b|[:–—])[^;]*?` + alone)

// needWords are such that each sentence that says that no lock is needed has one of them.
var needWords = []string{"need", "requir", "necessary", "without"}

// saysOrdered reports whether the comment at the beginning of a body says that the code needs no lock, because of an order.
func saysOrdered(head string) bool {
	for _, s := range strings.Split(strings.Join(strings.Fields(head), " "), ". ") {
		if hasOne(strings.ToLower(s), needWords) && ordered.MatchString(s) {
			return true
		}
	}
	return false
}
