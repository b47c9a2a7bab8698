package transfer

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/depend"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// A function can work without the lock between a look and an act, and ask in the act's section whether a
// counter still has the value that it had at the look. Where each change of the map counts it up in its own
// section, the look is as good as a new one. What is told here: which counters a change counts up, whatever
// way it takes through its section, and which ones a pair compares.

// A counting is an instruction that counts a counter up, by itself or in a callee.
type counting struct {
	at      ssa.Instruction
	counter accesspath.Path
	held    locks.State
}

// maxCountings bounds the places of one function where counters are counted up.
const maxCountings = 32

// countings returns where the function counts up.
func (a *analysis) countings() (out []counting) {
	for _, b := range a.fn.Blocks {
		if a.in[b.Index].IsTop() {
			continue
		}
		for _, instr := range b.Instrs {
			for _, p := range a.countedBy(instr) {
				if len(out) >= maxCountings {
					a.cut("places where counters are counted up", maxCountings)
					return out
				}
				out = append(out, counting{instr, p, a.stateAt(instr)})
			}
		}
	}
	return out
}

// countedBy returns the counters that an instruction counts up, in a callee whatever that does.
func (a *analysis) countedBy(instr ssa.Instruction) []accesspath.Path {
	if p := a.dep.Counted(instr); p.Known() {
		return []accesspath.Path{p}
	}
	call, ok := instr.(*ssa.Call)
	if !ok || call.Call.StaticCallee() == nil {
		return nil
	}
	fn, args := ssautil.Callee(&call.Call)
	if fn == nil {
		return nil
	}
	t := target{key: fn.Origin(), sum: a.Summary(fn.Origin()), args: args}
	if t.sum == nil {
		return nil
	}
	return a.substituteAll(t.sum.Counts, &t, call)
}

// versions notes the counters that the function's changes of maps count up, and that it counts up itself
// wherever it returns, in the sections of its caller.
func (a *analysis) versions() {
	all := a.countings()
	for i := range a.events {
		e := a.events[i]
		acc := &a.sum.Accesses[i]
		if e.acc.Spawned || !e.acc.Op.Writes() {
			continue
		}
		acc.Versions = a.versionsOf(e)
		acc.Increments = !e.acc.Lifted && a.dep.Counted(e.instr).Known()
		if e.acc.Point.Deferred || !a.inPlace(e) {
			continue // of a callee that has a section of its own, its own countings count
		}
		for _, c := range all {
			if a.countedWith(e, c) && !slices.Contains(acc.Counts, c.counter) {
				acc.Counts = append(slices.Clip(acc.Counts), c.counter)
			}
		}
	}
	for _, c := range all {
		if together(a.entry(), c.held) && a.whenever(c.at) && !slices.Contains(a.sum.Counts, c.counter) {
			a.sum.Counts = append(a.sum.Counts, c.counter)
		}
	}
}

// whenever reports whether the function comes to an instruction before it returns, whatever happens.
func (a *analysis) whenever(at ssa.Instruction) bool {
	return !slices.ContainsFunc(depend.Returns(a.fn), func(r *ssa.Return) bool { return !ssautil.Dominates(at, r) })
}

// countedWith reports whether a counter is counted up in the section of a change on each way that leads
// through that.
func (a *analysis) countedWith(e *event, c counting) bool {
	if c.at == e.instr {
		return true
	}
	return together(c.held, e.acc.Held) && (ssautil.Dominates(c.at, e.instr) || a.alwaysAfter(e.instr, c.at))
}

// alwaysAfter reports whether each way from an instruction leads to another one before locks change hands
// and before the function returns. Complexity: linear in the function.
func (a *analysis) alwaysAfter(from, to ssa.Instruction) bool {
	seen := make([]bool, len(a.fn.Blocks))
	start := slices.Index(from.Block().Instrs, from) + 1
	type step struct {
		b     *ssa.BasicBlock
		begin int
	}
	for work := []step{{from.Block(), start}}; len(work) > 0; {
		w := work[len(work)-1]
		work = work[:len(work)-1]
		found := false
		for _, instr := range w.b.Instrs[w.begin:] {
			if found = instr == to; found {
				break
			}
			if a.endsSection(instr) {
				return false
			}
		}
		if found {
			continue
		}
		for _, next := range w.b.Succs {
			if !seen[next.Index] {
				seen[next.Index] = true
				work = append(work, step{next, 0})
			}
		}
	}
	return true
}

// endsSection reports whether a section may end at an instruction.
func (a *analysis) endsSection(instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.Return, *ssa.RunDefers:
		return true
	case *ssa.Call:
		e := a.effects[instr]
		return e != nil && e.changesLocks()
	}
	return a.channels[instr] != 0
}

// versionsOf returns the counters that a change finds, in its section, to have certain values.
func (a *analysis) versionsOf(e *event) (out []access.Version) {
	for _, r := range a.readings(e) {
		if p := a.Paths.Of(r.Equal); r.Counter.Known() && p.Root().Kind == accesspath.Param && p.Depth() == 0 {
			out = append(out, access.Version{Counter: r.Counter, Equal: p})
		}
	}
	return out
}

