// Package user takes the lock of another package, which tells by a result whether it has been taken.
package user

import (
	"context"

	"mapguard.test/crosspkg/desk/lib"
)

type book struct {
	desk  *lib.Desk
	notes map[string]*int
}

func newBook(ctx context.Context) *book {
	b := &book{desk: lib.New(), notes: make(map[string]*int)}
	for range 2 {
		go b.addOk(ctx, "a")
		go b.tryOk("a")
	}
	return b
}

func (b *book) addOk(ctx context.Context, k string) {
	if err := b.desk.AcquireFor(ctx); err != nil {
		return
	}
	defer b.desk.Release()
	if b.notes[k] == nil {
		b.notes[k] = new(int)
	}
}

func (b *book) tryOk(k string) {
	if !b.desk.TryAcquire() {
		return
	}
	defer b.desk.Release()
	if b.notes[k] == nil {
		b.notes[k] = new(int)
	}
}

// It goes on where the lock was not taken, too.
type rashBook struct {
	desk  *lib.Desk
	notes map[string]*int
}

func newRashBook(ctx context.Context) *rashBook {
	b := &rashBook{desk: lib.New(), notes: make(map[string]*int)}
	for range 2 {
		go b.addBad(ctx, "a")
	}
	return b
}

func (b *rashBook) addBad(ctx context.Context, k string) {
	if b.desk.AcquireFor(ctx) == nil {
		defer b.desk.Release()
	}
	if b.notes[k] == nil { // want `check-then-act: b.notes`
		b.notes[k] = new(int)
	}
}

// A bell is no lock.
type ringBook struct {
	bell  *lib.Bell
	notes map[string]*int
}

func newRingBook() *ringBook {
	b := &ringBook{bell: lib.NewBell(), notes: make(map[string]*int)}
	for range 2 {
		go b.addBad("a")
	}
	return b
}

func (b *ringBook) addBad(k string) {
	if !b.bell.Ring() {
		return
	}
	if b.notes[k] == nil { // want `check-then-act: b.notes`
		b.notes[k] = new(int)
	}
	b.bell.Hear()
}
