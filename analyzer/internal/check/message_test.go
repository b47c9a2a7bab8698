package check

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestFit(t *testing.T) {
	long, short := strings.Repeat("ä", MaxMessage+1), strings.Repeat("ö", MaxMessage)
	for _, test := range []struct {
		forms []string
		want  string
	}{
		{[]string{"c.m is read here", "c.m"}, "c.m is read here"},
		{[]string{long, short}, short},
		{[]string{long, "c.m"}, "c.m"},
		{[]string{long}, strings.Repeat("ä", MaxMessage-1) + "…"},
	} {
		got := Fit(test.forms...)
		if got != test.want {
			t.Errorf("Fit(%q) = %q, want %q", test.forms, got, test.want)
		}
		if n := utf8.RuneCountInString(got); n > MaxMessage {
			t.Errorf("Fit(%q) has %d characters", test.forms, n)
		}
	}
}
