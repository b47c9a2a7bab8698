package machine

import (
	"errors"

	"github.com/mapguard/mapguard/analyzer/internal/explore/program"
)

// errDeadlock is what a search returns where no goroutine can go on.
var errDeadlock = errors.New("deadlock")

// errTooLarge is what a search returns that has no end in sight.
var errTooLarge = errors.New("too many states")

// maxStates is how many states a search visits.
const maxStates = 30_000

// search visits all states that can be reached from s. It calls each for
// every state, and last for those in which all goroutines are done.
func (w *world) search(s *state, each, last func(*state)) error {
	seen := make(map[string]struct{})
	var buf []byte
	stack := []*state{s}
	for len(stack) > 0 {
		s := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		buf = s.encode(buf[:0])
		if _, ok := seen[string(buf)]; ok {
			continue
		}
		if len(seen) == maxStates {
			return errTooLarge
		}
		seen[string(buf)] = struct{}{}
		if each != nil {
			each(s)
		}
		next, err := w.successors(s)
		if err != nil {
			return err
		}
		if len(next) == 0 {
			last(s)
		}
		stack = append(stack, next...)
	}
	return nil
}

// successors returns the states after one step of one goroutine. There are
// none when all are done, or one has panicked.
func (w *world) successors(s *state) ([]*state, error) {
	if s.panics {
		return nil, w.err
	}
	var out []*state
	live := false
	for t := range s.threads {
		if s.threads[t].done() {
			continue
		}
		live = true
		if !w.enabled(s, t) {
			continue
		}
		n := s.next(t)
		w.step(n, t)
		out = append(out, n)
	}
	if live && len(out) == 0 && w.err == nil {
		return nil, errDeadlock
	}
	return out, w.err
}

// An access is what a goroutine is about to do to a map or an item.
type access struct {
	m     int // a map, or an item from -1 down
	write bool
	site  int16
}

// pending returns the access that is goroutine t's next step.
func (w *world) pending(s *state, t int) (access, bool) {
	if s.threads[t].done() {
		return access{}, false
	}
	in := w.at(s, t)
	a := access{site: in.site}
	switch in.op {
	case opLookup, opLen, opIsNil, opNext:
		a.m = w.mapOf(s, t, in)
	case opSet, opDelete, opClear, opMake:
		a.m, a.write = w.mapOf(s, t, in), true
	case opGet:
		a.m = -int(s.threads[t].top().regs[in.b].v)
	case opAddItem:
		a.m, a.write = -int(s.threads[t].top().regs[in.a].v), true
	default:
		return a, false
	}
	if onItem := in.op == opGet || in.op == opAddItem; onItem && a.m == 0 {
		return a, false // nil: it will panic
	}
	return a, true
}

// races calls found for each two accesses that nothing orders: both are next,
// they are to the same map or item, and one is a write.
func (w *world) races(s *state, found func(p Pair, item bool)) {
	for t := range s.threads {
		a, ok := w.pending(s, t)
		if !ok {
			continue
		}
		for u := t + 1; u < len(s.threads); u++ {
			b, ok := w.pending(s, u)
			if !ok || a.m != b.m || !a.write && !b.write {
				continue
			}
			found(Pair{
				Race: true, Look: w.sites[a.site], Act: w.sites[b.site],
				funcs: w.stack(s, t) | w.stack(s, u),
			}, a.m < 0)
		}
	}
}

// A Pair is what is wrong: two accesses that race, or a stale decision.
type Pair struct {
	Race      bool
	Look, Act program.Stmt
	funcs     uint64
}

// functions returns the functions in which the pair stands, callers included.
func (w *world) functions(p Pair) []*program.Func {
	var out []*program.Func
	for i, c := range w.codes {
		if i < 64 && p.funcs&(1<<i) != 0 {
			out = append(out, c.fn)
		}
	}
	return out
}
