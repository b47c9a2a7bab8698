package harm

import (
	"encoding/json"
	"maps"
	"mime"
	"strings"
	"sync"
	"time"
)

// A map that is complete when it is put in, and that nothing changes then, is what it says: two that are made alike serve alike.

type lexicon struct {
	mu sync.RWMutex

	edited   map[string]map[string]int // an entry's entries are set later
	pruned   map[string]map[string]int // and deleted here
	walked   map[string]map[string]int // found by a walk here
	lent     map[string]map[string]int // given to a function that sets one
	empty    map[string]map[string]int // to be filled by who gets it
	returned map[string]map[string]int // filled by who gets it
	late     map[string]map[string]int // filled once it is put in
	current  map[string]int            // one of the next
	picked   map[string]map[string]int
	asked    map[string]map[string]time.Time // of each its own time
	deepSet  map[string]map[string]map[string]int
	decoded  map[string]map[string]int
	merged   map[string]map[string]int
	ranged   sync.Map
	painted  map[string]map[string]int
	headers  map[string]header
	wired    map[string]map[string]chan int
	fields   map[string]map[string]*lexField // of what does not change either
	marked   map[string]map[string]*lexMark  // of what changes
	cut      map[string]map[string]string    // made elsewhere, and cut here
	given    map[string]map[string]int       // the first caller's
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

func (l *lexicon) editedBad(line string) map[string]int {
	l.mu.RLock()
	found, ok := l.edited[line]
	l.mu.RUnlock()
	if !ok {
		found = columnsOf(line)
		l.mu.Lock()
		l.edited[line] = found // want `split-lock: .*l\.edited`
		l.mu.Unlock()
	}
	return found
}

func (l *lexicon) edit(line, name string, at int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if m := l.edited[line]; m != nil {
		m[name] = at
	}
}

func (l *lexicon) prunedBad(line string) int {
	l.mu.RLock()
	found, ok := l.pruned[line]
	l.mu.RUnlock()
	if !ok {
		found = columnsOf(line)
		l.mu.Lock()
		l.pruned[line] = found // want `split-lock: .*l\.pruned`
		l.mu.Unlock()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(found, "id")
	return len(found)
}

func (l *lexicon) walkedBad(line string) int {
	l.mu.RLock()
	found, ok := l.walked[line]
	l.mu.RUnlock()
	if !ok {
		found = columnsOf(line)
		l.mu.Lock()
		l.walked[line] = found // want `split-lock: .*l\.walked`
		l.mu.Unlock()
	}
	l.mu.RLock()
	defer l.mu.RUnlock()
	return found["id"]
}

func (l *lexicon) walk() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, m := range l.walked {
		clear(m)
	}
}

func (l *lexicon) lentBad(line string) int {
	l.mu.RLock()
	found, ok := l.lent[line]
	l.mu.RUnlock()
	if !ok {
		found = columnsOf(line)
		l.mu.Lock()
		l.lent[line] = found // want `split-lock: .*l\.lent`
		l.mu.Unlock()
	}
	l.mu.RLock()
	defer l.mu.RUnlock()
	return found["id"]
}

func (l *lexicon) lend(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	one(l.lent, line)["one"] = 1
}

func one(all map[string]map[string]int, line string) map[string]int { return all[line] }

func (l *lexicon) emptyBad(line string) map[string]int {
	l.mu.RLock()
	found, ok := l.empty[line]
	l.mu.RUnlock()
	if !ok {
		found = make(map[string]int)
		l.mu.Lock()
		l.empty[line] = found // want `split-lock: .*l\.empty`
		l.mu.Unlock()
	}
	return found
}

func (l *lexicon) returnedBad(line string) map[string]int {
	l.mu.RLock()
	found, ok := l.returned[line]
	l.mu.RUnlock()
	if ok {
		return found
	}
	made := columnsOf(line)
	l.mu.Lock()
	l.returned[line] = made // want `split-lock: .*l\.returned`
	l.mu.Unlock()
	return made
}

func (l *lexicon) fillReturned(line string) {
	m := l.returnedBad(line)
	l.mu.Lock()
	m["here"]++
	l.mu.Unlock()
}

func (l *lexicon) lateBad(line string) int {
	l.mu.RLock()
	_, ok := l.late[line]
	l.mu.RUnlock()
	if ok {
		return 0
	}
	made := map[string]int{"id": 1}
	l.mu.Lock()
	l.late[line] = made // want `split-lock: .*l\.late`
	l.mu.Unlock()
	n := len(line)
	l.mu.Lock()
	made["n"] = n
	l.mu.Unlock()
	return n
}

func (l *lexicon) pickedBad(line string) int {
	l.mu.RLock()
	found, ok := l.picked[line]
	l.mu.RUnlock()
	if !ok {
		found = columnsOf(line)
		l.mu.Lock()
		l.picked[line] = found // want `split-lock: .*l\.picked`
		l.mu.Unlock()
	}
	l.mu.RLock()
	defer l.mu.RUnlock()
	return found["id"]
}

func (l *lexicon) pick(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.current = l.picked[line]
}

func (l *lexicon) setCurrent(name string, at int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.current[name] = at
}

func (l *lexicon) askedBad(line string) time.Time {
	l.mu.RLock()
	found, ok := l.asked[line]
	l.mu.RUnlock()
	if !ok {
		found = map[string]time.Time{line: time.Now()}
		l.mu.Lock()
		l.asked[line] = found // want `split-lock: .*l\.asked`
		l.mu.Unlock()
	}
	l.mu.RLock()
	defer l.mu.RUnlock()
	return found[line]
}

func (l *lexicon) deepSetBad(line string) int {
	l.mu.RLock()
	found, ok := l.deepSet[line]
	l.mu.RUnlock()
	if !ok {
		found = map[string]map[string]int{"columns": columnsOf(line)}
		l.mu.Lock()
		l.deepSet[line] = found // want `split-lock: .*l\.deepSet`
		l.mu.Unlock()
	}
	l.mu.RLock()
	defer l.mu.RUnlock()
	return found["columns"]["id"]
}

func (l *lexicon) setDeep(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if m := l.deepSet[line]["columns"]; m != nil {
		m["id"] = 0
	}
}

func (l *lexicon) decodedBad(line string) int {
	l.mu.RLock()
	found, ok := l.decoded[line]
	l.mu.RUnlock()
	if !ok {
		found = columnsOf(line)
		l.mu.Lock()
		l.decoded[line] = found // want `split-lock: .*l\.decoded`
		l.mu.Unlock()
	}
	l.mu.RLock()
	defer l.mu.RUnlock()
	return found["id"]
}

func (l *lexicon) decode(line string, data []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	m := l.decoded[line]
	return json.Unmarshal(data, &m)
}

func (l *lexicon) mergedBad(line string) int {
	l.mu.RLock()
	found, ok := l.merged[line]
	l.mu.RUnlock()
	if !ok {
		found = columnsOf(line)
		l.mu.Lock()
		l.merged[line] = found // want `split-lock: .*l\.merged`
		l.mu.Unlock()
	}
	l.mu.RLock()
	defer l.mu.RUnlock()
	return found["id"]
}

func (l *lexicon) merge(line string, with map[string]int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if m, ok := l.merged[line]; ok {
		maps.Copy(m, with)
	}
}

func (l *lexicon) rangedBad(line string) int {
	got, ok := l.ranged.Load(line)
	if !ok {
		got = columnsOf(line)
		l.ranged.Store(line, got) // want `sync-map: .*l\.ranged`
	}
	return got.(map[string]int)["id"]
}

func (l *lexicon) reset() {
	l.ranged.Range(func(_, v any) bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		v.(map[string]int)["id"] = 0
		return true
	})
}

