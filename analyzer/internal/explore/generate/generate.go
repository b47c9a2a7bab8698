package generate

import (
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/mapguard/mapguard/analyzer/internal/explore/program"
)

// A maker makes one program.
type maker struct {
	r *rand.Rand
	p *program.Program
	// sloppy is how many operations may still be kept in a way that may be
	// wrong.
	sloppy int
	style  style
	// guards are the locks of the maps, filled those that an operation inserts
	// into while they are empty.
	guards []int
	filled [2]bool
}

// A style is what keeps the maps of a program.
type style int

const (
	locked style = iota // locks, most of the time
	free                // nothing at all
	owned               // a goroutine that is sent requests
)

// Program returns the program of a seed, always the same one. It may be none
// that makes sense: machine.Judge says so.
func Program(seed int64) *program.Program {
	mk := &maker{r: rand.New(rand.NewPCG(uint64(seed), 42)), p: &program.Program{Seed: seed}}
	mk.layout()
	n := 2 + mk.r.IntN(3)
	for i := range n {
		mk.operation(i, n)
	}
	mk.fill()
	mk.makeFirst()
	if !mk.p.Documented {
		mk.main()
	}
	mk.noise()
	slices.Sort(mk.p.Tags)
	mk.p.Tags = slices.Compact(mk.p.Tags)
	return mk.p
}

func (mk *maker) chance(p float64) bool { return mk.r.Float64() < p }

func (mk *maker) tag(tags ...string) { mk.p.Tags = append(mk.p.Tags, tags...) }

// layout draws what stands around the operations.
func (mk *maker) layout() {
	p := mk.p
	p.Documented = mk.chance(0.6)
	p.Objects = 1
	mk.sloppy = [...]int{0, 0, 0, 1, 1, 1, 1, 3}[mk.r.IntN(8)]
	switch x := mk.r.Float64(); {
	case x < 0.07:
		mk.style, p.Owners = owned, 1
		if mk.chance(0.1) {
			p.Owners = 2
			mk.tag("two owners")
		}
		mk.tag("owner")
	case x < 0.15:
		mk.style = free
		mk.tag("no locks")
	}
	p.Global = mk.style != owned && mk.chance(0.15)
	for range 1 + mk.r.IntN(4)/3 {
		p.Maps = append(p.Maps, &program.Map{Name: [...]string{"m", "index"}[len(p.Maps)], Elem: program.Type(mk.r.IntN(3))})
	}
	if mk.style == locked {
		p.Locks = append(p.Locks, &program.Lock{Name: "mu", RW: mk.chance(0.5), Above: mk.chance(0.7)})
		if mk.chance(0.25) {
			p.Locks = append(p.Locks, &program.Lock{Name: "other", RW: mk.chance(0.3), Above: mk.chance(0.3)})
		}
	}
	for i := range p.Maps {
		mk.guards = append(mk.guards, i%max(1, len(p.Locks)))
	}
	if p.Documented {
		mk.tag("documented")
	} else {
		mk.tag("goroutines")
	}
	if p.Global {
		mk.tag("package-level")
	}
}

func (mk *maker) guard(m int) int { return mk.guards[m] }

// operation adds the i-th operation of n.
func (mk *maker) operation(i, n int) {
	o := &operation{maker: mk, m: mk.r.IntN(len(mk.p.Maps)), max: 2, pick: mk.r.IntN(6)}
	o.other = len(mk.p.Maps) - 1 - o.m
	o.key, o.val = ref("k"), o.valueOf("val")
	decides := i == 0 || mk.chance(0.45)
	for range 20 {
		o.fn = &program.Func{Op: true}
		o.via = inline
		funcs, tags := len(mk.p.Funcs), len(mk.p.Tags)
		if decides && mk.decision(o) || !decides && mk.plainOp(o) {
			mk.p.Funcs = append(mk.p.Funcs, o.fn)
			return
		}
		mk.p.Funcs, mk.p.Tags = mk.p.Funcs[:funcs], mk.p.Tags[:tags]
	}
}

// fill adds an operation that inserts where none does: empty maps teach
// nothing.
func (mk *maker) fill() {
	for m := range mk.p.Maps {
		if mk.filled[m] {
			continue
		}
		o := &operation{maker: mk, m: m, other: m, key: ref("k"), fn: &program.Func{Op: true}}
		o.val = o.valueOf("val")
		for _, pl := range plains {
			if pl.name == "put" && mk.named(o, [...]string{"put", "putOther"}[m], true) {
				mk.keepPlain(o, &pl)
				mk.p.Funcs = append(mk.p.Funcs, o.fn)
			}
		}
	}
}

// makeFirst makes maps that the constructor leaves nil before each insert.
func (mk *maker) makeFirst() {
	for _, f := range mk.p.Funcs {
		f.Body = mk.making(f.Body)
	}
}

