package machine

import (
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/explore/program"
)

// memory is what maps and items hold.
type memory struct {
	cells []int16
	made  []bool
	items []int16
}

// fresh is the memory after the constructor.
func (w *world) fresh() *memory {
	n := w.objects() * len(w.p.Maps)
	m := &memory{cells: slices.Repeat([]int16{absent}, n*keys)}
	for range w.objects() {
		for _, field := range w.p.Maps {
			m.made = append(m.made, !field.Lazy)
		}
	}
	return m
}

// visible runs an instruction that others can notice.
func (w *world) visible(s *state, t int, in *instr) {
	f := s.threads[t].top()
	switch in.op {
	case opLock:
		w.lock(s, t, in)
	case opWait:
		if program.Join(in.kind) == program.Channel {
			s.ended -= int8(in.m)
		}
	case opGet:
		if i := f.regs[in.b].v; i == 0 {
			s.panics = true
		} else {
			f.set(in.a, s.items[i-1], f.regs[in.b].t)
		}
	case opAddItem:
		if i := f.regs[in.a].v; i == 0 {
			s.panics = true
		} else {
			s.items[i-1] += f.regs[in.b].v
		}
	case opLookup, opLen, opIsNil, opNext:
		w.read(s, t, in)
	default:
		w.write(s, t, in)
	}
}

func (w *world) lock(s *state, t int, in *instr) {
	l, me := s.lockOf(w, t, in), uint8(1)<<t
	if (l.readers|l.writers)&me != 0 {
		w.fail("a goroutine takes a lock twice")
	}
	if program.LockKind(in.kind) == program.AcquireRead {
		l.readers |= me
	} else {
		l.writers |= me
	}
}

// mapOf returns the number of the map that an instruction is about.
func (w *world) mapOf(s *state, t int, in *instr) int {
	return int(s.threads[t].top().obj)*len(w.p.Maps) + int(in.m)
}

func (s *state) entries(m int) []int16 { return s.cells[m*keys : (m+1)*keys] }

// read runs a look.
func (w *world) read(s *state, t int, in *instr) {
	m := w.mapOf(s, t, in)
	f := s.threads[t].top()
	cells := s.entries(m)
	l := look{m: int8(m), site: in.site, funcs: w.stack(s, t)}
	switch in.op {
	case opLookup:
		key := f.regs[in.c]
		if !w.key(key.v) {
			return
		}
		l.q, l.key = askEntry, int8(key.v)
		seen := w.looked(s, t, l).or(key.t)
		v, ok := cells[key.v], cells[key.v] != absent
		if !ok {
			v = 0
		}
		f.set(in.a, v, seen)
		f.set(in.b, int16(flag(ok)), seen)
	case opLen:
		l.q = askLen
		f.set(in.a, length(cells), w.looked(s, t, l))
	case opIsNil:
		l.q = askNil
		f.set(in.a, int16(flag(!s.made[m])), w.looked(s, t, l))
	case opNext:
		l.q = askAll
		seen := w.looked(s, t, l)
		pos := f.regs[in.dsts[0]].v
		for pos < keys && cells[pos] == absent {
			pos++
		}
		f.set(in.c, int16(flag(pos < keys)), seen)
		if pos < keys {
			f.set(in.a, pos, seen)
			f.set(in.b, cells[pos], seen)
		}
		f.regs[in.dsts[0]].v = pos + 1
	}
}

func (w *world) key(k int16) bool {
	if k < 0 || k >= keys {
		w.fail("key %d", k)
		return false
	}
	return true
}

func length(cells []int16) int16 {
	var n int16
	for _, c := range cells {
		if c != absent {
			n++
		}
	}
	return n
}

// stack returns the program's functions that are on a goroutine's stack.
func (w *world) stack(s *state, t int) uint64 {
	var set uint64
	for i := range s.threads[t].frames {
		if c := s.threads[t].frames[i].code; int(c) < min(w.base(), 64) {
			set |= 1 << c
		}
	}
	return set
}

