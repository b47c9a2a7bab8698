package model

import "testing"

func TestFlag(t *testing.T) {
	all := functions(t, "sync/atomic")
	for name, want := range map[string]FlagOp{
		"(*sync/atomic.Bool).CompareAndSwap": FlagClaim,
		"sync/atomic.CompareAndSwapInt32":    FlagClaim,
		"(*sync/atomic.Int32).Add":           FlagCount,
		"sync/atomic.AddInt64":               FlagCount,
		"(*sync/atomic.Bool).Store":          FlagSet,
		"(*sync/atomic.Bool).Load":           FlagNone,
	} {
		fn := all[name]
		if fn == nil {
			t.Errorf("%s does not exist", name)
			continue
		}
		if got := Flag(fn); got != want {
			t.Errorf("Flag(%s) = %v, want %v", name, got, want)
		}
		if reads := name == "(*sync/atomic.Bool).Load"; ReadsFlag(fn) != reads {
			t.Errorf("ReadsFlag(%s) = %v", name, !reads)
		}
	}
}
