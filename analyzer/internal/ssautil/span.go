package ssautil

import "golang.org/x/tools/go/ssa"

// Spans number the blocks of a function so that two numbers tell which one dominates which.
type Spans struct {
	spans  []Span
	always []bool
}

// A Span are the numbers of a block and of the last one that it dominates, from 1 on; 0 for a block to which control
// does not come from the function's entry.
type Span struct{ First, Last int32 }

// Holds reports whether a block with the span dominates one with the other span.
func (s Span) Holds(o Span) bool { return s.First > 0 && s.First <= o.First && o.Last <= s.Last }

// NewSpans numbers a function's blocks in preorder of the dominator tree. Complexity: linear in its blocks.
func NewSpans(fn *ssa.Function) *Spans {
	s := &Spans{spans: make([]Span, len(fn.Blocks)), always: make([]bool, len(fn.Blocks))}
	if len(fn.Blocks) == 0 {
		return s
	}
	type visit struct {
		b    *ssa.BasicBlock
		next int
	}
	number := int32(1)
	s.spans[fn.Blocks[0].Index].First = number
	for path := []visit{{b: fn.Blocks[0]}}; len(path) > 0; {
		at := &path[len(path)-1]
		if at.next == len(at.b.Dominees()) {
			s.spans[at.b.Index].Last = number
			path = path[:len(path)-1]
			continue
		}
		below := at.b.Dominees()[at.next]
		at.next++
		number++
		s.spans[below.Index].First = number
		path = append(path, visit{b: below})
	}
	s.mark(fn)
	return s
}

// mark notes the blocks that dominate all returns. A function that may return in spite of a panic is in none in any case.
func (s *Spans) mark(fn *ssa.Function) {
	if MayRecover(fn) {
		return
	}
	returns, passed := 0, make([]int, len(fn.Blocks))
	for _, b := range fn.Blocks {
		if _, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); !ok || s.spans[b.Index].First == 0 {
			continue
		}
		returns++
		for at := b; at != nil; at = at.Idom() {
			passed[at.Index]++
		}
	}
	for i, n := range passed {
		s.always[i] = n == returns && returns > 0
	}
}

// Of returns the span of a block.
func (s *Spans) Of(b *ssa.BasicBlock) Span { return s.spans[b.Index] }

// Always reports whether the function does not return without having come to a block; not if it never returns,
// nor if it may after a panic.
func (s *Spans) Always(b *ssa.BasicBlock) bool { return s.always[b.Index] }
