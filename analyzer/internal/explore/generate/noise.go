package generate

import "github.com/mapguard/mapguard/analyzer/internal/explore/program"

// noise adds what does not change what operations do: guards at their head,
// acts that contradicting conditions keep from running, callbacks, looks that
// nothing depends on.
func (mk *maker) noise() {
	for _, f := range mk.p.Ops() {
		if mk.chance(0.01) {
			mk.contradiction(f)
		}
		if mk.hasKey(f) && mk.chance(0.1) {
			mk.tag("guard at the head")
			f.Body = append([]program.Stmt{when(bin(ref("k"), "<", num(1)), ret(zeros(f.Results)...))}, f.Body...)
		}
		if mk.hasKey(f) && mk.chance(0.08) {
			mk.callback(f)
		}
		if mk.style == locked && mk.chance(0.07) {
			mk.idleLook(f)
		}
	}
}

func (mk *maker) hasKey(f *program.Func) bool { return len(f.Params) > 0 }

// contradiction adds an act without a lock that cannot run.
func (mk *maker) contradiction(f *program.Func) {
	if !mk.hasKey(f) {
		return
	}
	mk.tag("contradiction")
	m := mk.r.IntN(len(mk.p.Maps))
	var act program.Stmt = &program.Delete{Map: m, Key: ref("k")}
	if mk.chance(0.4) && !mk.p.Maps[m].Lazy {
		act = &program.Set{Map: m, Key: ref("k"), X: mk.constant(m)}
	}
	dead := &program.If{Dead: true, Cond: bin(ref("k"), ">", num(2)), Then: []program.Stmt{when(bin(ref("k"), "<", num(2)), act)}}
	if mk.chance(0.5) {
		dead.Cond, dead.Then = bin(bin(ref("k"), "==", num(1)), "&&", bin(ref("k"), "==", num(2))), []program.Stmt{act}
	}
	f.Body = append([]program.Stmt{dead}, f.Body...)
}

// callback calls the user back before the end.
func (mk *maker) callback(f *program.Func) {
	mk.tag("callback")
	at := len(f.Body)
	if ends(f.Body) {
		at--
	}
	f.Body = join(f.Body[:at:at], []program.Stmt{&program.Emit{Key: ref("k")}}, f.Body[at:])
}

// idleLook measures the map under its lock, for a callback alone or for
// nothing.
func (mk *maker) idleLook(f *program.Func) {
	mk.tag("idle look")
	m := mk.r.IntN(len(mk.p.Maps))
	look := section(mk.guard(m), false, []program.Stmt{define(&program.Len{Map: m}, "size")})
	if mk.chance(0.5) {
		look = append(look, when(bin(ref("size"), ">", num(5)), &program.Emit{Key: num(0)}))
	}
	f.Body = append(look, f.Body...)
}
