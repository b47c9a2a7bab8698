package analyzer

import (
	"fmt"
	"strconv"
	"strings"
)

// place is the flag for FILE:LINE. It refuses what is none at once.
type place struct{ s *string }

func (p *place) String() string {
	if p.s == nil {
		return "" // package flag asks a zero value
	}
	return *p.s
}

func (p *place) Set(s string) error {
	if _, _, err := splitPlace(s); err != nil {
		return err
	}
	*p.s = s
	return nil
}

// splitPlace takes FILE:LINE apart.
func splitPlace(s string) (file string, line int, err error) {
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
