package unguarded

import (
	"sync"
	"time"
)

// A timetable is made anew, as a list and as a map of the same, in one section; both leave it together.
type timetable struct {
	mu     sync.Mutex
	made   time.Time
	list   []string
	byName map[string]int
}

func (t *timetable) current() ([]string, map[string]int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if time.Since(t.made) > time.Minute {
		t.list = append([]string(nil), "a", "b")
		t.byName = make(map[string]int)
		for i, n := range t.list {
			t.byName[n] = i
		}
		t.made = time.Now()
	}
	return t.list, t.byName
}

func (t *timetable) LookUpOk(name string) int {
	_, byName := t.current()
	return byName[name]
}

func (t *timetable) LookUpLaterOk(names []string) (sum int) {
	_, byName := t.current()
	func() {
		for _, n := range names {
			sum += byName[n]
		}
	}()
	return sum + byName[""]
}

// An openTimetable gets single entries as well, later.
type openTimetable struct {
	mu     sync.Mutex
	made   time.Time
	list   []string
	byName map[string]int
}

func (t *openTimetable) current() ([]string, map[string]int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if time.Since(t.made) > time.Minute {
		t.list = append([]string(nil), "a", "b")
		t.byName = make(map[string]int)
		t.made = time.Now()
	}
	return t.list, t.byName
}

func (t *openTimetable) Add(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.byName[name] = len(t.byName)
}

func (t *openTimetable) LookUpBad(name string) int {
	_, byName := t.current()
	return byName[name] // want `unguarded-access: `
}
