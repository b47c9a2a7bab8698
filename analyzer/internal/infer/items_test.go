package infer

import (
	"go/token"
	"go/types"
	"testing"
)

func TestItemMeetIsASemilattice(t *testing.T) {
	q, r := types.NewVar(token.NoPos, nil, "q", types.Typ[types.Int]), types.NewVar(token.NoPos, nil, "r", types.Typ[types.Int])
	all := []item{{}, {top: true}, {queue: q, params: 1}, {queue: q, params: 3}, {queue: q, params: 6}, {queue: r, params: 1}}
	all = append(all, item{queue: q, params: 3, numbers: 1, holders: 4}, item{queue: q, params: 3, numbers: 3, holders: 12}, item{queue: q, params: 1, numbers: 1, holders: 8})
	for _, a := range all {
		if a.meet(a) != a {
			t.Errorf("%v met with itself is %v", a, a.meet(a))
		}
		if a.meet(item{top: true}) != a || a.meet(item{}) != (item{}) {
			t.Errorf("%v: top is not neutral, or nothing is not least", a)
		}
		for _, b := range all {
			if a.meet(b) != b.meet(a) {
				t.Errorf("%v and %v do not commute", a, b)
			}
			for _, c := range all {
				if a.meet(b).meet(c) != a.meet(b.meet(c)) {
					t.Errorf("%v, %v, %v do not associate", a, b, c)
				}
			}
		}
	}
}
