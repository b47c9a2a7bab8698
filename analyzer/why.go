package analyzer

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// place is the flag for FILE:LINE. It refuses what is none at once. A column may
// follow, as in findings; it is left out.
type place struct{ s *string }

func (p *place) String() string {
	if p.s == nil {
		return "" // package flag asks a zero value
	}
	return *p.s
}

func (p *place) Set(s string) error {
	file, line, err := splitPlace(s)
	if err != nil {
		return err
	}
	*p.s = fmt.Sprintf("%s:%d", file, line)
	return nil
}

// column is what follows FILE:LINE where a finding stands.
var column = regexp.MustCompile(`(:\d+):\d+:?$`)

// splitPlace takes FILE:LINE apart, and FILE:LINE:COLUMN.
func splitPlace(s string) (file string, line int, err error) {
	s = column.ReplaceAllString(s, "$1")
	i := strings.LastIndexByte(s, ':')
	if i <= 0 {
		return "", 0, fmt.Errorf("%q is not FILE:LINE", s)
	}
	line, err = strconv.Atoi(s[i+1:])
	if err != nil || line < 1 {
		return "", 0, fmt.Errorf("%q does not end in the number of a line", s)
	}
	return s[:i], line, nil
}
