package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/mapguard/mapguard/reference/lifecycle"
)

// arguments is what stands on the command line after a command.
type arguments struct {
	words []string
	flags *flag.FlagSet
}

// list is a flag that can be given again and again.
type list []string

// String returns the list in one line.
func (l *list) String() string { return strings.Join(*l, ",") }

// Set adds a value to the list.
func (l *list) Set(value string) error {
	*l = append(*l, value)
	return nil
}

// parse reads the flags, which may stand before, between and after the names,
// and returns the names, of which there must be at least and at most so many; a
// negative most is no bound.
func (a *arguments) parse(least, most int) ([]string, error) {
	var names []string
	rest := a.words
	for {
		if err := a.flags.Parse(rest); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				return nil, err
			}
			return nil, errUsage
		}
		if a.flags.NArg() == 0 {
			break
		}
		names = append(names, a.flags.Arg(0))
		rest = a.flags.Args()[1:]
	}
	if len(names) < least || most >= 0 && len(names) > most {
		fmt.Fprintf(a.flags.Output(), "%s: wrong number of arguments; see planner -h\n", a.flags.Name())
		return nil, errUsage
	}
	return names, nil
}

// pair splits name=value.
func pair(text string) (name, value string, ok bool) {
	name, value, ok = strings.Cut(text, "=")
	return strings.TrimSpace(name), value, ok
}

// eachLine calls do with the words of each line of in that has any. A line that
// begins with # is a comment.
func eachLine(in io.Reader, do func(words []string) error) error {
	lines := bufio.NewScanner(in)
	for number := 1; lines.Scan(); number++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		words, err := split(line)
		if err == nil {
			err = do(words)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
	}
	return lines.Err()
}

// split splits a line into words, at blanks that are not within quotation
// marks. It goes by bytes: what is no text stays as it is, for the command to
// refuse.
func split(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	begun, quoted := false, false
	for i := range len(line) {
		switch char := line[i]; {
		case char == '"':
			begun, quoted = true, !quoted
		case !quoted && (char == ' ' || char == '\t'):
			if begun {
				words = append(words, word.String())
				word.Reset()
			}
			begun = false
		default:
			begun = true
			word.WriteByte(char)
		}
	}
	if quoted {
		return nil, fmt.Errorf("a quotation mark is not closed: %s", line)
	}
	if begun {
		words = append(words, word.String())
	}
	return words, nil
}

// lockedWriter lets several goroutines write to one stream.
type lockedWriter struct {
	// mu protects to.
	mu sync.Mutex
	to io.Writer
}

// Write writes text, when no one else writes.
func (w *lockedWriter) Write(text []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.to.Write(text)
}

// printableWriter writes what a terminal can show of a text in which there may be
// anything, such as the name of a flag that does not exist.
type printableWriter struct{ to io.Writer }

// Write writes text with a replacement for what cannot be shown.
func (w printableWriter) Write(text []byte) (int, error) {
	if _, err := io.WriteString(w.to, lifecycle.PrintableLines(string(text))); err != nil {
		return 0, err
	}
	return len(text), nil
}
