package role

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"testing"
)

// TestWordsOfTheTables holds the quick look at the words to the expressions: a
// text without a word of the row's cannot match the row's expression.
func TestWordsOfTheTables(t *testing.T) {
	for i, row := range prose {
		if !needs(t, row.says, row.words) {
			t.Errorf("row %d of prose matches texts without any of %q", i, row.words)
		}
	}
	for i, re := range early {
		if !needs(t, re, earlyWords) {
			t.Errorf("early[%d] matches texts without any of %q", i, earlyWords)
		}
	}
	for name, re := range map[string]*regexp.Regexp{"neverCalls": neverCalls, "justOnce": justOnce} {
		if !needs(t, re, earlyWords) {
			t.Errorf("%s matches texts without any of %q", name, earlyWords)
		}
	}
	for name, re := range map[string]*regexp.Regexp{"calls": calls, "neverCalls": neverCalls} {
		if !needs(t, re, callWords) {
			t.Errorf("%s matches texts without any of %q", name, callWords)
		}
	}
}

func TestNeeds(t *testing.T) {
	for expr, want := range map[string]bool{
		`held|hold`:       true,
		`\bholding\b.*`:   true,
		`held?`:           false,
		`x(?:held)?`:      false,
		`(?:a|held)`:      false,
		`(?i)[^.]*HOLD\w`: true,
		`h[eo]ld`:         true,
	} {
		if got := needs(t, regexp.MustCompile(expr), []string{"hold", "held"}); got != want {
			t.Errorf("%s needs one of the words: %v, want %v", expr, got, want)
		}
	}
}

// needs reports whether each text that re matches has one of the words.
func needs(t *testing.T, re *regexp.Regexp, words []string) bool {
	t.Helper()
	tree, err := syntax.Parse(re.String(), syntax.Perl)
	if err != nil {
		t.Fatal(err)
	}
	return all(tree, words)
}

func all(re *syntax.Regexp, words []string) bool {
	if texts := texts(re); texts != nil {
		for _, s := range texts {
			if !hasOne(s, words) {
				return false
			}
		}
		return true
	}
	switch re.Op {
	case syntax.OpCapture, syntax.OpPlus:
		return all(re.Sub[0], words)
	case syntax.OpRepeat:
		return re.Min > 0 && all(re.Sub[0], words)
	case syntax.OpAlternate:
		for _, sub := range re.Sub {
			if !all(sub, words) {
				return false
			}
		}
		return true
	case syntax.OpConcat:
		return allOfOne(re, words)
	}
	return false
}

// allOfOne reports whether one part of a concatenation has a word each time,
// or some neighbours together have.
func allOfOne(re *syntax.Regexp, words []string) bool {
	for i := range re.Sub {
		if all(re.Sub[i], words) {
			return true
		}
		for j := i + 2; j <= len(re.Sub); j++ {
			run := &syntax.Regexp{Op: syntax.OpConcat, Sub: re.Sub[i:j]}
			if texts(run) == nil {
				break
			}
			if all(run, words) {
				return true
			}
		}
	}
	return false
}

// many is how many texts of an expression are too many to look at.
const many = 400

// texts returns all texts that re matches, in lower case, or nil where there
// are many.
func texts(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		return []string{strings.ToLower(string(re.Rune))}
	case syntax.OpEmptyMatch, syntax.OpWordBoundary, syntax.OpBeginText, syntax.OpEndText:
		return []string{""}
	case syntax.OpCharClass:
		var out []string
		for i := 0; i < len(re.Rune); i += 2 {
			if re.Rune[i+1]-re.Rune[i] > 1 {
				return nil
			}
			for r := re.Rune[i]; r <= re.Rune[i+1]; r++ {
				out = append(out, strings.ToLower(string(r)))
			}
		}
		return out
	case syntax.OpCapture:
		return texts(re.Sub[0])
	case syntax.OpQuest:
		if sub := texts(re.Sub[0]); sub != nil {
			return append([]string{""}, sub...)
		}
	case syntax.OpAlternate:
		var out []string
		for _, sub := range re.Sub {
			each := texts(sub)
			if each == nil || len(out)+len(each) > many {
				return nil
			}
			out = append(out, each...)
		}
		return out
	case syntax.OpConcat:
		return product(re.Sub)
	}
	return nil
}

// product returns all texts of parts one after the other, or nil where there
// are many.
func product(parts []*syntax.Regexp) []string {
	out := []string{""}
	for _, part := range parts {
		each := texts(part)
		if each == nil || len(out)*len(each) > many {
			return nil
		}
		var next []string
		for _, head := range out {
			for _, tail := range each {
				next = append(next, head+tail)
			}
		}
		out = next
	}
	return out
}