// A painter changes what it gets.
type painter interface{ paint(map[string]int) }

type brush struct{}

func (brush) paint(m map[string]int) { m["paint"]++ }

func (l *lexicon) paintedBad(p painter, line string) {
	l.mu.RLock()
	found, ok := l.painted[line]
	l.mu.RUnlock()
	if !ok {
		found = columnsOf(line)
		l.mu.Lock()
		l.painted[line] = found // want `split-lock: .*l\.painted`
		l.mu.Unlock()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	p.paint(found)
}

// A header is a map with a method that sets an entry.
type header map[string]string

func (h header) set(k, v string) { h[k] = v }

func (l *lexicon) headersBad(line string) header {
	l.mu.RLock()
	h, ok := l.headers[line]
	l.mu.RUnlock()
	if !ok {
		h = header{"line": line}
		l.mu.Lock()
		l.headers[line] = h // want `split-lock: .*l\.headers`
		l.mu.Unlock()
	}
	return h
}

func (l *lexicon) setHeader(line string) {
	h := l.headersBad(line)
	l.mu.Lock()
	defer l.mu.Unlock()
	h.set("set", line)
}

// Who waits at a channel that the map of the other goroutine has waits for ever.
func (l *lexicon) wiredBad(line string) int {
	l.mu.RLock()
	found, ok := l.wired[line]
	l.mu.RUnlock()
	if !ok {
		found = map[string]chan int{"in": make(chan int)}
		l.mu.Lock()
		l.wired[line] = found // want `split-lock: .*l\.wired`
		l.mu.Unlock()
	}
	l.mu.RLock()
	in := found["in"]
	l.mu.RUnlock()
	return <-in
}

// Two callers give one name to two things, and the second replaces the first one's.
func (l *lexicon) givenBad(line string, says map[string]int) {
	l.mu.RLock()
	_, ok := l.given[line]
	l.mu.RUnlock()
	if ok {
		return
	}
	made := make(map[string]int, len(says))
	for name, at := range says {
		made[name] = at
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.given[line] = made // want `split-lock: .*l\.given`
}

// A lexField says where a column is, for good.
type lexField struct {
	name string
	at   []int
}

// A lexMark is set later.
type lexMark struct {
	name string
	at   []int
	on   bool
}

func (l *lexicon) fieldOk(line, name string) []int {
	l.mu.RLock()
	found, ok := l.fields[line]
	l.mu.RUnlock()
	if !ok {
		found = make(map[string]*lexField)
		for i, w := range strings.Fields(line) {
			found[w] = &lexField{name: w, at: []int{i}}
		}
		l.mu.Lock()
		l.fields[line] = found
		l.mu.Unlock()
	}
	l.mu.RLock()
	defer l.mu.RUnlock()
	return found[name].at
}

func (l *lexicon) markBad(line, name string) {
	l.mu.RLock()
	found, ok := l.marked[line]
	l.mu.RUnlock()
	if !ok {
		found = make(map[string]*lexMark)
		for i, w := range strings.Fields(line) {
			found[w] = &lexMark{name: w, at: []int{i}}
		}
		l.mu.Lock()
		l.marked[line] = found // want `split-lock: .*l\.marked`
		l.mu.Unlock()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	found[name].on = true
}

func (l *lexicon) cutBad(line, name string) string {
	l.mu.RLock()
	found, ok := l.cut[line]
	l.mu.RUnlock()
	if !ok {
		_, found, _ = mime.ParseMediaType(line)
		l.mu.Lock()
		l.cut[line] = found // want `split-lock: .*l\.cut`
		l.mu.Unlock()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	defer delete(found, name)
	return found[name]
}

// A tallyBook has a list for each year that counts its months.
type tallyBook struct {
	mu    sync.RWMutex
	years map[string][]int
}

// A list counts as what it says, also where its elements are changed in place.
func (b *tallyBook) FN_CountBad(year string, month int) {
	b.mu.RLock()
	found := b.years[year]
	b.mu.RUnlock()
	if found == nil {
		found = make([]int, 12)
		b.mu.Lock()
		b.years[year] = found
		b.mu.Unlock()
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	found[month]++
}
