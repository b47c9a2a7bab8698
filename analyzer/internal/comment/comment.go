// Package comment reads what Go code says about its own locking in comments
// and names: which lock guards a field, who must hold it, what is safe for
// concurrent use. It knows text only, no types of the analysis.
package comment

import (
	"regexp"
	"strings"
)

var (
	guardedBy  = regexp.MustCompile(`(?i)\b(?:guarded|protected|locked|synchroni[sz]ed|covered)\s+(?:by|with|under|using)\s+(?:the\s+)?([\w.]+)|\+checklocks:([\w.]+)|GUARDED_BY\(([\w.]+)\)|mapguard:guardedby\s+([\w.]+)`)
	protects   = regexp.MustCompile(`(?i)\b(?:protect|guard|cover)(?:s|ing)?\b|\b(?:locks?|synchroni[sz]es?|seriali[sz]es?|controls?)\s+(?:all\s+)?(?:access|reads|writes)|^[\s/*]*(?:\w+ )?(?:is )?for\b|^[\s/*]*locks\b|\b(?:held|hold|taken)\b.*\b(?:access|read|writ|chang|us)`)
	sentences  = regexp.MustCompile(`[.;](?:\s|$)`)
	wholeHat   = regexp.MustCompile(`(?i)\b(?:protect|guard)(?:s|ing)?\b.*\b(?:following|below|all|everything|rest|these|fields)\b`)
	callerDoc  = regexp.MustCompile(`(?i)\b(?:must|should|needs? to|has to|have to|is expected to|assum\w*|requires?|expects?)\b[^.]*\b(?:held|hold|holds|holding|locked|lock)\b|\bcallers?\b[^.]*\b(?:hold|holds|lock|locks|locked|holding)\b|\b(?:called|call|invoked|used)\b[^.]*\b(?:with|under|while|when|after)\b[^.]*\b(?:lock|locked|held|mutex|holding)\b|\b(?:lock|mutex|mu|mtx)\b[^.]*\b(?:is|already|be)\b[^.]*\b(?:held|acquired|locked)\b|\+checklocks:|\bnot (?:thread|goroutine)[- ]?safe\b`)
	notHeld    = regexp.MustCompile(`(?i)\b(?:not|never|needn't|mustn't|don't|shouldn't)\b[^.]{0,40}\b(?:held|hold|holding|locked|lock)\b|\bwithout\s+(?:holding|the|any|a)?\s*(?:\w+\s+)?(?:lock|mutex|mu)\b`)
	question   = regexp.MustCompile(`^(?i:is|has|was)(?:Un)?Locked$`)
	safeDoc    = regexp.MustCompile(`(?i)\b(?:safe for (?:concurrent|simultaneous|parallel)|(?:goroutine|thread|concurrency)[- ]?safe|concurrent[- ]safe|safe to (?:use|call|be used|be called)[^.]*\b(?:concurrently|simultaneously|multiple goroutines|several goroutines))`)
	methodsDoc = regexp.MustCompile(`(?i)(?:^|[^r] )(?:all |its |the )?methods (?:may|can) be called (?:concurrently|simultaneously)`)
	calledDoc  = regexp.MustCompile(`(?i)\b(?:may|can|is|be) (?:be )?(?:called|used|invoked) (?:concurrently|simultaneously|from (?:several|multiple|many|different) goroutines)`)
	unsafeDoc  = regexp.MustCompile(`(?i)\bnot\b[^.]{0,30}\b(?:safe|thread[- ]?safe|goroutine[- ]?safe)|\bunsafe for|\bisn't safe|\bnever safe|\b(?:not|never|n't) (?:be )?(?:called|used|invoked|run|accessed) (?:concurrently|simultaneously|from (?:several|multiple|many|different) goroutines)`)
)

// GuardedBy returns the lock that a comment on a field or variable names as
// its guard, as written; "" if it names none.
func GuardedBy(text string) string {
	m := guardedBy.FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	for _, g := range m[1:] {
		if g != "" {
			return strings.Trim(g, ".")
		}
	}
	return ""
}

