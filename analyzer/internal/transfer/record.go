package transfer

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/depend"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// An event is an access with what links it to others: the values that carry
// its outcome (for checks) and the values that it is computed from (for acts).
type event struct {
	acc      access.Access
	instr    ssa.Instruction
	outcomes []ssa.Value // carry the check's result
	presence []ssa.Value // those of outcomes that tell no more than presence
	senses   map[ssa.Value]depend.Sense
	misses   map[ssa.Value]depend.Sense // how outcomes tell presence where there is none
	val      ssa.Value                  // the map, if the function has its value
	value    ssa.Value                  // what the act writes
	key      ssa.Value                  // the act's key
	inputs   []ssa.Value                // for calls: the arguments
	from     []ssa.Value                // variables from which a literal computes what it writes
	addr     ssa.Value                  // the variable itself, where it is looked at or assigned
	asLook   *depend.Look
	reads    map[ssa.Value]accesspath.Path // results of the call that are values of counters
	versions []depend.Reading              // counters that a callee compares with arguments
}

// maxEvents bounds the accesses recorded of one function.
const maxEvents = 400

// record walks the function with the solved lock sets and notes each access.
func (a *analysis) record() {
	deferred := make(map[*ssa.Defer]locks.State)
	a.loads, a.loadedIn = make(map[ssa.Value]locks.State), make(map[any][]litRun)
	a.handedLocals()
	a.indexJoins()
	a.indexOnce()
	a.visitor()
	for i, b := range a.fn.Blocks {
		s := a.in[i]
		if s.IsTop() {
			continue // only a recovered panic comes here
		}
		for k, instr := range b.Instrs {
			a.at = ssautil.Point{Block: int32(i), Index: int32(k)}
			a.noteLoad(s, instr)
			if len(a.events) < maxEvents {
				a.instruction(s, instr)
			} else {
				a.cut("accesses of maps", maxEvents)
			}
			a.lockSteps(s, instr)
			if _, later := instr.(*ssa.Defer); !later {
				a.recordMark(s, instr)
			}
			a.stay(s, instr)
			if _, ok := instr.(*ssa.RunDefers); ok {
				a.atDefers(s, deferred)
			}
			if a.locks {
				s = a.step(s, instr)
			}
			if ret, ok := instr.(*ssa.Return); ok {
				a.exits = append(a.exits, leaving{s, ret})
				if s.Widened() {
					a.cut("cases of held locks", locks.MaxCases)
				}
			}
		}
	}
	a.leavingPlain()
	for _, d := range a.defers {
		a.at = a.pointOf(d)
		if s, ok := deferred[d]; ok {
			a.callEvents(s, d, a.effects[d], true)
			a.recordMark(s, d)
			a.elsewhere(s, d, summary.Deferred)
		}
	}
}

// maxLockSteps bounds the lock operations noted of one function.
const maxLockSteps = 64

// lockSteps notes where locks are taken and released, for interleavings.
func (a *analysis) lockSteps(held locks.State, instr ssa.Instruction) {
	c, ok := instr.(ssa.CallInstruction)
	if !ok || len(a.sum.Locking) >= maxLockSteps {
		return
	}
	e := a.effects[instr]
	if e == nil {
		return
	}
	_, deferred := instr.(*ssa.Defer)
	at := a.at
	at.Deferred = deferred
	add := func(step summary.LockStep) {
		step.Pos, step.Point, step.Held, step.Deferred = c.Pos(), at, held, deferred
		a.sum.Locking = append(a.sum.Locking, step)
	}
	for _, d := range e.does {
		for _, l := range d.Exit().Locks() {
			if l.Can&locks.Left != 0 {
				add(summary.LockStep{Lock: l.Path})
			}
			if l.Can&locks.Taken != 0 {
				add(summary.LockStep{Lock: l.Path, Acquire: true, Sec: l.Sec})
			}
		}
	}
}

// pointOf returns the point of a deferred call.
func (a *analysis) pointOf(d *ssa.Defer) ssautil.Point {
	i := slices.Index(d.Block().Instrs, ssa.Instruction(d))
	return ssautil.Point{Block: int32(d.Block().Index), Index: int32(i), Deferred: true}
}

// atDefers notes under which locks each deferred call runs: after those that
// were registered later, on the paths that registered it.
func (a *analysis) atDefers(s locks.State, deferred map[*ssa.Defer]locks.State) {
	var lattice locks.Lattice
	if !a.locks {
		for _, d := range a.defers {
			deferred[d] = s
		}
		return
	}
	s = a.uncounted(s, func(d *ssa.Defer, s locks.State) { deferred[d] = lattice.Merge(deferred[d], s) })
	s.RunDefers(func(n int, s locks.State) locks.State {
		d := a.defers[n]
		deferred[d] = lattice.Merge(deferred[d], s)
		return a.apply(a.effects[d], s)
	})
}