func (mk *maker) making(body []program.Stmt) []program.Stmt {
	var out []program.Stmt
	for _, s := range body {
		m := -1
		switch s := s.(type) {
		case *program.Set:
			m = s.Map
		case *program.Add:
			m = s.Map
		}
		if m >= 0 && mk.p.Maps[m].Lazy {
			out = append(out, when(&program.IsNil{Map: m}, &program.Make{Map: m}))
		}
		for _, b := range program.Blocks(s) {
			*b = mk.making(*b)
		}
		out = append(out, s)
	}
	return out
}

// valueOf returns the value parameter as an element of the map.
func (o *operation) valueOf(name string) program.Expr {
	switch o.elem() {
	case program.Bool:
		return truth(true)
	case program.Item:
		return &program.NewItem{N: ref(name)}
	}
	return ref(name)
}

// named gives the function its name and parameters, or says that the name is
// taken.
func (mk *maker) named(o *operation, name string, val bool) bool {
	if mk.p.Documented {
		name = strings.ToUpper(name[:1]) + name[1:]
	}
	for _, f := range mk.p.Funcs {
		if strings.EqualFold(f.Name, name) {
			return false
		}
	}
	o.fn.Name = name
	o.fn.Params = []program.Param{{Name: "k", Type: program.Int}}
	if val && o.elem() != program.Bool {
		o.fn.Params = append(o.fn.Params, program.Param{Name: "val", Type: program.Int})
	}
	return true
}

func lower(name string) string { return strings.ToLower(name[:1]) + name[1:] }

// decision makes an operation of a recipe and a plan.
func (mk *maker) decision(o *operation) bool {
	o.recipe = &recipes[mk.r.IntN(len(recipes))]
	r := o.recipe
	if r.elems != nil && !slices.Contains(r.elems, o.elem()) || !mk.named(o, r.name, r.val) {
		return false
	}
	if r.look != nil && (r.name == "cross" || r.name == "crossRemove") && mk.guards[o.m] != mk.guards[o.other] {
		return false // two maps under two locks are for other plans
	}
	o.fn.Results = r.results(o.elem())
	if r.lazy {
		mk.p.Maps[o.m].Lazy = true
	}
	pl := mk.plan()
	if mk.style == locked && mk.chance(0.12) {
		o.via = bare
		mk.tag("bare helpers")
	}
	o.fn.Body = pl.body(o)
	mk.tag("does "+r.name, "plan "+pl.name)
	if o.fn.Body == nil {
		return false
	}
	mk.filled[o.m] = mk.filled[o.m] || r.inserts
	if pl.kind != right {
		mk.sloppy--
	}
	return true
}

// plan draws a plan that goes with the style.
func (mk *maker) plan() *plan {
	switch mk.style {
	case free:
		return &plan{name: "bare", body: func(o *operation) []program.Stmt { return o.whole() }}
	case owned:
		return mk.ownerPlan()
	}
	from, kind := right, mk.r.IntN(20)
	if mk.sloppy > 0 {
		from = apart
		if kind < 6 {
			from = racy
		}
	}
	for {
		if pl := &plans[mk.r.IntN(len(plans))]; pl.kind == from {
			return pl
		}
	}
}

// plainOp makes an operation without a decision.
func (mk *maker) plainOp(o *operation) bool {
	pl := &plains[mk.r.IntN(len(plains))]
	if pl.elems != nil && !slices.Contains(pl.elems, o.elem()) || !mk.named(o, pl.name, pl.val) {
		return false
	}
	if pl.all {
		o.fn.Params = nil
	}
	o.fn.Results = pl.results(o.elem())
	return mk.keepPlain(o, pl)
}

// keepPlain writes a plain operation as the program's style has it.
func (mk *maker) keepPlain(o *operation, pl *plain) bool {
	mk.tag("does " + pl.name)
	mk.filled[o.m] = mk.filled[o.m] || pl.name == "put" || pl.name == "add"
	switch {
	case mk.style == owned:
		return mk.ownPlain(o, pl)
	case mk.style == free:
		o.fn.Body = pl.body(o)
	case mk.sloppy > 0 && mk.chance(0.08):
		mk.sloppy--
		mk.tag("plain without lock")
		o.fn.Body = pl.body(o)
	default:
		mk.plainLocked(o, pl)
	}
	return true
}

// plainLocked puts a plain operation under the lock, for reading where that is
// enough.
func (mk *maker) plainLocked(o *operation, pl *plain) {
	lock := o.lock()
	if mk.chance(0.15) {
		o.via = bare
	}
	read := pl.read && o.rw() && mk.chance(0.8)
	if !pl.read && o.rw() && mk.sloppy > 0 && mk.chance(0.04) {
		mk.sloppy--
		mk.tag("plain write under a read lock")
		read = true
	}
	o.fn.Body = mk.under(lock, read, pl.body(o))
}
