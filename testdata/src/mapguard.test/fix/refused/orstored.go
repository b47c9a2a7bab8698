package refused

import "sync"

// The map is exported: no mutex in the package keeps out all that change it.
type turnover struct {
	Sums sync.Map
	last int
}

func (l *turnover) next() int { l.last++; return l.last }

// Where it is no number, something else is stored: what was found may be of a type that cannot be compared.
func (l *turnover) maybeBad(k string) {
	v, _ := l.Sums.LoadOrStore(k, 0)
	n, _ := v.(int)
	// hand `nothing asserts that the value that was found can be compared`
	l.Sums.Store(k, n+1) // want `sync-map: .*`
}

// The first value takes a call with an effect.
func (l *turnover) effectsBad(k string) {
	v, _ := l.Sums.LoadOrStore(k, l.next())
	l.Sums.Store(k, v.(int)+1) // want `sync-map: .*`
}

// It is another value by then.
func (l *turnover) otherBad(k string) {
	v, _ := l.Sums.LoadOrStore(k, 0)
	w := v.(int)
	v = w + 1
	l.Sums.Store(k, v) // want `sync-map: .*`
}

// The caller's variable gets what was found.
func (l *turnover) resultBad(k string) (v any) {
	v, _ = l.Sums.LoadOrStore(k, 0)
	l.Sums.Store(k, v.(int)+1) // want `sync-map: .*`
	return v
}

// What was found is used afterwards.
func (l *turnover) laterBad(k string) {
	v, _ := l.Sums.LoadOrStore(k, 0)
	l.Sums.Store(k, v.(int)+1) // want `sync-map: .*`
	println(v.(int))
}