func (a *analysis) instruction(s locks.State, instr ssa.Instruction) {
	a.leak(s, instr)
	switch instr := instr.(type) {
	case *ssa.Lookup:
		if ssautil.IsMap(instr.X.Type()) {
			a.lookup(s, instr)
		}
	case *ssa.Next:
		if r, ok := instr.Iter.(*ssa.Range); ok && ssautil.IsMap(r.X.Type()) {
			a.walk(s, instr, r)
		}
	case *ssa.MapUpdate:
		a.add(event{
			acc: access.Access{
				Path: a.Paths.Of(instr.Map), Key: a.dep.KeyOf(instr.Key), Op: access.Insert, Held: s,
				Pos: instr.Pos(), Stored: a.dep.Put(instr), Value: a.Paths.Of(instr.Value),
				NewKey: a.dep.UniqueKey(instr.Key),
			},
			instr: instr, val: instr.Map, value: instr.Value, key: instr.Key,
		})
	case *ssa.Store:
		a.store(s, instr)
	case *ssa.BinOp:
		a.nilTest(s, instr)
	case *ssa.Return:
		a.returned(s, instr)
	case *ssa.Call:
		if e := a.effects[instr]; e != nil {
			a.callEvents(s, instr, e, false)
		}
		a.elsewhere(s, instr, summary.Direct)
		a.leavingResult(instr)
	case *ssa.Go:
		a.goEvents(s, instr)
	case *ssa.MakeClosure:
		a.closure(instr)
	}
}

func pick(ps ...token.Pos) token.Pos {
	for _, p := range ps {
		if p.IsValid() {
			return p
		}
	}
	return token.NoPos
}

func (a *analysis) lookup(s locks.State, instr *ssa.Lookup) {
	e := event{
		acc:      access.Access{Path: a.Paths.Of(instr.X), Key: a.dep.KeyOf(instr.Index), Op: access.Lookup, Held: s, Pos: instr.Pos()},
		instr:    instr,
		val:      instr.X,
		outcomes: []ssa.Value{instr},
	}
	if instr.CommaOk {
		e.outcomes, e.presence = ssautil.CommaOk(instr)
	}
	e.senses = depend.Tell(e.outcomes)
	a.add(e)
}

// walk notes a range over a map; one that looks for a key is a look at it.
func (a *analysis) walk(s locks.State, instr *ssa.Next, r *ssa.Range) {
	outcomes := ssautil.Extracts(instr)
	keys := slices.DeleteFunc(slices.Clone(outcomes), func(v ssa.Value) bool { return v.(*ssa.Extract).Index == 2 })
	senses, sought := a.dep.Finds(keys)
	e := event{
		acc:   access.Access{Path: a.Paths.Of(r.X), Op: access.Range, Held: s, Pos: pick(instr.Pos(), r.Pos(), r.X.Pos())},
		instr: instr, val: r.X, outcomes: outcomes, presence: keys, senses: senses,
	}
	if len(keys) == len(outcomes) && len(keys) == 1 {
		e.presence = nil // it does no more than count
	}
	if sought != nil && a.dep.Seeks(senses, outcomes) {
		e.acc.Key = a.dep.KeyOf(sought)
	}
	a.add(e)
}

func (a *analysis) store(s locks.State, instr *ssa.Store) {
	t := ssautil.Pointee(instr.Addr.Type())
	if !ssautil.IsMap(t) {
		a.grow(s, instr)
		return
	}
	switch instr.Addr.(type) {
	case *ssa.Alloc:
		return // a variable of this function
	case *ssa.FreeVar:
		if a.Paths.Of(instr.Addr).Depth() > 0 {
			return // a variable that stands for a map it was given
		}
	}
	stored := access.StoredIdentity
	if c, ok := instr.Val.(*ssa.Const); ok && c.Value == nil {
		stored = access.StoredNone
	}
	a.add(event{
		acc:   access.Access{Path: a.Paths.Of(instr.Addr), Op: access.Assign, Held: s, Pos: instr.Pos(), Stored: stored, Value: a.Paths.Of(instr.Val), Empty: emptyMap(instr.Val), First: a.dep.BehindNil(instr)},
		instr: instr, value: instr.Val, addr: instr.Addr,
	})
}

