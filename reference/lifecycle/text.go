package lifecycle

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// checkText returns the error that a text cannot be kept, or nil. What a terminal
// takes for a command, and what is no text at all, is refused where it comes in:
// then no listing has to fear it.
func checkText(subject, id, what, text string) error {
	switch {
	case !utf8.ValidString(text):
		return Invalid(subject, id, what+" must be valid UTF-8")
	case strings.ContainsFunc(text, unprintable):
		return Invalid(subject, id, what+" must be one line without control characters")
	}
	return nil
}

// checkTexts checks several texts of one kind.
func checkTexts(subject, id, what string, texts ...string) error {
	for _, text := range texts {
		if err := checkText(subject, id, what, text); err != nil {
			return err
		}
	}
	return nil
}

// unprintable reports whether a terminal would do something else with a
// character than show it.
func unprintable(char rune) bool {
	return unicode.IsControl(char) || unicode.Is(unicode.Bidi_Control, char) || char == '\u2028' || char == '\u2029'
}

// Printable returns text with a replacement for what is no text and for each
// control character, for text that comes from elsewhere and cannot be refused.
func Printable(text string) string { return printable(text, "") }

// PrintableLines is [Printable] for a text of several lines: it keeps their ends,
// and tabs.
func PrintableLines(text string) string { return printable(text, "\n\t") }

// printable makes text printable, but for the characters in keep.
func printable(text, keep string) string {
	return strings.Map(func(char rune) rune {
		if unprintable(char) && !strings.ContainsRune(keep, char) {
			return utf8.RuneError
		}
		return char
	}, strings.ToValidUTF8(text, string(utf8.RuneError)))
}

// NormalName returns the name under which an action is kept, for the name by
// which someone asks for it: in lower case, with dashes, without blanks around it.
func NormalName(name string) string {
	return strings.Map(func(char rune) rune {
		if char == '_' || char == ' ' {
			return '-'
		}
		return unicode.ToLower(char)
	}, strings.TrimSpace(name))
}
