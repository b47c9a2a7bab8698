package ssautil

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Some reports whether an instruction of a function suits.
func Some(fn *ssa.Function, suits func(ssa.Instruction) bool) bool {
	return slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool { return slices.ContainsFunc(b.Instrs, suits) })
}

// OnlyUse returns what alone uses a value, through changes of its type; nil if several do, or nothing does.
func OnlyUse(v ssa.Value) (only ssa.Instruction) {
	for _, r := range *v.Referrers() {
		if _, debug := r.(*ssa.DebugRef); debug {
			continue
		}
		if only != nil {
			return nil
		}
		only = r
	}
	if change, ok := only.(*ssa.ChangeType); ok {
		return OnlyUse(change)
	}
	return only
}

// UsedInPlace reports whether a map goes nowhere: it is looked at, or changed, and no more.
func UsedInPlace(m ssa.Value) bool { return KeptIn(m, nil) }

// KeptIn is UsedInPlace of a map that is put into one place, too.
func KeptIn(m ssa.Value, place *ssa.Store) bool {
	for _, r := range *m.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.Lookup, *ssa.Range, *ssa.BinOp:
		case *ssa.MapUpdate:
			if r.Map != m || r.Value == m {
				return false
			}
		case *ssa.Store:
			if r != place || r.Val != m {
				return false
			}
		case *ssa.Call:
			if b, ok := r.Call.Value.(*ssa.Builtin); !ok || b.Name() != "len" && b.Name() != "delete" && b.Name() != "clear" {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// Again reports whether a loop leads back to a block on a way that passes none of some blocks.
func Again(at *ssa.BasicBlock, without map[*ssa.BasicBlock]bool) bool {
	return !without[at] && reaches(at, at, without)
}

// reaches reports whether control goes on from a block to another one on a way that passes none of some
// blocks. Complexity: linear in the blocks.
func reaches(from, to *ssa.BasicBlock, without map[*ssa.BasicBlock]bool) bool {
	seen := make(map[*ssa.BasicBlock]bool)
	for work := []*ssa.BasicBlock{from}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, next := range b.Succs {
			if next == to {
				return true
			}
			if !seen[next] && !without[next] {
				seen[next] = true
				work = append(work, next)
			}
		}
	}
	return false
}

// Follows reports whether, whatever way control goes on from an instruction, one that ends the way comes, and none that
// breaks it before. A way that leads round and round has no end. Complexity: linear in the instructions.
func Follows(from ssa.Instruction, ends, breaks func(ssa.Instruction) bool) bool {
	b := from.Block()
	seen := make(map[*ssa.BasicBlock]bool)
	type rest struct {
		b     *ssa.BasicBlock
		first int
	}
	for work := []rest{{b, slices.Index(b.Instrs, from) + 1}}; len(work) > 0; {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		n := slices.IndexFunc(at.b.Instrs[at.first:], func(i ssa.Instruction) bool { return ends(i) || breaks(i) })
		if n >= 0 {
			if !ends(at.b.Instrs[at.first+n]) {
				return false
			}
			continue
		}
		if len(at.b.Succs) == 0 {
			return false
		}
		for _, next := range at.b.Succs {
			if seen[next] {
				continue
			}
			seen[next] = true
			work = append(work, rest{next, 0})
		}
	}
	return true
}
