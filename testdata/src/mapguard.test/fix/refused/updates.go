package refused

import "sync"

type spans struct{ byDay sync.Map }

type span struct{ from, to int }

func (s *span) widen(n int) { s.from, s.to = min(s.from, n), max(s.to, n) }

// Who finds a span widens it. Who loses would have to widen the winner's.
func (s *spans) noteBad(day int64, n int) {
	v, ok := s.byDay.Load(day)
	if !ok {
		first := &span{n, n}
		s.byDay.Store(day, first) // want `sync-map: .*`
	} else {
		v.(*span).widen(n)
	}
}

// The same, where the other branch returns.
func (s *spans) noteFirstBad(day int64, n int) {
	if v, ok := s.byDay.Load(day); ok {
		found := v.(*span)
		found.to = n
		return
	}
	s.byDay.Store(day, &span{n, n}) // want `sync-map: .*`
}

var spansMade = spans{}

// Spans gives it away: a mutex beside it would not be all that is needed.
func Spans() *sync.Map { return &spansMade.byDay }
