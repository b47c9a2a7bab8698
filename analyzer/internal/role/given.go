package role

import "regexp"

// A function's documentation can say of what it gives, not of the function, that it is safe for concurrent use: "returns
// a list that is safe …", "wraps a function to be threadsafe". Then a verb with an object stands before the words, in
// their clause, and they belong to the object.

// clauseEnd matches what ends a clause. A comma in brackets ends none.
var clauseEnd = regexp.MustCompile(`(?i)[.;:!?](?:\s|$)|,[^()]*$|\n\s*\n|\b(?:and|but|so|because|since|while)\s`)

// belongs matches what joins the words to the noun before them.
var belongs = regexp.MustCompile(`(?i)\b(?:(?:that|which)\s+(?:is|are|will\s+be|can\s+be)|to\s+be)\s+(?:\w+\s+)?$`)

// hasObject matches a clause that begins with a verb, after its subject, and the object of the verb.
var hasObject = regexp.MustCompile(`(?i)^\W*(?:[\w.*()]+\s+){1,3}?(?:an?|the|its|all|every|each|any|given|this)\s+[a-z]`)

// ofSubject matches a clause that tells what the function is, or of the way in which it does something: what follows
// is said of the function then.
var ofSubject = regexp.MustCompile(`(?i)(?:^|\s)(?:is|are|was|be|been|has|have|needs?|ought|must|can|may|should)\s|\bin\s+an?\s+(?:\w+\s+)?(?:way|manner|fashion)\b`)

// ofGiven reports whether a function's documentation has some words only where it says them of what the function gives,
// or makes of what it gets.
func ofGiven(doc string, words *regexp.Regexp) bool {
	found := words.FindAllStringIndex(doc, -1)
	for _, at := range found {
		clause := doc[:at[0]]
		if ends := clauseEnd.FindAllStringIndex(clause, -1); len(ends) > 0 {
			clause = clause[ends[len(ends)-1][1]:]
		}
		joint := belongs.FindStringIndex(clause)
		if joint == nil {
			return false
		}
		if rest := clause[:joint[0]]; !hasObject.MatchString(rest) || ofSubject.MatchString(rest) {
			return false
		}
	}
	return len(found) > 0
}
