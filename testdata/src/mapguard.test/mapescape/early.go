package mapescape

import "sync"

// Ledgers has books of entries. It is safe for concurrent use.
type Ledgers struct {
	mu    sync.Mutex
	books map[string]map[string]int // guarded by mu
	names map[string]int            // guarded by mu
}

// Enter writes an entry.
func (l *Ledgers) Enter(book, k string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.books[book] == nil {
		l.books[book] = make(map[string]int)
	}
	l.books[book][k]++
	l.names[k]++
}

// BookBad returns early where there is none.
func (l *Ledgers) BookBad(book string) map[string]int {
	l.mu.Lock()
	defer l.mu.Unlock()
	b, ok := l.books[book]
	if !ok {
		return nil
	}
	return b // want `map-escape: l\.books\[…\] is returned itself`
}

// NamesBad returns an empty map for those who may not see it.
func (l *Ledgers) NamesBad(may bool) map[string]int {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !may {
		return map[string]int{}
	}
	return l.names // want `map-escape: l\.names is returned itself`
}

// CopyOk returns early, too, and else a copy.
func (l *Ledgers) CopyOk(may bool) map[string]int {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !may {
		return nil
	}
	out := make(map[string]int, len(l.names))
	for k, n := range l.names {
		out[k] = n
	}
	return out
}

// DrainOk returns the map that it has taken out.
func (l *Ledgers) DrainOk() map[string]int {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.names) == 0 {
		return nil
	}
	out := l.names
	l.names = make(map[string]int)
	return out
}

// FP_detachOk gives the map away for good: the deferred call puts another one into its place, in the
// same section. What a deferred call assigns is not held against what the function returns.
func (l *Ledgers) FP_detachOk(may bool) map[string]int {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !may {
		return nil
	}
	defer func() { l.names = map[string]int{} }()
	return l.names // want `map-escape: l\.names is returned itself`
}

func (l *Ledgers) rename(names *map[string]int) {
	out := make(map[string]int, len(*names))
	for k, n := range *names {
		out[k] = n
	}
	*names = out
}

// CopyLaterOk returns what a deferred call has made of it.
func (l *Ledgers) CopyLaterOk(may bool) (names map[string]int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !may {
		return nil
	}
	defer l.rename(&names)
	names = l.names
	return names
}