// Protects reports whether a comment on a mutex says that it guards the field
// or variable name.
func Protects(text, name string) bool {
	for _, sentence := range sentences.Split(text, -1) {
		if at := protects.FindStringIndex(sentence); at != nil && hasWord(sentence[at[0]:], name) {
			return true
		}
	}
	return false
}

// ProtectsHat reports whether a comment on a mutex says that it guards the
// fields that follow it.
func ProtectsHat(text string) bool { return wholeHat.MatchString(text) }

// CallerLocks reports whether a function's documentation says that its caller
// holds the lock.
func CallerLocks(text string) bool {
	return strings.Contains(text, "+checklocks:") || callerDoc.MatchString(text) && !notHeld.MatchString(text)
}

// LockedName reports whether a function's name says that its caller holds the
// lock.
func LockedName(name string) bool {
	for _, p := range []string{"Unsafe", "unsafe"} {
		if rest, ok := strings.CutPrefix(name, p); ok && rest != "" && rest[0] >= 'A' && rest[0] <= 'Z' {
			return true
		}
	}
	if question.MatchString(name) {
		return false
	}
	for _, s := range []string{"Locked", "LockHeld", "_locked", "NoLock", "Unlocked", "UnLocked", "WithoutLock", "Unsafe", "_nolock"} {
		if strings.HasSuffix(name, s) && len(name) > len(s) {
			return true
		}
	}
	return false
}

// Concurrent reports whether documentation says that something may be used by
// several goroutines at a time.
func Concurrent(text string) bool {
	return (safeDoc.MatchString(text) || methodsDoc.MatchString(text)) && !unsafeDoc.MatchString(text)
}

// NotConcurrent reports whether documentation says that something must not be
// used by several goroutines at a time.
func NotConcurrent(text string) bool { return unsafeDoc.MatchString(text) }

// ConcurrentFunc is Concurrent for functions, whose documentation may also say
// that they are called concurrently.
func ConcurrentFunc(text string) bool {
	return Concurrent(text) || calledDoc.MatchString(text) && !unsafeDoc.MatchString(text)
}

func hasWord(text, name string) bool {
	for rest := text; ; {
		i := strings.Index(rest, name)
		if i < 0 {
			return false
		}
		before, after := rest[:i], rest[i+len(name):]
		if (before == "" || !isWordByte(before[len(before)-1])) && (after == "" || !isWordByte(after[0])) {
			return true
		}
		rest = after
	}
}

func isWordByte(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}

var lockWords = regexp.MustCompile(`(?i)^(?:rw)?(?:mutex|mutx|mtx|mu|lock|lck|lk|guard|sync)(?:ex)?_?|_?(?:rw)?(?:mutex|mutx|mtx|mu|lock|locker|lck|lk|guard|sync)$`)

// NamedFor reports whether the lock's name is made from the map's name:
// enginesMu, muEngines, engineLock beside engines.
func NamedFor(lock, name string) bool {
	stem := lockWords.ReplaceAllString(lock, "")
	if len(stem) < 3 || stem == lock {
		return false
	}
	s, n := fold(stem), fold(name)
	return s == n || strings.HasPrefix(n, s) && len(s) >= 4 || strings.HasPrefix(s, n) && len(n) >= 4 ||
		strings.HasSuffix(n, s) && len(s) >= 4
}

// fold lowers a name and takes off its plural and the words that say "map".
func fold(name string) string {
	n := strings.ToLower(strings.ReplaceAll(name, "_", ""))
	for _, suffix := range []string{"map", "cache", "byid", "byname"} {
		if len(n) > len(suffix)+2 {
			n = strings.TrimSuffix(n, suffix)
		}
	}
	switch {
	case strings.HasSuffix(n, "ies"):
		return n[:len(n)-3] + "y"
	case strings.HasSuffix(n, "ses"), strings.HasSuffix(n, "xes"), strings.HasSuffix(n, "ches"):
		return n[:len(n)-2]
	case strings.HasSuffix(n, "s") && len(n) > 3:
		return n[:len(n)-1]
	}
	return n
}
