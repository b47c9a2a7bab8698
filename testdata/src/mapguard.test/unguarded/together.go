package unguarded

// What one function does to several package-level maps without a lock is one finding, and so is
// what all do to one of them: one lock does for all.

var (
	wordsOf   map[string]int
	pagesOf   map[string]int
	shelvesOf map[string]int
)

// Reset begins anew.
func Reset() {
	wordsOf = make(map[string]int) // a part of the finding on the other access
	pagesOf = make(map[string]int)
	shelvesOf = make(map[string]int)
}

// CountWordBad decides on one of them, too.
func CountWordBad(w string) {
	wordsOf[w]++ // want `wordsOf is read here, then written`
}

// CountPageBad is one finding, too.
func CountPageBad(p string) {
	pagesOf[p]++ // want `pagesOf is read here, then written`
	shelvesOf[p]++
}
