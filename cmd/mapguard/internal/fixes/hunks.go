package fixes

import (
	"regexp"
	"strconv"
	"strings"
)

// header is the first line of a hunk. Each count is 1 where it is left out.
var header = regexp.MustCompile(`^@@ -(\d+)(?:,(\d+))? \+(\d+)((?:,(\d+))?) @@\n?$`)

// renumbered returns a unified diff whose hunks say where they begin in the new file. The library
// does not count the lines between two edits of one hunk there, so that those behind it come out too
// low. Lines that begin with @@ are headers: all others have a sign or a space in front.
func renumbered(diff string) string {
	var b strings.Builder
	more := 0 // lines that the hunks before have added
	for line := range strings.Lines(diff) {
		m := header.FindStringSubmatch(line)
		if m == nil {
			b.WriteString(line)
			continue
		}
		from, was, now := number(m[1], 0), number(m[2], 1), number(m[5], 1)
		to := from + more
		switch {
		case was == 0 && now > 0:
			to++ // behind the line that is named
		case now == 0 && was > 0:
			to--
		}
		b.WriteString(line[:strings.IndexByte(line, '+')+1] + strconv.Itoa(to) + m[4] + " @@\n")
		more += now - was
	}
	return b.String()
}

func number(digits string, otherwise int) int {
	if n, err := strconv.Atoi(digits); err == nil {
		return n
	}
	return otherwise
}
