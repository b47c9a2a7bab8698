package machine

import (
	"fmt"
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/explore/program"
)

// A world is a program that is being run.
type world struct {
	*compiler
	serial bool
	acted  map[program.Stmt]bool // the acts that ran at all
	pairs  []Pair                // stale decisions met; state.stale is a set of them
	err    error
}

// limits of what a goroutine can hold.
const (
	maxLooks   = 32
	maxPairs   = 32
	maxThreads = 8
)

func (w *world) fail(format string, args ...any) {
	if w.err == nil {
		w.err = fmt.Errorf(format, args...)
	}
}

// start returns the first state, with one goroutine per code.
func (w *world) start(mem *memory, codes ...int) *state {
	s := &state{cells: slices.Clone(mem.cells), made: slices.Clone(mem.made), items: slices.Clone(mem.items), token: -1}
	s.locks = make([]lock, w.objects()*(len(w.p.Locks)+1))
	for _, c := range codes {
		s.spawn(w, c, nil, 0, 0)
	}
	for t := range codes {
		w.local(s, t)
	}
	return s
}

func (w *world) objects() int { return max(1, w.p.Objects) }

func (s *state) spawn(w *world, code int, args []reg, obj, join int8) {
	if len(s.threads) == maxThreads {
		w.fail("too many goroutines")
		return
	}
	f := frame{code: int16(code), obj: obj, regs: make([]reg, w.codes[code].regs)}
	for i, a := range args {
		f.regs[i].v = a.v
	}
	s.threads = append(s.threads, thread{frames: []frame{f}, join: join})
}

// at returns the instruction at which a goroutine stands.
func (w *world) at(s *state, t int) *instr {
	f := s.threads[t].top()
	return &w.codes[f.code].instrs[f.pc]
}

// begins reports whether the instruction begins an operation.
func (w *world) begins(s *state, t int, in *instr) bool {
	if s.threads[t].inOp {
		return false
	}
	return in.op == opBegin || in.op == opCall && w.codes[in.fn].fn.Op
}

// noticed reports whether others can notice the instruction, or hinder it.
// Nothing does so while a documented program is run serially.
func (w *world) noticed(s *state, t int, in *instr) bool {
	alone := w.serial && w.p.Documented && s.token == int8(t) && w.enabled(s, t)
	return in.op > opVisible && !alone || w.serial && w.begins(s, t, in)
}

// enabled reports whether a goroutine that is not done can take its step.
func (w *world) enabled(s *state, t int) bool {
	in := w.at(s, t)
	switch in.op {
	case opLock:
		l := s.lockOf(w, t, in)
		if int(in.m) == len(w.p.Locks) {
			return bits(l.writers) < w.p.Owners
		}
		return l.writers == 0 && (program.LockKind(in.kind) == program.AcquireRead || l.readers == 0)
	case opWait:
		if program.Join(in.kind) == program.Channel {
			return int16(s.ended) >= in.m
		}
		return s.running == 0
	}
	return !w.serial || !w.begins(s, t, in) || s.token < 0
}

func bits(set uint8) int {
	n := 0
	for ; set != 0; set &= set - 1 {
		n++
	}
	return n
}

func (s *state) lockOf(w *world, t int, in *instr) *lock {
	return &s.locks[int(s.threads[t].top().obj)*(len(w.p.Locks)+1)+int(in.m)]
}

// step takes the step of goroutine t in s.
func (w *world) step(s *state, t int) {
	w.run(s, t, w.at(s, t))
	w.local(s, t)
}

func (w *world) run(s *state, t int, in *instr) {
	if in.op > opVisible {
		s.threads[t].top().pc++
		w.visible(s, t, in)
	} else {
		w.instr(s, t, in)
	}
}

// local runs what cannot be noticed.
func (w *world) local(s *state, t int) {
	for !s.threads[t].done() && w.err == nil && !s.panics {
		in := w.at(s, t)
		if w.noticed(s, t, in) {
			return
		}
		w.run(s, t, in)
	}
}

// instr runs an instruction of the goroutine's own.
func (w *world) instr(s *state, t int, in *instr) {
	th := &s.threads[t]
	f := th.top()
	f.pc++
	switch in.op {
	case opConst:
		f.set(in.a, in.m, taint{})
	case opMove:
		f.set(in.a, f.regs[in.b].v, f.regs[in.b].t)
	case opNot:
		f.set(in.a, 1-f.regs[in.b].v, f.regs[in.b].t)
	case opBin:
		x, y := f.regs[in.b], f.regs[in.c]
		f.set(in.a, calculate(in.kind, x.v, y.v), x.t.or(y.t))
	case opJump:
		f.pc = int16(in.target)
	case opBranch:
		if f.regs[in.a].v == 0 {
			f.pc = int16(in.target)
		}
	case opPush:
		f.control = append(f.control, f.pending()|f.regs[in.a].t.all())
	case opPop:
		f.control = f.control[:len(f.control)-1]
	case opRest:
		f.rest |= f.regs[in.a].t.all()
	case opDepend:
		f.regs[in.a].t.control |= f.regs[in.b].t.all()
	case opNew:
		s.items = append(s.items, f.regs[in.b].v)
		f.set(in.a, int16(len(s.items)), taint{})
	case opDefer:
		f.defers = append(f.defers, *in)
	default:
		w.control(s, t, in)
	}
}