// looked notes a look and returns what depends on it. A repeated look of the
// same place is the same one, while it is fresh.
func (w *world) looked(s *state, t int, l look) taint {
	th := &s.threads[t]
	for i := range th.looks {
		if k := &th.looks[i]; k.same(&l) && k.site == l.site && !k.stale {
			return taint{data: 1 << i}
		}
	}
	if len(th.looks) == maxLooks {
		w.fail("too many looks")
		return taint{}
	}
	th.looks = append(th.looks, l)
	return taint{data: 1 << (len(th.looks) - 1)}
}

// write runs an act.
func (w *world) write(s *state, t int, in *instr) {
	m := w.mapOf(s, t, in)
	f := s.threads[t].top()
	cells := s.entries(m)
	before := memory{cells: slices.Clone(cells), made: []bool{s.made[m]}}
	depends := taint{control: f.pending()}
	switch in.op {
	case opSet:
		key, val := f.regs[in.a], f.regs[in.b]
		depends = depends.or(key.t).or(val.t)
		if !w.key(key.v) {
			return
		}
		if !s.made[m] {
			s.panics = true
			return
		}
		cells[key.v] = val.v
	case opDelete:
		key := f.regs[in.a]
		depends = depends.or(key.t)
		if !w.key(key.v) {
			return
		}
		cells[key.v] = absent
	case opClear, opMake:
		for k := range cells {
			cells[k] = absent
		}
		s.made[m] = s.made[m] || in.op == opMake
	}
	w.acted[w.sites[in.site]] = true
	w.decided(s, t, in.site, depends)
	for u := range s.threads {
		if u != t {
			s.outdate(u, m, &before)
		}
	}
}

// outdate makes the looks of goroutine u stale that map m, changed from what it
// was before, no longer answers as it did.
func (s *state) outdate(u, m int, before *memory) {
	cells, th := s.entries(m), &s.threads[u]
	owned := false
	for i := range th.looks {
		l := &th.looks[i]
		if l.stale || int(l.m) != m || !l.changed(cells, s.made[m], before) {
			continue
		}
		if !owned {
			th.looks, owned = slices.Clone(th.looks), true
			l = &th.looks[i]
		}
		l.stale = true
	}
}

func (l *look) changed(cells []int16, made bool, before *memory) bool {
	switch l.q {
	case askEntry:
		return cells[l.key] != before.cells[l.key]
	case askLen:
		return length(cells) != length(before.cells)
	case askNil:
		return made != before.made[0]
	}
	return !slices.Equal(cells, before.cells)
}

// decided notes the stale decisions that an act depends on.
func (w *world) decided(s *state, t int, site int16, depends taint) {
	th := &s.threads[t]
	for i := range th.looks {
		l := &th.looks[i]
		if !l.stale || depends.all()&(1<<i) == 0 {
			continue
		}
		if depends.data&(1<<i) == 0 && renewed(th.looks, i, depends) {
			continue // looked again since
		}
		s.stale |= w.pair(Pair{Look: w.sites[l.site], Act: w.sites[site], funcs: l.funcs | w.stack(s, t)})
	}
}

// renewed reports whether the act depends on a later look of the same question
// that is still fresh.
func renewed(looks []look, i int, depends taint) bool {
	for j := i + 1; j < len(looks); j++ {
		if depends.all()&(1<<j) != 0 && !looks[j].stale && looks[j].same(&looks[i]) {
			return true
		}
	}
	return false
}

// pair returns the bit of a stale decision. The last bit stands for all that
// have none of their own.
func (w *world) pair(p Pair) uint32 {
	for i, q := range w.pairs {
		if p == q {
			return 1 << i
		}
	}
	if len(w.pairs) < maxPairs {
		w.pairs = append(w.pairs, p)
	}
	return 1 << (len(w.pairs) - 1)
}
