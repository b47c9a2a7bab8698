package newmutex

import (
	"os"
)

type sizes struct {
	byFile map[string]int64
}

func newSizes(names []string) *sizes {
	s := &sizes{byFile: make(map[string]int64)}
	go s.start(names)
	go s.all()
	return s
}

// What it gives back becomes a copy, and it fills the map under the mutex.
func (s *sizes) load(names []string) (map[string]int64, error) {
	if len(names) == 0 {
		return nil, os.ErrInvalid
	}
	for _, n := range names {
		st, err := os.Stat(n)
		if err != nil {
			continue
		}
		s.byFile[n] = st.Size() // want `unguarded-access: .*`
	}
	return s.byFile, nil
}

func (s *sizes) start(names []string) {
	found, err := s.load(names)
	if err != nil {
		return
	}
	for n, size := range found {
		if size == 0 {
			os.Remove(n)
		}
	}
	println(len(found))
}

// The map has a name of its own.
func (s *sizes) all() []string {
	byFile := s.byFile
	var out []string
	for n := range byFile {
		out = append(out, n)
	}
	return out
}

type latest struct {
	byFile map[string]int64
}

func newLatest() *latest {
	l := &latest{byFile: make(map[string]int64)}
	go l.renew() // want `goroutine-race: .*`
	go l.all()
	return l
}

func (l *latest) renew() {
	l.byFile = make(map[string]int64)
}

// The field may have another map by the time of the walk.
func (l *latest) all() []string {
	byFile := l.byFile
	var out []string
	for n := range byFile {
		out = append(out, n)
	}
	return out
}
