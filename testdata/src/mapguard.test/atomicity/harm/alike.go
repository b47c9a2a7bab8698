package harm

import "sync"

// What two goroutines make alike is the same, whichever of the two the map keeps.

// A sheet is a generated message: data, with a mark against copies.
type sheet struct {
	state [0]sync.Mutex
	Title string
	Pages []int
}

func (*sheet) ProtoMessage() {}

func (*sheet) Reset() {}

// A roughCopy is one, too, and is written to once the map has it.
type roughCopy struct {
	Title string
	Pages []int
}

func (*roughCopy) ProtoMessage() {}

type binder struct {
	mu     sync.RWMutex
	sheets map[string]*sheet
	rough  map[string]*roughCopy
	all    map[string][]page
	calls  map[string]func(string) bool
	counts map[string]func() int
}

type page struct{ of *sheet }

func readSheet(title string) *sheet { return &sheet{Title: title, Pages: []int{1}} }

// A message that is written here says what its writer has to say, and who comes second
// says something else.
func (b *binder) claimBad(title string, pages []int) bool {
	b.mu.RLock()
	_, ok := b.sheets[title]
	b.mu.RUnlock()
	if ok {
		return false
	}
	s := &sheet{Title: title, Pages: pages}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.sheets[title] = s // want `split-lock: .*b\.sheets`
	return true
}

func (b *binder) sheetOk(title string) *sheet {
	b.mu.RLock()
	s, ok := b.sheets[title]
	b.mu.RUnlock()
	if ok {
		return s
	}
	s = readSheet(title)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.sheets[title] = s
	return s
}

func (b *binder) roughBad(title string) *roughCopy {
	b.mu.RLock()
	d, ok := b.rough[title]
	b.mu.RUnlock()
	if ok {
		return d
	}
	d = &roughCopy{Title: title}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.rough[title] = d // want `split-lock: .*b\.rough`
	return d
}

// add writes to the one that it was given, which may not be the map's.
func (b *binder) add(title string) {
	d := b.roughBad(title)
	b.mu.Lock()
	defer b.mu.Unlock()
	d.Pages = append(d.Pages, len(d.Pages))
}

func (b *binder) pagesOk(title string) []page {
	b.mu.RLock()
	p, ok := b.all[title]
	b.mu.RUnlock()
	if ok {
		return p
	}
	p = []page{{&sheet{Title: title}}}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.all[title] = p
	return p
}

// The literal knows a parameter alone.
func (b *binder) callOk(title string) func(string) bool {
	b.mu.RLock()
	f, ok := b.calls[title]
	b.mu.RUnlock()
	if ok {
		return f
	}
	f = func(s string) bool { return s == title }
	b.mu.Lock()
	defer b.mu.Unlock()
	b.calls[title] = f
	return f
}

// This one counts for itself.
func (b *binder) countBad(title string) func() int {
	b.mu.RLock()
	f, ok := b.counts[title]
	b.mu.RUnlock()
	if ok {
		return f
	}
	n := 0
	f = func() int { n++; return n }
	b.mu.Lock()
	defer b.mu.Unlock()
	b.counts[title] = f // want `split-lock: .*b\.counts`
	return f
}
