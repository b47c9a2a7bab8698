// Package desk has work done by another package, and goes on when that says that it is done.
package desk

import (
	"context"

	"mapguard.test/callbacks/desk/clerk"
)

type office struct {
	clerk *clerk.Clerk
	tick  chan int
}

func (o *office) do(ctx context.Context, f func() error) error {
	_, err := clerk.Ask(ctx, o.clerk, func() (struct{}, error) { return struct{}{}, f() })
	return err
}

func fresh() map[string]int { return make(map[string]int) }

func (o *office) serveOk(ctx context.Context) int {
	var known map[string]int
	if err := o.do(ctx, func() error { known = fresh(); return nil }); err != nil {
		return 0
	}
	for n := range o.tick {
		if err := o.do(ctx, func() error {
			known["a"] += n
			if n > 9 {
				known = fresh()
			}
			return nil
		}); err != nil {
			return 0
		}
	}
	return len(known)
}

func (o *office) ignoredBad(ctx context.Context) {
	ignored := fresh()
	_ = o.do(ctx, func() error { ignored["a"]++; return nil }) // want `goroutine-race: .*written in a goroutine`
	ignored["b"] = 1
}

func (o *office) failedBad(ctx context.Context) {
	failed := fresh()
	if err := o.do(ctx, func() error { failed["a"]++; return nil }); err != nil { // want `goroutine-race: .*written in a goroutine`
		failed["b"] = 1
	}
}

func (o *office) sumOk() int {
	seen := fresh()
	if _, err := o.clerk.Sum(func() int { seen["a"]++; return 1 }); err != nil {
		return 0
	}
	seen["b"] = 1
	return len(seen)
}

func (o *office) tryBad(giveUp <-chan struct{}) {
	tried := fresh()
	if _, err := o.clerk.Try(func() int { tried["a"]++; return 1 }, giveUp); err != nil { // want `goroutine-race: .*written in a goroutine`
		return
	}
	tried["b"] = 1
}

func (o *office) leaveBad(room <-chan struct{}) {
	left := fresh()
	if err := o.clerk.Leave(func() error { left["a"]++; return nil }, room); err != nil { // want `goroutine-race: .*written in a goroutine`
		return
	}
	left["b"] = 1
}
