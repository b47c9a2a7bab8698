package model

import (
	"go/types"
	"strings"
	"unicode"
)

// Lasts reports whether a library function is made to wait for what need not come, such as the next
// message, request or event, or the end of something: its name begins with such a word. A function of
// another name asks for one thing, and has an answer or an error in the end.
func Lasts(fn *types.Func) bool {
	first, _ := firstWord(fn.Name())
	return lasting[strings.ToLower(first)] || fn.Signature().Recv() != nil && lastingMethods[strings.ToLower(first)]
}

var (
	lasting = words(`accept await block consume dequeue execute invoke join listen loop next poll pull receive recv run select
		serve sleep stream subscribe tail take wait watch`)
	// Of a function, these read or write a file, or begin something; a method can wait for the other end.
	lastingMethods = words(`read write scan start do call send publish exec handle dispatch notify each range walk visit`)
)

func words(list string) map[string]bool {
	out := make(map[string]bool)
	for w := range strings.FieldsSeq(list) {
		out[w] = true
	}
	return out
}

// firstWord cuts the first word off a name in mixed capitals.
func firstWord(name string) (first, rest string) {
	for i, r := range name {
		if i > 0 && unicode.IsUpper(r) && (i+1 < len(name) && unicode.IsLower(rune(name[i+1])) || unicode.IsLower(rune(name[i-1]))) {
			return name[:i], name[i:]
		}
	}
	return name, ""
}
