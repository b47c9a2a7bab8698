// Package wait has what the loops of controllers look like to a checker of types.
package wait

import (
	"context"
	"time"
)

func Until(f func(), period time.Duration, stop <-chan struct{}) {
	for {
		select {
		case <-stop:
			return
		case <-time.After(period):
			f()
		}
	}
}

func UntilWithContext(ctx context.Context, f func(context.Context), period time.Duration) {
	Until(func() { f(ctx) }, period, ctx.Done())
}
