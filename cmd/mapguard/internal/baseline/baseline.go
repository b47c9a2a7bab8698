package baseline

import "github.com/mapguard/mapguard/analyzer/finding"

// A Baseline is a multiset of known findings.
type Baseline struct {
	count map[identity]int
}

// Of returns the baseline that knows the findings, whose files lie below root.
func Of(findings []finding.Finding, root string) *Baseline {
	b := &Baseline{count: make(map[identity]int)}
	r := newReader(root)
	for _, f := range findings {
		b.count[r.identify(f)]++
	}
	return b
}

// New returns the findings that the baseline does not know, in their order.
// Each known finding answers for one: of three alike, of which two are known,
// the last is new.
//
// What is the same in all parts is matched first. What is left may have moved,
// and is matched without the path (a renamed file, a function in another file
// of its package) and then without path and package (a package in another
// directory). A finding that was copied and not moved stays new, because the
// original takes the entry. The name of the function always counts: code in a
// function of another name is new code.
func (b *Baseline) New(findings []finding.Finding, root string) []finding.Finding {
	r := newReader(root)
	ids := make([]identity, len(findings))
	left := make([]int, len(findings)) // the findings without a match
	for i, f := range findings {
		ids[i], left[i] = r.identify(f), i
	}
	known := b.count
	for pass := range passes {
		known = loosen(known, pass)
		left = subtract(known, ids, left, pass)
	}
	var fresh []finding.Finding
	for _, i := range left {
		fresh = append(fresh, findings[i])
	}
	return fresh
}

// loosen returns the entries as a pass compares them, in a map of its own.
func loosen(known map[identity]int, pass int) map[identity]int {
	out := make(map[identity]int, len(known))
	for id, n := range known {
		out[id.moved(pass)] += n
	}
	return out
}

// subtract takes an entry out of known for each finding that has one, and
// returns the findings that have none.
func subtract(known map[identity]int, ids []identity, left []int, pass int) []int {
	var rest []int
	for _, i := range left {
		id := ids[i].moved(pass)
		if known[id] > 0 {
			known[id]--
		} else {
			rest = append(rest, i)
		}
	}
	return rest
}
