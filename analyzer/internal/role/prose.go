package role

import (
	"regexp"
	"slices"
	"strings"
)

// A proseRow says which role documentation gives.
type proseRow struct {
	role Roles
	says *regexp.Regexp
	// unless: text that takes it back.
	unless *regexp.Regexp
	// funcs: only of a function does it mean so.
	funcs bool
	// words are such that each text that says it has at least one of them, in
	// lower case. Most documentation has none, and needs no closer look.
	words []string
}

// unsafeDoc is documentation that says "one goroutine at a time".
var unsafeDoc = regexp.MustCompile(`(?i)(?:\bnot|\bnever|n't)\b[^.]{0,30}\b(?:safe|thread[- ]?safe|goroutine[- ]?safe)|\bnon?[- ](?:thread|goroutine|concurren\w+)[- ]?safe|\b(?:thread|goroutine|concurrency)[- ]unsafe|\bunsafe for|\b(?:not|never|n't) (?:be )?(?:called|used|invoked|run|accessed) (?:concurrently|simultaneously|from (?:several|multiple|many|different) goroutines)`)

// emphasis are the marks around words that are to stand out: _not safe_, **not**.
var emphasis = regexp.MustCompile(`(^|[\s(])[_*]+(\w)`)

// toDo is text that ends in a sentence of what remains to be done, in the paragraph that begins so: an empty line ends it,
// with the mark of a comment before it or without.
var toDo = regexp.MustCompile(`\b(?:TODO|FIXME|XXX)\b(?:[^.\n]|\n(?://|[ \t]*\*)?[ \t]*[^\s/*]|\.\S)*(?:\n(?://|[ \t]*\*)?[ \t]*)?$`)

// atOnce are the words for "at the same time".
var atOnce = []string{"concurrently", "simultaneously", "goroutines"}

// lockedByUsers is documentation of a type that is to be locked by those who use it.
var lockedByUsers = regexp.MustCompile(`(?i)\b(?:must|should|needs? to|has to|have to)[\s/]+(?:only[\s/]+)?be[\s/]+(?:\w+[\s/]+){1,3}(?:with|under|while)\b[^.]*\b(?:held|locked|lock)\b|\bmust[\s/]+be[\s/]+locked[\s/]+(?:before|while|when)\b`)

// prose is the table of what documentation says. What it says of the time of a
// call, that is OnceBefore, needs the sentence around it: see [onceBefore].
var prose = []proseRow{
	{role: CallerLocks, funcs: true, words: []string{"+checklocks"}, says: regexp.MustCompile(`\+checklocks(?:read)?:`)},
	// The annotations of Clang's thread safety analysis, which go with GUARDED_BY, under their old names and their new one.
	{role: CallerLocks, funcs: true, words: []string{"locks_required", "requires"}, says: regexp.MustCompile(`\b(?:(?:EXCLUSIVE_|SHARED_)?LOCKS_REQUIRED|REQUIRES(?:_SHARED)?)\([^!]`)},
	{
		role: CallerLocks, funcs: true,
		words:  []string{"lock", "hold", "held", "mutex", "acquired", "safe"},
		says:   regexp.MustCompile(`(?i)\b(?:must|should|needs? to|has to|have to|is expected to|assum\w*|requires?|expects?)\b[^.]*\b(?:held|hold|holds|holding|locked|lock)\b|\bcallers?\b[^.]*\b(?:hold|holds|lock|locks|locked|holding)\b|\b(?:since|because|as)\b[^.]{0,40}\bis (?:already )?(?:held|locked) by (?:the|its) callers?\b|\b(?:called|call|invoked|used)\b[^.]*\b(?:with|under|while|when|after)\b[^.]*\b(?:lock|locked|held|mutex|holding)\b|\b(?:lock|mutex|mu|mtx)\b[^.]*\b(?:is|already|be)\b[^.]*\b(?:held|acquired|locked)\b|\bnot (?:thread|goroutine)[- ]?safe\b`),
		unless: regexp.MustCompile(`(?i)\bcallers?\b[^.]*\b(?:ask|asks|asking|compete|race|try|tries|trying|wait|waits|waiting|want|wants)\b[^.]*\block\b|\b(?:not|never|needn't|mustn't|don't|shouldn't)\b[^.]{0,40}\b(?:held|hold|holding|locked|lock)\b|\bwithout\s+(?:holding|the|any|a)?\s*(?:\w+\s+)?(?:\w+\.)*(?:lock|mutex|mu)\b`),
	},
	{
		role:   Concurrent,
		words:  []string{"safe"},
		says:   regexp.MustCompile(`(?i)\b(?:safe for (?:concurrent|simultaneous|parallel)|(?:goroutine|thread|concurrency)[- ]?safe|concurrent[- ]safe|safe (?:for|to)\b[^.;,]{0,40}\b(?:concurrently|simultaneously|(?:multiple|several|many|different|concurrent) (?:goroutines|threads)))`),
		unless: unsafeDoc,
	},
	{
		role:   Concurrent,
		words:  atOnce[:2],
		says:   regexp.MustCompile(`(?i)(?:^|[^r] )(?:all |its |the )?methods (?:may|can) be called (?:concurrently|simultaneously)`),
		unless: unsafeDoc,
	},
	{
		role: Concurrent, funcs: true,
		words:  atOnce,
		says:   regexp.MustCompile(`(?i)\b(?:may|can|is|be) (?:be )?(?:called|used|invoked) (?:concurrently|simultaneously|from (?:several|multiple|many|different) goroutines)`),
		unless: unsafeDoc,
	},
	{role: NotConcurrent, words: append([]string{"safe"}, atOnce...), says: unsafeDoc},
}

// said returns the roles that a text gives: the documentation of the function
// of that name, or, without a name, of a type or a field.
func said(name, doc string) Roles {
	if doc == "" {
		return 0
	}
	doc = emphasis.ReplaceAllString(doc, "$1$2")
	var out Roles
	lower := strings.ToLower(doc)
	for i := range prose {
		row := &prose[i]
		if row.funcs && name == "" || !hasOne(lower, row.words) || !row.says.MatchString(doc) {
			continue
		}
		if row.role == Concurrent && name != "" && ofGiven(doc, row.says) {
			continue
		}
		if row.unless == nil || !row.unless.MatchString(doc) {
			out |= row.role
			if row.role == Concurrent && toDo.MatchString(doc[:row.says.FindStringIndex(doc)[0]]) {
				out |= Wished
			}
		}
	}
	if name == "" && out.Has(Concurrent) && lockedByUsers.MatchString(doc) {
		out &^= Concurrent // it is safe for those who lock it
	}
	if name != "" && !out.Has(Concurrent) && mayBeEarly(lower) && onceBefore(name, doc) {
		out |= OnceBefore
	}
	return out
}

// hasOne reports whether a text has one of the words.
func hasOne(text string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
}