// readings returns the counters that are found to be equal to something in the section of a change.
func (a *analysis) readings(e *event) []depend.Reading {
	out := slices.Clone(e.versions)
	if e.acc.Point.Deferred || !a.inPlace(e) {
		return out
	}
	for _, r := range a.dep.Readings(e.instr) {
		if a.inOneSection(r.At, e.instr) {
			out = append(out, r)
		}
	}
	return out
}

// inOneSection reports whether two instructions lie in one critical section, which may be a caller's.
func (a *analysis) inOneSection(x, y ssa.Instruction) bool {
	return together(a.stateAt(x), a.stateAt(y))
}

func together(x, y locks.State) bool { return locks.SameSections(x, y) && locks.SameSections(y, x) }

// compared notes the pairs whose act is made only where a counter has the value that it had at the look.
func (a *analysis) compared() {
	for _, p := range a.sum.Pairs {
		c := a.events[p.Check]
		for _, r := range a.readings(a.events[p.Act]) {
			v := summary.Version{Check: p.Check, Act: p.Act, Counter: r.Counter}
			if r.Counter.Known() && a.readBy(c, a.events[p.Act].instr, r) && !slices.Contains(a.sum.Versions, v) {
				a.sum.Versions = append(a.sum.Versions, v)
			}
		}
	}
}

// readBy reports whether the value to which a counter is equal at an act was read from it in the section
// of a look, or before.
func (a *analysis) readBy(c *event, act ssa.Instruction, r depend.Reading) bool {
	if from, ok := c.reads[r.Equal]; ok {
		return from == r.Counter
	}
	p, at := a.dep.Version(r.Equal)
	if at == nil || p != r.Counter || at == c.instr {
		return false
	}
	if ssautil.Dominates(at, c.instr) {
		return ssautil.Dominates(c.instr, act)
	}
	return ssautil.Dominates(c.instr, at) && a.inPlace(c) && a.inOneSection(c.instr, at)
}

// countersGiven notes the results that are values of counters, with the looks in whose sections these are read, or after.
func (a *analysis) countersGiven(rets []*ssa.Return) {
	for i := range a.sum.Results {
		p, at := a.versionGiven(rets, i)
		if at == nil {
			continue
		}
		res := &a.sum.Results[i]
		res.Counter = p
		r := depend.Reading{Counter: p, At: at, Equal: ssautil.ResultAt(rets[0], i)}
		for ci, c := range a.events {
			if c.acc.Op.Checks() && !slices.ContainsFunc(rets, func(ret *ssa.Return) bool { return !a.readBy(c, ret, r) }) {
				res.CountedAt = append(res.CountedAt, ci)
			}
		}
	}
}

// versionGiven returns the counter that a result is read from, and where that is, if it is one place.
func (a *analysis) versionGiven(rets []*ssa.Return, i int) (p accesspath.Path, at ssa.Instruction) {
	for _, r := range rets {
		q, read := a.dep.Version(ssautil.ResultAt(r, i))
		if read == nil || at != nil && (read != at || p != q) {
			return accesspath.Path{}, nil
		}
		p, at = q, read
	}
	return p, at
}

// counterOf returns the counter of which a result of a call is the value.
func (a *analysis) counterOf(call *ssa.Call, i int) accesspath.Path {
	fn, args := ssautil.Callee(&call.Call)
	if fn == nil || call.Call.IsInvoke() {
		return accesspath.Path{}
	}
	t := target{key: fn.Origin(), sum: a.Summary(fn.Origin()), args: args}
	if t.sum == nil || i >= len(t.sum.Results) {
		return accesspath.Path{}
	}
	return a.substitute(t.sum.Results[i].Counter, t, call)
}

// throughCounters adds the results of a call that have been read from counters in the section of the callee's
// i-th access, or before.
func (a *analysis) throughCounters(ev *event, t *target, i int, results []ssa.Value) {
	for j, r := range t.sum.Results {
		if !slices.Contains(r.CountedAt, i) || j >= len(results) || results[j] == nil {
			continue
		}
		if p := a.substitute(r.Counter, *t, ev.instr); p.Known() {
			if ev.reads == nil {
				ev.reads = make(map[ssa.Value]accesspath.Path)
			}
			ev.reads[results[j]] = p
		}
	}
}

// liftVersions puts what is known of counters at a callee's access in the caller's terms.
func (a *analysis) liftVersions(ev *event, acc *access.Access, t *target) {
	ev.acc.Counts = a.substituteAll(acc.Counts, t, ev.instr)
	ev.acc.Versions = nil
	ev.acc.Beside = accesspath.Path{}
	if acc.Beside.Known() {
		ev.acc.Beside = a.substitute(acc.Beside, *t, ev.instr)
	}
	for _, v := range acc.Versions {
		p, k := a.substitute(v.Counter, *t, ev.instr), v.Equal.Root()
		if p.Known() && k.Fn == t.key && k.Index < len(t.args) {
			ev.versions = append(ev.versions, depend.Reading{Counter: p, At: ev.instr, Equal: t.args[k.Index]})
		}
	}
}
