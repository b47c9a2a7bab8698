package role

import (
	"regexp"
	"strings"
)

// What the comments and names of locks, and of what they guard, say.
var (
	guardedBy = regexp.MustCompile(`(?i)\b(?:guarded|protected|locked|synchroni[sz]ed|covered)\s+(?:by|with|under|using)\s+(?:the\s+)?([\w.]+)|\+checklocks:([\w.]+)|GUARDED_BY\(([\w.]+)\)|mapguard:guardedby\s+([\w.]+)`)
	protects  = regexp.MustCompile(`(?i)\b(?:protect|guard|cover)(?:s|ing)?\b|\b(?:locks?|synchroni[sz]es?|seriali[sz]es?|controls?)\s+(?:all\s+)?(?:access|reads|writes)|^[\s/*]*(?:\w+ )?(?:is )?for\b|^[\s/*]*locks\b|\b(?:held|hold|taken)\b.*\b(?:access|read|writ|chang|us)`)
	across    = regexp.MustCompile(`(?i)\bheld\s+(?:all\s+)?(?:from|across|until|throughout)\b`)
	notHeld   = regexp.MustCompile(`(?i)(?:\bnot|\bnever|n't)\s+(?:be\s+)?held\b`)
	sentences = regexp.MustCompile(`[.;](?:\s|$)`)
	wholeHat  = regexp.MustCompile(`(?i)\b(?:protect|guard)(?:s|ing)?\b.*\b(?:following|below|all|everything|rest|these|fields)\b`)
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

// HeldAcross reports whether a comment on a mutex says that it is held over
// more than the accesses, from the look until the insertion or across a call, and
// nowhere that it is not held.
func HeldAcross(text string) bool {
	text = strings.Join(strings.Fields(text), " ")
	return across.MatchString(text) && !notHeld.MatchString(text)
}

// ProtectsHat reports whether a comment on a mutex says that it guards the
// fields that follow it.
func ProtectsHat(text string) bool { return wholeHat.MatchString(text) }

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
	switch {
	case b == '_', b >= '0' && b <= '9', b >= 'a' && b <= 'z', b >= 'A' && b <= 'Z':
		return true
	}
	return false
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
	switch {
	case len(s) >= 4 && (strings.HasPrefix(n, s) || strings.HasSuffix(n, s)):
		return true
	case len(n) >= 4 && strings.HasPrefix(s, n):
		return true
	}
	return s == n
}

// NamedExactlyFor reports whether the lock's name is the map's with a word for
// a lock added.
func NamedExactlyFor(lock, name string) bool {
	return strings.HasPrefix(lock, name) && NamedFor(lock, name)
}

// NamedPartlyFor reports whether the lock's name is made from a part of the map's
// name alone, or from more than that: backendsMu beside removedBackends.
func NamedPartlyFor(lock, name string) bool {
	return NamedFor(lock, name) && fold(lockWords.ReplaceAllString(lock, "")) != fold(name)
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
