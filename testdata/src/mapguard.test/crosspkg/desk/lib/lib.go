// Package lib has a lock that is a channel. Who takes it out there has put nothing in: that these two belong
// together only their names tell, since nothing here calls them.
package lib

import "context"

type Desk struct{ taken chan struct{} }

func New() *Desk { return &Desk{taken: make(chan struct{}, 1)} } // want New:`calm`

func (d *Desk) AcquireFor(ctx context.Context) error { // want AcquireFor:`acquires arg0\.taken if result0==nil`
	select {
	case d.taken <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (d *Desk) TryAcquire() bool { // want TryAcquire:`acquires arg0\.taken if result0`
	select {
	case d.taken <- struct{}{}:
		return true
	default:
		return false
	}
}

func (d *Desk) Release() { <-d.taken } // want Release:`releases arg0\.taken`

// A Bell is rung by one and heard by another.
type Bell struct{ rung chan struct{} }

func NewBell() *Bell { return &Bell{rung: make(chan struct{}, 1)} } // want NewBell:`calm`

func (b *Bell) Ring() bool { // want Ring:`calm`
	select {
	case b.rung <- struct{}{}:
		return true
	default:
		return false
	}
}

func (b *Bell) Hear() { <-b.rung }
