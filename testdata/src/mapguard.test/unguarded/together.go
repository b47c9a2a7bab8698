package unguarded

// What one function does to several package-level maps without a lock is one finding:
// one lock does for all of them.

var (
	wordsOf   map[string]int
	pagesOf   map[string]int
	shelvesOf map[string]int
)

// ResetBad begins anew.
func ResetBad() {
	wordsOf = make(map[string]int) // want `wordsOf is assigned without a lock`
	pagesOf = make(map[string]int)
	shelvesOf = make(map[string]int)
}

// CountWordBad is another finding: it is another function's.
func CountWordBad(w string) {
	wordsOf[w]++ // want `wordsOf is read here, then written`
}

// CountPageBad is one finding, too.
func CountPageBad(p string) {
	pagesOf[p]++ // want `pagesOf is read here, then written`
	shelvesOf[p]++
}
