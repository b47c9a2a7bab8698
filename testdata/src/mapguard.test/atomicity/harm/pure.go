package harm

import (
	"crypto/sha256"
	"log"
	"net/url"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
)

// Values that any goroutine would have computed alike: work is done twice, and
// that is all.
type memo struct {
	mu    sync.RWMutex
	text  map[string]string
	num   map[string]int
	sums  map[string][32]byte
	exps  map[string]*regexp.Regexp
	urls  map[string]*url.URL
	types map[string]reflect.Type
	waits map[string]time.Duration
	pairs map[string]pair
	sets  map[string]struct{}
	masks map[string]uint32
	told  map[string]bool
	parts map[reflect.Type][]int
}

type pair struct {
	key, value string
	n          int
}

func (m *memo) upperOk(k string) string {
	m.mu.RLock()
	s, ok := m.text[k]
	m.mu.RUnlock()
	if ok {
		return s
	}
	s = strings.ToUpper(strings.TrimSpace(k)) + "!"
	m.mu.Lock()
	m.text[k] = s
	m.mu.Unlock()
	return s
}

func (m *memo) numberOk(k string) (int, error) {
	m.mu.RLock()
	n, ok := m.num[k]
	m.mu.RUnlock()
	if ok {
		return n, nil
	}
	n, err := strconv.Atoi(k)
	if err != nil {
		return 0, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.num[k] = n
	return n, nil
}

func fib(n int) int {
	if n < 2 {
		return n
	}
	return fib(n-1) + fib(n-2)
}

func (m *memo) ownFunctionOk(k string) int {
	m.mu.RLock()
	n, ok := m.num[k]
	m.mu.RUnlock()
	if !ok {
		n = fib(len(k))
		m.mu.Lock()
		m.num[k] = n
		m.mu.Unlock()
	}
	return n
}

func (m *memo) hashOk(k string) [32]byte {
	m.mu.RLock()
	h, ok := m.sums[k]
	m.mu.RUnlock()
	if !ok {
		h = sha256.Sum256([]byte(k))
		m.mu.Lock()
		m.sums[k] = h
		m.mu.Unlock()
	}
	return h
}

// Pointers to what never changes.

func (m *memo) regexpOk(k string) (*regexp.Regexp, error) {
	m.mu.RLock()
	re, ok := m.exps[k]
	m.mu.RUnlock()
	if ok {
		return re, nil
	}
	re, err := regexp.Compile(k)
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	m.exps[k] = re
	m.mu.Unlock()
	return re, nil
}

func (m *memo) typeOk(k string, v any) reflect.Type {
	m.mu.RLock()
	t, ok := m.types[k]
	m.mu.RUnlock()
	if !ok {
		t = reflect.TypeOf(v)
		m.mu.Lock()
		m.types[k] = t
		m.mu.Unlock()
	}
	return t
}

func (m *memo) urlOk(k string) *url.URL {
	m.mu.RLock()
	u := m.urls[k]
	m.mu.RUnlock()
	if u == nil {
		u, _ = url.Parse(k)
		m.mu.Lock()
		m.urls[k] = u
		m.mu.Unlock()
	}
	return u
}

// Constants, structs of plain values, members of a set.

func (m *memo) constantOk(k string) time.Duration {
	m.mu.RLock()
	d, ok := m.waits[k]
	m.mu.RUnlock()
	if !ok {
		d = 3 * time.Second
		m.mu.Lock()
		m.waits[k] = d
		m.mu.Unlock()
	}
	return d
}

func (m *memo) structOk(k string) pair {
	m.mu.RLock()
	p, ok := m.pairs[k]
	m.mu.RUnlock()
	if !ok {
		before, after, _ := strings.Cut(k, "=")
		p = pair{before, after, len(after)}
		m.mu.Lock()
		m.pairs[k] = p
		m.mu.Unlock()
	}
	return p
}

func (m *memo) memberOk(k string) {
	m.mu.RLock()
	_, ok := m.sets[k]
	m.mu.RUnlock()
	if !ok {
		m.mu.Lock()
		m.sets[k] = struct{}{}
		m.mu.Unlock()
	}
}

// Gone already is as good as gone now.
func (m *memo) deleteOk(k string) {
	m.mu.RLock()
	_, ok := m.sets[k]
	m.mu.RUnlock()
	if ok {
		m.mu.Lock()
		delete(m.sets, k)
		m.mu.Unlock()
	}
}

// A slice of what is plain, made of nothing but the key, as codecs keep it. It
// grows in the variable of the look-up, which was nil.
func (m *memo) fieldsOk(t reflect.Type) []int {
	m.mu.RLock()
	f, ok := m.parts[t]
	m.mu.RUnlock()
	if ok {
		return f
	}
	for i := range t.NumField() {
		if t.Field(i).IsExported() {
			f = append(f, i)
		}
	}
	m.mu.Lock()
	m.parts[t] = f
	m.mu.Unlock()
	return f
}

// A line too many in the log.
func (m *memo) warnOnceOk(k string) {
	m.mu.RLock()
	told := m.told[k]
	m.mu.RUnlock()
	if !told {
		log.Printf("%s is deprecated", k)
		m.mu.Lock()
		m.told[k] = true
		m.mu.Unlock()
	}
}

func (m *memo) switchOffOk(k string) {
	m.mu.RLock()
	on := m.told[k]
	m.mu.RUnlock()
	if on {
		m.mu.Lock()
		m.told[k] = false
		m.mu.Unlock()
	}
}

// A memo that forgets all when it is full.
func (m *memo) boundedOk(k string) string {
	m.mu.RLock()
	s, ok := m.text[k]
	m.mu.RUnlock()
	if ok {
		return s
	}
	var b strings.Builder
	for _, r := range k {
		b.WriteRune(unicode.ToLower(r))
	}
	s = b.String()
	m.mu.Lock()
	if len(m.text) > 1000 {
		clear(m.text)
	}
	m.text[k] = s
	m.mu.Unlock()
	return s
}

// A bad key has a value of its own.
func (m *memo) fallbackOk(k string) time.Duration {
	m.mu.RLock()
	d, ok := m.waits[k]
	m.mu.RUnlock()
	if ok {
		return d
	}
	d, err := time.ParseDuration(k)
	if err != nil {
		log.Print("bad duration: ", err)
		d = time.Second
	}
	m.mu.Lock()
	m.waits[k] = d
	m.mu.Unlock()
	return d
}

// Through helpers.

func (m *memo) get(k string) (string, bool) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	s, ok := m.text[k]
	return s, ok
}

