package atomic

import (
	"context"

	"github.com/moby/buildkit/util/flightcontrol"
	"github.com/zeromicro/go-zero/core/syncx"
)

type grouped struct {
	flights
	control flightcontrol.Group[*conn]
	single  syncx.SingleFlight
}

// The key comes after the context.
func (g *grouped) controlledOk(ctx context.Context, k string) (*conn, error) {
	return g.control.Do(ctx, k, func(context.Context) (*conn, error) {
		if c := g.get(k); c != nil {
			return c, nil
		}
		c := dial(k)
		g.put(k, c)
		return c, nil
	})
}

func (g *grouped) behindInterfaceOk(k string) (any, error) {
	return g.single.Do(k, func() (any, error) {
		if c := g.get(k); c != nil {
			return c, nil
		}
		c := dial(k)
		g.put(k, c)
		return c, nil
	})
}

// The flight is of another key.
func (g *grouped) otherKeyBad(ctx context.Context, k, other string) (*conn, error) {
	return g.control.Do(ctx, other, func(context.Context) (*conn, error) {
		if c := g.get(k); c != nil {
			return c, nil
		}
		c := dial(k)
		g.put(k, c) // want `split-lock: .*flights\.m`
		return c, nil
	})
}
