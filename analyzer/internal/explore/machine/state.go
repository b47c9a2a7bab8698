package machine

import (
	"encoding/binary"
	"math"
	"slices"
)

// keys is the number of keys that programs use, from 0.
const keys = 7

// absent is the cell of a key that a map does not hold. No program counts that
// far down.
const absent int16 = math.MinInt16

// A taint is a set of looks, by their index in the goroutine's list: those
// that a value depends on by data, and those by control.
type taint struct{ data, control uint32 }

func (t taint) or(u taint) taint { return taint{t.data | u.data, t.control | u.control} }

func (t taint) all() uint32 { return t.data | t.control }

type reg struct {
	v int16
	t taint
}

// A frame is one call under way.
type frame struct {
	code, pc int16
	obj      int8
	began    bool // its end is the end of an operation
	regs     []reg
	rest     uint32   // the looks on which all that follows depends
	control  []uint32 // those on which the blocks under way depend
	defers   []instr
	results  []int16 // where the caller wants them
}

func (f *frame) pending() uint32 {
	if n := len(f.control); n > 0 {
		return f.rest | f.control[n-1]
	}
	return f.rest
}

// question is what a look asks.
type question int8

const (
	askEntry question = iota
	askLen
	askNil
	askAll
)

// A look is one read of a map in the operation under way.
type look struct {
	q     question
	m     int8
	key   int8
	stale bool
	site  int16
	funcs uint64 // the functions that are on the stack
}

func (l *look) same(k *look) bool { return l.q == k.q && l.m == k.m && l.key == k.key }

// A thread is one goroutine.
type thread struct {
	frames []frame
	looks  []look
	log    []int16 // what its operations returned
	inOp   bool
	join   int8
}

func (t *thread) top() *frame { return &t.frames[len(t.frames)-1] }

func (t *thread) done() bool { return len(t.frames) == 0 }

// A lock's readers and writers are sets of goroutines, as bits.
type lock struct{ readers, writers uint8 }

// A state is where all goroutines are and what the memory holds.
type state struct {
	threads []thread
	cells   []int16 // of each map of each object
	made    []bool
	items   []int16
	locks   []lock
	emitted [keys]int8
	running int8 // goroutines that a WaitGroup counts
	ended   int8 // messages in the channel that tells of ends
	token   int8 // the goroutine whose operation is under way, or -1
	stale   uint32
	panics  bool
}

// next returns a copy of the state in which goroutine t can be changed.
func (s *state) next(t int) *state {
	c := *s
	c.threads = slices.Clone(s.threads)
	c.cells = slices.Clone(s.cells)
	c.items = slices.Clone(s.items)
	c.locks = slices.Clone(s.locks)
	c.made = slices.Clone(s.made)
	th := &c.threads[t]
	th.frames = slices.Clone(th.frames)
	th.looks = slices.Clone(th.looks)
	th.log = slices.Clone(th.log)
	for i := range th.frames {
		f := &th.frames[i]
		f.regs = slices.Clone(f.regs)
		f.control = slices.Clone(f.control)
		f.defers = slices.Clone(f.defers)
	}
	return &c
}

// encode appends all of the state to buf: equal states, equal bytes.
func (s *state) encode(buf []byte) []byte {
	for i := range s.threads {
		buf = s.threads[i].encode(buf)
	}
	buf = words(buf, s.cells)
	buf = words(buf, s.items)
	for _, l := range s.locks {
		buf = append(buf, l.readers, l.writers)
	}
	for _, m := range s.made {
		buf = append(buf, flag(m))
	}
	for _, n := range s.emitted {
		buf = append(buf, byte(n))
	}
	buf = append(buf, byte(s.running), byte(s.ended), byte(s.token), flag(s.panics))
	return binary.LittleEndian.AppendUint32(buf, s.stale)
}

func (t *thread) encode(buf []byte) []byte {
	buf = append(buf, byte(len(t.frames)), byte(len(t.looks)), flag(t.inOp))
	for i := range t.frames {
		buf = t.frames[i].encode(buf)
	}
	for i := range t.looks {
		l := &t.looks[i]
		buf = append(buf, byte(l.q), byte(l.m), byte(l.key), flag(l.stale), byte(l.site), byte(l.site>>8))
	}
	return words(buf, t.log)
}

func (f *frame) encode(buf []byte) []byte {
	buf = append(buf, byte(f.code), byte(f.pc), byte(f.pc>>8), byte(f.obj), byte(len(f.defers)), byte(len(f.control)))
	for _, r := range f.regs {
		buf = append(buf, byte(r.v), byte(r.v>>8))
		buf = binary.LittleEndian.AppendUint32(buf, r.t.data)
		buf = binary.LittleEndian.AppendUint32(buf, r.t.control)
	}
	buf = binary.LittleEndian.AppendUint32(buf, f.rest)
	for _, c := range f.control {
		buf = binary.LittleEndian.AppendUint32(buf, c)
	}
	return buf
}

func words(buf []byte, ws []int16) []byte {
	buf = append(buf, byte(len(ws)))
	for _, w := range ws {
		buf = append(buf, byte(w), byte(w>>8))
	}
	return buf
}

func flag(b bool) byte {
	if b {
		return 1
	}
	return 0
}