// control runs an instruction that enters or leaves something.
func (w *world) control(s *state, t int, in *instr) {
	th := &s.threads[t]
	f := th.top()
	switch in.op {
	case opUnlock:
		w.unlock(s, t, in)
	case opCall:
		w.call(s, t, in)
	case opReturn:
		w.leave(s, t, in)
	case opGo:
		if in.kind == int8(program.WaitGroup) || in.kind == int8(program.WaitGroupGo) {
			s.running++
		}
		var args []reg
		for _, a := range in.args {
			args = append(args, f.regs[a])
		}
		s.spawn(w, in.fn, args, in.obj, in.kind)
		w.local(s, len(s.threads)-1)
	case opEmit:
		k := f.regs[in.a].v
		if k < 0 || k >= keys {
			w.fail("key %d", k)
			return
		}
		s.emitted[k]++
	case opBegin:
		w.begin(s, t)
	case opEnd:
		w.end(s, t)
	}
}

func (f *frame) set(r, v int16, t taint) {
	t.control |= f.pending()
	f.regs[r] = reg{v, t}
}

func calculate(kind int8, x, y int16) int16 {
	var b bool
	switch kind {
	case 0:
		return x + y
	case 1:
		b = x == y
	case 2:
		b = x != y
	case 3:
		b = x < y
	case 4:
		b = x > y
	case 5:
		b = x >= y
	case 6:
		b = x != 0 && y != 0
	case 7:
		b = x != 0 || y != 0
	}
	return int16(flag(b))
}

func (w *world) unlock(s *state, t int, in *instr) {
	l, me := s.lockOf(w, t, in), uint8(1)<<t
	held := &l.writers
	if program.LockKind(in.kind) == program.ReleaseRead {
		held = &l.readers
	}
	if *held&me == 0 {
		w.fail("unlock of a lock that is not held")
	}
	*held &^= me
}

func (w *world) call(s *state, t int, in *instr) {
	th := &s.threads[t]
	f := th.top()
	to := frame{code: int16(in.fn), obj: f.obj, regs: make([]reg, w.codes[in.fn].regs), rest: f.pending(), results: in.dsts}
	if in.obj >= 0 {
		to.obj = in.obj
	}
	for i, a := range in.args {
		to.regs[i] = f.regs[a]
	}
	if w.codes[in.fn].fn.Op && !th.inOp {
		to.began = true
		w.begin(s, t)
	}
	th.frames = append(th.frames, to)
	if len(th.frames) > 8 {
		w.fail("recursion")
	}
}

// leave returns from a function.
func (w *world) leave(s *state, t int, in *instr) {
	th := &s.threads[t]
	f := th.top()
	for i := len(f.defers) - 1; i >= 0; i-- {
		w.unlock(s, t, &f.defers[i])
	}
	th.frames = th.frames[:len(th.frames)-1]
	if th.done() {
		w.ended(s, t)
		return
	}
	to := th.top()
	for i, dst := range f.results {
		if i < len(in.args) {
			to.regs[dst] = f.regs[in.args[i]]
			to.regs[dst].t.control |= f.pending()
		}
	}
	if f.began {
		for i, a := range in.args {
			th.log = append(th.log, logged(w.codes[f.code].fn.Results[i], f.regs[a].v))
		}
		th.log = append(th.log, endOfOp)
		w.end(s, t)
	}
}

func (w *world) ended(s *state, t int) {
	switch program.Join(s.threads[t].join) {
	case program.WaitGroup, program.WaitGroupGo:
		s.running--
	case program.Channel:
		s.ended++
	}
}

func (w *world) begin(s *state, t int) {
	s.threads[t].inOp = true
	s.threads[t].looks = nil
	if w.serial {
		s.token = int8(t)
	}
}

// end ends an operation: what comes after it does not depend on its looks.
func (w *world) end(s *state, t int) {
	th := &s.threads[t]
	th.inOp, th.looks = false, nil
	for i := range th.frames {
		f := &th.frames[i]
		f.rest, f.control = 0, slices.Repeat([]uint32{0}, len(f.control))
		for r := range f.regs {
			f.regs[r].t = taint{}
		}
	}
	if w.serial {
		s.token = -1
	}
}
