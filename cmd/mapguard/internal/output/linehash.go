package output

import (
	"bytes"
	"strconv"
	"unicode/utf16"
)

// hashed is how many characters, from its start, make a line's hash.
const hashed = 100

// lineHash returns the hash that GitHub's upload action computes for a line and
// complains about when it finds another: of the hundred characters from the
// line's start that are no spaces or tabs, with a counter for equal ones. It is
// empty where there is no such line.
func (s *source) lineHash(line int) string {
	if s == nil {
		return ""
	}
	if s.hashes == nil {
		s.hashes = lineHashes(s.data)
	}
	if line < 1 || line > len(s.hashes) {
		return ""
	}
	return s.hashes[line-1]
}

// lineHashes is the polynomial over 37, modulo 2^64, of a window that starts at
// each line. Every kind of line end counts as a newline; the text ends with
// 65535 and then zeros. O(lines · hashed).
func lineHashes(data []byte) []string {
	var text []uint16
	starts := []int{0}
	for _, c := range utf16.Encode([]rune(string(newlines(data)))) {
		if c == ' ' || c == '\t' {
			continue
		}
		text = append(text, c)
		if c == '\n' {
			starts = append(starts, len(text))
		}
	}
	text = append(text, 65535)
	text = append(text, make([]uint16, hashed)...)
	count := make(map[uint64]int)
	out := make([]string, 0, len(starts))
	for _, start := range starts {
		var h uint64
		for _, c := range text[start : start+hashed] {
			h = h*37 + uint64(c)
		}
		count[h]++
		out = append(out, strconv.FormatUint(h, 16)+":"+strconv.Itoa(count[h]))
	}
	return out
}

func newlines(data []byte) []byte {
	data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	return bytes.ReplaceAll(data, []byte("\r"), []byte("\n"))
}