func (m *memo) set(k, s string) { m.mu.Lock(); defer m.mu.Unlock(); m.text[k] = s }

func (m *memo) helpersOk(k string) string {
	s, ok := m.get(k)
	if !ok {
		s = strconv.Quote(k)
		m.set(k, s)
	}
	return s
}

// The value is the caller's; both callers have the same one.
func (m *memo) givenOk(k, s string) {
	if old, ok := m.get(k); !ok || old != s {
		m.set(k, s)
	}
}

// Plain, but made of what was there before: an update is lost.
func (m *memo) orBad(k string, bit uint32) {
	m.mu.RLock()
	f := m.masks[k]
	m.mu.RUnlock()
	if f&bit == 0 {
		m.mu.Lock()
		m.masks[k] = f | bit // want `split-lock: `
		m.mu.Unlock()
	}
}

// Plain, but without a lock at the check: a race, whatever is stored.
func (m *memo) unlockedBad(k string) string {
	s, ok := m.text[k] // want `check-then-act: `
	if !ok {
		s = strings.ToLower(k)
		m.mu.Lock()
		m.text[k] = s
		m.mu.Unlock()
	}
	return s
}

// A Rates fills in what nothing was said about: what callers say meanwhile, and
// what is counted, is overwritten by that.
type Rates struct {
	mu   sync.Mutex
	rate map[string]int
	hits map[string]int
}

func (r *Rates) RateBad(k string) int {
	r.mu.Lock()
	n, ok := r.rate[k]
	r.mu.Unlock()
	if ok {
		return n
	}
	n = len(k)
	r.mu.Lock()
	r.rate[k] = n // want `split-lock: `
	r.mu.Unlock()
	return n
}

func (r *Rates) SetRate(k string, n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rate[k] = n
}

func (r *Rates) openBad(k string) {
	r.mu.Lock()
	_, ok := r.hits[k]
	r.mu.Unlock()
	if ok {
		return
	}
	r.mu.Lock()
	r.hits[k] = 0 // want `split-lock: `
	r.mu.Unlock()
}

func (r *Rates) hit(k string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.hits[k]++
}

func (r *Rates) openOk(k string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, ok := r.hits[k]; !ok {
		r.hits[k] = 0
	}
}
