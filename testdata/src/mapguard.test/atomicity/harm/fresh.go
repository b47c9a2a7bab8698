package harm

import (
	crand "crypto/rand"
	"encoding/hex"
	"math/rand/v2"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// Plain values that are another one each time: two callers go on with two.
type ids struct {
	mu    sync.Mutex
	num   map[string]int64
	text  map[string]string
	times map[string]time.Time
	next  int64 // guarded by mu
	count atomic.Int64
}

func (i *ids) getNum(k string) (int64, bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	n, ok := i.num[k]
	return n, ok
}

func (i *ids) setNum(k string, n int64) { i.mu.Lock(); defer i.mu.Unlock(); i.num[k] = n }

func (i *ids) getText(k string) (string, bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	s, ok := i.text[k]
	return s, ok
}

func (i *ids) setText(k, s string) { i.mu.Lock(); defer i.mu.Unlock(); i.text[k] = s }

func (i *ids) atomicCounterBad(k string) int64 {
	n, ok := i.getNum(k)
	if !ok {
		n = i.count.Add(1)
		i.setNum(k, n) // want `split-lock: .*high`
	}
	return n
}

func (i *ids) fresh() int64 {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.next++
	return i.next
}

func (i *ids) lockedCounterBad(k string) int64 {
	n, ok := i.getNum(k)
	if !ok {
		n = i.fresh()
		i.setNum(k, n) // want `split-lock: .*high`
	}
	return n
}

func (i *ids) fieldCounterBad(k string) int64 {
	n, ok := i.getNum(k)
	if ok {
		return n
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.next++
	i.num[k] = i.next // want `split-lock: .*high`
	return i.next
}

// The next index is the map's own length.
func (i *ids) lengthBad(k string) int64 {
	n, ok := i.getNum(k)
	if !ok {
		i.mu.Lock()
		n = int64(len(i.num))
		i.num[k] = n // want `split-lock: .*high`
		i.mu.Unlock()
	}
	return n
}

func (i *ids) randomBad(k string) int64 {
	n, ok := i.getNum(k)
	if !ok {
		n = rand.Int64()
		i.setNum(k, n) // want `split-lock: .*high`
	}
	return n
}

func token() string {
	var b [16]byte
	crand.Read(b[:])
	return hex.EncodeToString(b[:])
}

func (i *ids) tokenBad(user string) string {
	s, ok := i.getText(user)
	if !ok {
		s = token()
		i.setText(user, s) // want `split-lock: .*high`
	}
	return s
}

func (i *ids) firstSeenBad(k string) time.Time {
	i.mu.Lock()
	t, ok := i.times[k]
	i.mu.Unlock()
	if !ok {
		t = time.Now()
		i.mu.Lock()
		i.times[k] = t // want `split-lock: .*high`
		i.mu.Unlock()
	}
	return t
}

func (i *ids) temporaryBad(k string) (string, error) {
	s, ok := i.getText(k)
	if ok {
		return s, nil
	}
	s, err := os.MkdirTemp("", k)
	if err != nil {
		return "", err
	}
	i.setText(k, s) // want `split-lock: .*high`
	return s, nil
}

// The last one seen is the one that comes last: nothing depends on the check.
func (i *ids) lastSeenOk(k string) bool {
	i.mu.Lock()
	_, ok := i.times[k]
	i.mu.Unlock()
	now := time.Now()
	i.mu.Lock()
	i.times[k] = now
	i.mu.Unlock()
	return ok
}

func (i *ids) counterOk(k string) int64 {
	i.mu.Lock()
	defer i.mu.Unlock()
	n, ok := i.num[k]
	if !ok {
		n = i.count.Add(1)
		i.num[k] = n
	}
	return n
}

// A cache that is told to forget: what was read before that comes back.
type loaded struct {
	mu   sync.Mutex
	text map[string]string
	read func(string) (string, error)
}

// What is read is taken to be the same each time, so that to store it twice is
// harmless. That Forget comes in between is not weighed.
// It would take telling a value that is read from elsewhere, and may be another
// one next time, from one that is computed from the key.
func (l *loaded) FN_getBad(k string) (string, error) {
	l.mu.Lock()
	s, ok := l.text[k]
	l.mu.Unlock()
	if ok {
		return s, nil
	}
	s, err := l.read(k)
	if err != nil {
		return "", err
	}
	l.mu.Lock()
	l.text[k] = s
	l.mu.Unlock()
	return s, nil
}

func (l *loaded) Forget(k string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.text, k)
}

// What was looked up, and when.
type dated struct {
	text string
	at   time.Time
}

type datedTexts struct {
	mu   sync.Mutex
	find func(k string) string
	m    map[string]dated
}

// The variable has what was found no more when it is put in, and callers get its address.
func (d *datedTexts) tooOldOk(k string) *dated {
	d.mu.Lock()
	e, ok := d.m[k]
	d.mu.Unlock()
	if !ok || time.Since(e.at) > time.Minute {
		e = dated{text: d.find(k), at: time.Now()}
		d.mu.Lock()
		d.m[k] = e
		d.mu.Unlock()
	}
	return &e
}

// What is put in has a part of what was found.
func (d *datedTexts) extendedBad(k string) *dated {
	d.mu.Lock()
	e, ok := d.m[k]
	d.mu.Unlock()
	if !ok || time.Since(e.at) > time.Minute {
		e = dated{text: e.text + d.find(k), at: time.Now()}
		d.mu.Lock()
		d.m[k] = e // want `split-lock: .*high`
		d.mu.Unlock()
	}
	return &e
}

type revised struct {
	mu   sync.Mutex
	find func(k string) string
	m    map[string]dated
}

// A part of the variable is set once more, and has what was found.
func (d *revised) partBad(k string) *dated {
	d.mu.Lock()
	e, ok := d.m[k]
	d.mu.Unlock()
	if !ok || time.Since(e.at) > time.Minute {
		old := e.text
		e = dated{text: d.find(k), at: time.Now()}
		e.text = old + e.text
		d.mu.Lock()
		d.m[k] = e // want `split-lock: .*high`
		d.mu.Unlock()
	}
	return &e
}

type serial struct {
	n  int64
	at time.Time
}

type serials struct {
	mu sync.Mutex
	m  map[string]serial
}

// Another part is another one each time.
func (d *serials) drawnBad(k string) serial {
	d.mu.Lock()
	e, ok := d.m[k]
	d.mu.Unlock()
	if !ok {
		e = serial{n: rand.Int64(), at: time.Now()}
		d.mu.Lock()
		d.m[k] = e // want `split-lock: .*high`
		d.mu.Unlock()
	}
	return e
}