// grow notes x.list = append(x.list, …) on an object that a map may hold.
func (a *analysis) grow(s locks.State, instr *ssa.Store) {
	c, ok := instr.Val.(*ssa.Call)
	if !ok || !grows(c) {
		return
	}
	if p := a.Paths.Of(instr.Addr); p.LastField() != nil && a.Paths.Of(c.Call.Args[0]) == p {
		a.add(event{acc: access.Access{Path: p, Op: access.Grow, Held: s, Pos: instr.Pos()}, instr: instr})
	}
}

// emptyMap reports whether v is a new map into which this function puts
// nothing.
func emptyMap(v ssa.Value) bool {
	m, ok := v.(*ssa.MakeMap)
	if !ok {
		return false
	}
	for _, r := range *m.Referrers() {
		if up, ok := r.(*ssa.MapUpdate); ok && up.Map == v {
			return false
		}
	}
	return true
}

func (a *analysis) nilTest(s locks.State, instr *ssa.BinOp) {
	if instr.Op != token.EQL && instr.Op != token.NEQ || !ssautil.IsMap(instr.X.Type()) {
		return
	}
	x := instr.X
	if c, ok := x.(*ssa.Const); ok && c.Value == nil {
		x = instr.Y
	}
	load, ok := x.(*ssa.UnOp)
	if !ok {
		return // tests a value that was looked up, not the variable
	}
	if a.inCopy(load.X) {
		return
	}
	acc := access.Access{Path: a.Paths.Of(x), Op: access.NilTest, Held: s, Pos: pick(instr.Pos(), x.Pos())}
	acc.Fetch, acc.Fetched = a.fetched(load)
	a.add(event{
		acc: acc, instr: instr, outcomes: []ssa.Value{instr}, presence: []ssa.Value{instr}, addr: load.X,
		senses: map[ssa.Value]depend.Sense{instr: depend.TrueIfPresent.If(instr.Op == token.NEQ)},
	})
}

// returned notes guarded maps that leave the function as they are.
func (a *analysis) returned(s locks.State, instr *ssa.Return) {
	for i := range instr.Results {
		v := a.walkedLater(ssautil.Unwrap(ssautil.Returned(instr, i)))
		if !ssautil.IsMap(v.Type()) {
			continue
		}
		p := a.Paths.Of(v)
		if p.Location().Valid() {
			a.add(event{acc: access.Access{Path: p, Op: access.Return, Held: s, Pos: pick(instr.Pos(), v.Pos())}, instr: instr, val: v})
		}
	}
}

// walkedLater returns the map that an iterator walks when it is run, as maps.Keys
// gives one; else v itself. Who returns the iterator returns the map.
func (a *analysis) walkedLater(v ssa.Value) ssa.Value {
	c, ok := v.(*ssa.Call)
	if !ok {
		return v
	}
	e := a.effects[c]
	if _, iterator := v.Type().Underlying().(*types.Signature); iterator && e != nil && e.model.Kind == model.MapRead && e.recv != nil {
		return e.recv
	}
	return v
}

// add records an event if its map can be shared, or be a caller's.
func (a *analysis) add(e event) {
	p := e.acc.Path
	if !p.Location().Valid() && p.Root().Kind != accesspath.Param && !a.sharedLocal(p) {
		return // a map of this call alone
	}
	if e.val != nil && !e.acc.Lifted {
		e.acc.Fetch, e.acc.Fetched = a.fetched(e.val)
		e.acc.Carried = carried(e.val)
	}
	a.throughBodies(&e)
	a.ownedAt(&e)
	a.noteWaits(&e.acc, e.val, e.instr)
	if flag := a.claim(e.instr); e.acc.Path.OneWith(flag, a.Fixed) {
		e.acc.Claim = flag
	} else if flag.HasPrefix(p) {
		e.acc.Singled = flag
	}
	e.acc.Point = a.at
	if e.acc.When.Param == 0 {
		e.acc.When = a.dep.When(e.instr)
	}
	a.events = append(a.events, &e)
}

// sharedLocal reports whether p belongs to a local object that goroutines get,
// or that a literal captures from the function around it.
func (a *analysis) sharedLocal(p accesspath.Path) bool {
	v := p.Root().Val
	if v == nil || p.Root().Kind != accesspath.Value {
		return false
	}
	return a.handed[v] || v.Parent() != nil && v.Parent() != a.fn
}

// modelOps are the accesses that library functions make.
var modelOps = map[model.Kind]access.Op{
	model.MapRead: access.Range, model.MapWrite: access.Clear, model.MapLen: access.Len,
	model.MapLookup: access.Lookup, model.MapInsert: access.Insert, model.MapDelete: access.Delete,
	model.ConcurrentLoad: access.Load, model.ConcurrentStore: access.Store,
	model.ConcurrentDelete: access.Remove, model.ConcurrentRange: access.Visit, model.ConcurrentAtomic: access.Atomic,
}
