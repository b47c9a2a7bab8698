// Package readmaps has maps of maps that are complete when they are put in; nothing in the package changes such a map.
package readmaps

import (
	"mime"
	"strings"
	"sync"
)

type lexicon struct {
	mu sync.RWMutex

	columns map[string]map[string]int
	labels  sync.Map
	deep    map[string]map[string]map[string]int
	params  map[string]map[string]string // made elsewhere
	direct  map[string]int               // one that is changed, of the same type: only new ones are put there
}

func newLexicon() *lexicon {
	return &lexicon{direct: make(map[string]int)}
}

func (l *lexicon) count(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.direct[name]++
}

// columnsOf numbers the columns of a line.
func columnsOf(line string) map[string]int {
	out := make(map[string]int)
	for i, name := range strings.Split(line, ",") {
		if name != "" {
			out[name] = i
		}
	}
	return out
}

func (l *lexicon) columnOk(line, name string) int {
	l.mu.RLock()
	found, ok := l.columns[line]
	l.mu.RUnlock()
	if !ok {
		found = columnsOf(line)
		l.mu.Lock()
		l.columns[line] = found
		l.mu.Unlock()
	}
	l.mu.RLock()
	defer l.mu.RUnlock()
	return found[name]
}

// A reader is called with what is kept; the implementations only read it.
type reader interface{ read(map[string]string) int }

type wordCount struct{ n int }

func (c wordCount) read(m map[string]string) int { return len(m) + c.n }

func (l *lexicon) labelsOk(r reader, name, of string) int {
	got, ok := l.labels.Load(name)
	if !ok {
		got = map[string]string{"name": name}
		if of != "" {
			got.(map[string]string)["of"] = of
		}
		l.labels.Store(name, got)
	}
	return r.read(got.(map[string]string))
}

// wordsOk makes one for each line anew.
func (l *lexicon) wordsOk(lines []string) (n int) {
	for _, line := range lines {
		l.mu.RLock()
		found, ok := l.columns[line]
		l.mu.RUnlock()
		if !ok {
			made := map[string]int{}
			for _, w := range strings.Fields(line) {
				made[w] = len(w)
			}
			found = made
			l.mu.Lock()
			l.columns[line] = made
			l.mu.Unlock()
		}
		l.mu.RLock()
		n += found[line]
		l.mu.RUnlock()
	}
	return n
}

func (l *lexicon) deepOk(line string) int {
	l.mu.RLock()
	found, ok := l.deep[line]
	l.mu.RUnlock()
	if !ok {
		found = map[string]map[string]int{"columns": columnsOf(line)}
		l.mu.Lock()
		l.deep[line] = found
		l.mu.Unlock()
	}
	l.mu.RLock()
	defer l.mu.RUnlock()
	return found["columns"]["id"]
}

func (l *lexicon) paramOk(line, name string) string {
	l.mu.RLock()
	found, ok := l.params[line]
	l.mu.RUnlock()
	if !ok {
		_, found, _ = mime.ParseMediaType(line)
		l.mu.Lock()
		l.params[line] = found
		l.mu.Unlock()
	}
	l.mu.RLock()
	defer l.mu.RUnlock()
	return found[name]
}
