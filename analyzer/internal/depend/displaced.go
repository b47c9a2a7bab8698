package depend

import (
	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// Put classifies the value that an instruction puts into a map, and tells whether it
// succeeds another one: the section that puts it in takes the one that is there by then,
// and ends it.
func (f *Func) Put(put *ssa.MapUpdate) access.Stored {
	f.put = put
	defer func() { f.put = nil }()
	stored := f.StoredUnder(put.Value, put.Key)
	if (stored == access.StoredIdentity || stored == access.StoredShared) && f.endsOld(put) {
		return access.StoredSuccessor
	}
	return stored
}

// endsOld reports whether the function looks up the entry that an instruction replaces, in
// the same section and before, and ends what it finds.
func (f *Func) endsOld(put *ssa.MapUpdate) bool {
	path, key := f.Paths.Of(put.Map), f.KeyOf(put.Key)
	if !path.Known() || !key.Known() {
		return false
	}
	for _, b := range f.Fn.Blocks {
		for _, instr := range b.Instrs {
			l, ok := instr.(*ssa.Lookup)
			if !ok || f.Paths.Of(l.X) != path || f.KeyOf(l.Index) != key {
				continue
			}
			if ssautil.Dominates(l, put) && f.SameSection(l, put) && ends(l, 0) {
				return true
			}
		}
	}
	return false
}

// maxEnded bounds the values that are followed from what was looked up to what ends it.
const maxEnded = 5

// ends reports whether a call ends a value, or a part of it.
func ends(v ssa.Value, depth int) bool {
	if depth > maxEnded {
		return false
	}
	for _, use := range *v.Referrers() {
		switch use := use.(type) {
		case ssa.CallInstruction:
			if endsReceiver(v, use.Common()) {
				return true
			}
		case *ssa.Extract:
			if use.Index == 0 && ends(use, depth+1) {
				return true
			}
		case *ssa.FieldAddr, *ssa.Field, *ssa.UnOp, *ssa.TypeAssert, *ssa.Phi:
			if ends(use.(ssa.Value), depth+1) {
				return true
			}
		}
	}
	return false
}

// endsReceiver reports whether a call is of a method that by its name ends the receiver, and
// v is that.
func endsReceiver(v ssa.Value, call *ssa.CallCommon) bool {
	fn, args := ssautil.Callee(call)
	if fn == nil || fn.Signature().Recv() == nil || len(args) == 0 || args[0] != v {
		return false
	}
	return role.Named(fn)&(role.Closer|role.Ending) != 0
}
