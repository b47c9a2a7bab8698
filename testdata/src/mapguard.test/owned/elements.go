package owned

import "sync"

// Each call of count has a map of its own, of which some elements are everyone's.
type label map[string]struct{}

var everything = label{"*": {}}

type reader struct{ names []string }

func (r *reader) run() {
	for range 4 {
		go r.count()
	}
}

func (r *reader) count() int {
	var seen sync.Map
	for _, n := range r.names {
		r.noteAll(n, &seen)
		r.noteOk(n, &seen)
		r.share(n)
	}
	n := 0
	seen.Range(func(any, any) bool { n++; return true })
	return n
}

func (r *reader) noteAll(n string, seen *sync.Map) { seen.Store(n, everything) }

func (r *reader) noteOk(n string, seen *sync.Map) {
	if v, ok := seen.LoadOrStore(n, label{n: {}}); ok {
		l := label{n: {}}
		for k := range v.(label) {
			l[k] = struct{}{}
		}
		seen.Store(n, l)
	}
}

// A tally is shared by all calls, the map that they put it into by none.
type tally struct{ seen map[string]int }

var common = &tally{seen: map[string]int{}}

func (r *reader) share(n string) {
	own := map[string]*tally{}
	put(own)
	raiseBad(own, n)
	mine := map[string]*tally{"all": {seen: map[string]int{}}}
	raiseOk(mine, n)
}

func put(m map[string]*tally) { m["all"] = common }

func raiseBad(m map[string]*tally, n string) {
	m["all"].seen[n]++ // want `check-then-act: .*seen is read here, then written.*, low`
}

func raiseOk(m map[string]*tally, n string) {
	m["all"].seen[n]++
}
