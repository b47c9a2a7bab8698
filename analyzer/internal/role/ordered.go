package role

import (
	"regexp"
	"strings"
)

// The parts of a sentence that says why a function takes no lock: that it needs none, and an order which is the reason. That it
// needs none since it only reads, say, gives no order; that it goes without one does not claim that none is needed.
const (
	lockWord = `(?:lock(?:s|ed|ing)?|mutex|mu|mtx)\b`
	noLock   = `(?:(?:\bneed(?:s|ed)?\s+(?:not|no)|(?:\b(?:not|no)|n['’]t)\s+(?:to\s+)?(?:need(?:ed)?|requir(?:e|ed)|necessary)|\bneedn['’]t|\bno\s+need)\s+` +
		`(?:to\s+)?(?:(?:hold|take|acquire|get|grab|use)\s+)?(?:(?:the|a|an|any|our|its|this|read|write)\s+){0,2}(?:\w+\.)*` + lockWord +
		`|\bno\s+(?:\w+\s+)?(?:lock(?:ing)?|mutex)\s+(?:is\s+)?(?:needed|necessary|required)\b|\b(?:lock(?:ing)?|mutex)\b[^;]{0,10}?(?:\bnot|n['’]t)\s+(?:needed|necessary|required)\b)`
)

// Those who could come at the same time, what they have done when they no longer can, and what they do at first. A field or a
// call is none of them.
const (
	actor    = `(?:goroutines?|threads?|callers?|readers?|writers?|workers?|users?|senders?|receivers?|producers?|consumers?|clients?)\b`
	hasEnded = `(?:finished|ended|done|stopped|returned|exited|gone|left|joined|terminated)\b`
	isBegun  = `(?:starts?|started|begins?|begun|runs?|running|launched|created)\b`
	isKnown  = `(?:shared|published|visible|started|running|registered|reachable)\b`
	touch    = `(?:see|know|use|access|touch|read|write|change|hold|reach|run)`
	comes    = `(?:(?:can|could|may|might|will)\s+(?:\w+\s+)?` + touch + `|` + touch + `s|reaches|touches|accesses|is\s+running|(?:has|holds)\s+(?:access|an?|it|the|this))\b`
	alone    = `(?:\b(?:outside|out)\s+(?:of\s+)?(?:the\s+)?(?:scope|time|phase)\s+of\b` +
		`|\b(?:all|every|the\s+last)\s+(?:of\s+)?(?:the\s+|our\s+)?(?:\w+\s+)?` + actor + `[^;]{0,20}?\b(?:have|has|had|are|is)\s+(?:already\s+|been\s+|by\s+(?:now|then)\s+)?` + hasEnded +
		`|\bbefore\s+(?:all|any|the\s+first)\s+(?:\w+\s+)?` + actor + `\s+(?:\w+\s+){0,2}?` + isBegun +
		`|\bno\s+(?:other|more)\s+` + actor + `|\b(?:nobody|no[ -]?one|nothing)\s+else\s+` + comes +
		`|(?:\bnot|n['’]t)\s+(?:\w+\s+){0,2}?` + isKnown + `[^;]{0,20}?\b(?:yet|any\s+more|anymore)\b|\b(?:not\s+yet|no\s+longer)\s+(?:been\s+|being\s+)?` + isKnown + `)`
)

var ordered = regexp.MustCompile(`(?i)` + alone + `[^;]*?\b(?:so|thus|hence|therefore)\b[^;]*?` + noLock +
	`|` + noLock + `[^;]*?\b(?:because|since|as)\b[^;]*?` + alone)

// open is text of what remains to be done, or is wrong: it promises nothing.
var open = regexp.MustCompile(`\b(?:TODO|FIXME|XXX|BUG|HACK)\b|(?i)\bbugs?\b`)

// needWords are such that each sentence that says that no lock is needed has one of them.
var needWords = []string{"need", "requir", "necessary"}

// saysOrdered reports whether the comment at the beginning of a body says that the code needs no lock, because of an order.
func saysOrdered(head string) bool {
	for _, s := range strings.Split(strings.Join(strings.Fields(head), " "), ". ") {
		if hasOne(strings.ToLower(s), needWords) && ordered.MatchString(s) && !open.MatchString(s) {
			return true
		}
	}
	return false
}
