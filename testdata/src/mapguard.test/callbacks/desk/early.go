package desk

import (
	"context"
	"time"
)

func (o *office) halfOk() int {
	halved := fresh()
	if _, err := o.clerk.Half(4, func(n int) (int, error) { halved["a"] += n; return n, nil }); err != nil {
		return 0
	}
	halved["b"] = 1
	return len(halved)
}

func (o *office) withinBad() {
	within := fresh()
	if _, err := o.clerk.Within(time.Second, func() int { within["a"]++; return 1 }); err != nil { // want `goroutine-race: .*written in a goroutine`
		return
	}
	within["b"] = 1
}

func (o *office) openBad() {
	opened := fresh()
	if _, err := o.clerk.Open(func() (int, error) { return 1, nil }, func() { opened["a"]++ }); err != nil { // want `goroutine-race: .*written in a goroutine`
		return
	}
	opened["b"] = 1
}

func (o *office) behindBad() {
	behind := fresh()
	if _, err := o.clerk.Behind(func() int { return 1 }, func() { behind["a"]++ }); err != nil { // want `goroutine-race: .*written in a goroutine`
		return
	}
	behind["b"] = 1
}

func (o *office) bothBad() {
	one := fresh()
	two := fresh()
	if _, err := o.clerk.Both(func() int { one["a"]++; return 1 }, func() int { two["a"]++; return 1 }); err != nil { // want `goroutine-race: .*written in a goroutine` `goroutine-race: .*written in a goroutine`
		return
	}
	one["b"], two["b"] = 1, 1
}

func (o *office) peekBad() {
	peeked := fresh()
	if _, err := o.clerk.Peek(func() int { peeked["a"]++; return 1 }, false); err != nil { // want `goroutine-race: .*written in a goroutine`
		return
	}
	peeked["b"] = 1
}

func (o *office) stayBad() {
	stayed := fresh()
	if _, err := o.clerk.Stay(func() int { stayed["a"]++; return 1 }, false); err != nil { // want `goroutine-race: .*written in a goroutine`
		return
	}
	stayed["b"] = 1
}

func (o *office) otherBad() {
	other := fresh()
	if _, err := o.clerk.Other(func() int { other["a"]++; return 1 }); err != nil { // want `goroutine-race: .*written in a goroutine`
		return
	}
	other["b"] = 1
}

func (o *office) nestedBad(ctx context.Context) {
	nested := fresh()
	if err := o.do(ctx, func() error {
		go func() { nested["a"]++ }() // want `goroutine-race: .*written in a goroutine`
		return nil
	}); err != nil {
		return
	}
	nested["b"] = 1
}
