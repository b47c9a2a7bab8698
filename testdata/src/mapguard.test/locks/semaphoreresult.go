package locks

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/semaphore"
)

// A ctxLock tells by its result whether it was taken: it is not where the context ends first.
type ctxLock struct{ ch chan struct{} }

func newCtxLock() *ctxLock { return &ctxLock{ch: make(chan struct{}, 1)} }

func (l *ctxLock) Lock(ctx context.Context) error {
	select {
	case l.ch <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (l *ctxLock) Unlock() { <-l.ch }

type ctxBook struct {
	lock  *ctxLock
	notes map[string]*int
}

func newCtxBook(ctx context.Context) *ctxBook {
	b := &ctxBook{lock: newCtxLock(), notes: make(map[string]*int)}
	for range 2 {
		go b.addOk(ctx, "a")
		go b.onceMoreOk(ctx, "a")
	}
	return b
}

func (b *ctxBook) addOk(ctx context.Context, k string) {
	if err := b.lock.Lock(ctx); err != nil {
		return
	}
	defer b.lock.Unlock()
	if b.notes[k] == nil {
		b.notes[k] = new(int)
	}
}

// Another function takes the lock for it, and says so in turn.
func (b *ctxBook) begin(ctx context.Context) (err error) {
	if err = b.lock.Lock(ctx); err != nil {
		err = fmt.Errorf("begin: %w", err)
	}
	return err
}

func (b *ctxBook) onceMoreOk(ctx context.Context, k string) {
	if b.begin(ctx) == nil {
		if b.notes[k] == nil {
			b.notes[k] = new(int)
		}
		b.lock.Unlock()
	}
}

// One goes on whatever came out.
type rashBook struct {
	lock  *ctxLock
	notes map[string]*int
}

func newRashBook(ctx context.Context) *rashBook {
	b := &rashBook{lock: newCtxLock(), notes: make(map[string]*int)}
	for range 2 {
		go b.addBad(ctx, "a")
	}
	return b
}

func (b *rashBook) addBad(ctx context.Context, k string) {
	err := b.lock.Lock(ctx)
	if b.notes[k] == nil { // want `check-then-act: b.notes`
		b.notes[k] = new(int)
	}
	if err == nil {
		b.lock.Unlock()
	}
}

// One goes on where the lock was not taken.
type wrongBook struct {
	lock  *ctxLock
	notes map[string]*int
}

func newWrongBook(ctx context.Context) *wrongBook {
	b := &wrongBook{lock: newCtxLock(), notes: make(map[string]*int)}
	for range 2 {
		go b.addBad(ctx, "a")
	}
	return b
}

func (b *wrongBook) addBad(ctx context.Context, k string) {
	if err := b.lock.Lock(ctx); err != nil {
		if b.notes[k] == nil { // want `check-then-act: b.notes`
			b.notes[k] = new(int)
		}
		return
	}
	b.lock.Unlock()
}

// The helper says nothing about the outcome, or what may be nil.
type vagueBook struct {
	ch    chan struct{}
	last  error
	notes map[string]*int
}

func newVagueBook(ctx context.Context) *vagueBook {
	b := &vagueBook{ch: make(chan struct{}, 1), notes: make(map[string]*int)}
	for range 2 {
		go b.addBad(ctx, "a")
	}
	return b
}

func (b *vagueBook) lock(ctx context.Context) error {
	select {
	case b.ch <- struct{}{}:
		return nil
	case <-ctx.Done():
		return b.last
	}
}

func (b *vagueBook) addBad(ctx context.Context, k string) {
	if err := b.lock(ctx); err != nil {
		return
	}
	defer func() { <-b.ch }()
	if b.notes[k] == nil { // want `check-then-act: b.notes`
		b.notes[k] = new(int)
	}
}

// What ends first is a context of its own, of which the error of the one around it says nothing.
type outerBook struct {
	ch    chan struct{}
	notes map[string]*int
}

func newOuterBook(ctx context.Context) *outerBook {
	b := &outerBook{ch: make(chan struct{}, 1), notes: make(map[string]*int)}
	for range 2 {
		go b.addBad(ctx, "a")
	}
	return b
}

func (b *outerBook) lock(ctx context.Context) error {
	soon, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	select {
	case b.ch <- struct{}{}:
		return nil
	case <-soon.Done():
		return ctx.Err()
	}
}

func (b *outerBook) addBad(ctx context.Context, k string) {
	if err := b.lock(ctx); err != nil {
		return
	}
	defer func() { <-b.ch }()
	if b.notes[k] == nil { // want `check-then-act: b.notes`
		b.notes[k] = new(int)
	}
}

// The error of the context that has ended is the one that counts, or one that is made of it.
type innerBook struct {
	ctx   context.Context
	ch    chan struct{}
	notes map[string]*int
}

func newInnerBook(ctx context.Context) *innerBook {
	b := &innerBook{ctx: ctx, ch: make(chan struct{}, 1), notes: make(map[string]*int)}
	for range 2 {
		go b.addOk(ctx, "a")
		go b.causeOk("b")
		go b.askedOk("b")
	}
	return b
}

func (b *innerBook) lock(ctx context.Context) error {
	soon, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	select {
	case b.ch <- struct{}{}:
		return nil
	case <-soon.Done():
		return soon.Err()
	}
}

func (b *innerBook) unlock() { <-b.ch }

func (b *innerBook) lockOwn() error {
	select {
	case <-b.ctx.Done():
		return context.Cause(b.ctx)
	case b.ch <- struct{}{}:
	}
	return nil
}

func (b *innerBook) lockAsked() error {
	if b.ctx.Err() != nil {
		return b.ctx.Err()
	}
	b.ch <- struct{}{}
	return nil
}

func (b *innerBook) addOk(ctx context.Context, k string) {
	if err := b.lock(ctx); err != nil {
		return
	}
	defer b.unlock()
	if b.notes[k] == nil {
		b.notes[k] = new(int)
	}
}

func (b *innerBook) causeOk(k string) {
	if b.lockOwn() != nil {
		return
	}
	defer b.unlock()
	if b.notes[k] == nil {
		b.notes[k] = new(int)
	}
}

func (b *innerBook) askedOk(k string) {
	if b.lockAsked() != nil {
		return
	}
	defer b.unlock()
	if b.notes[k] == nil {
		b.notes[k] = new(int)
	}
}

// Who gets the token gets the function, too, that puts it back.
type tokenBook struct {
	token chan struct{}
	notes map[string]*int
}

func newTokenBook(ctx context.Context) *tokenBook {
	b := &tokenBook{token: make(chan struct{}, 1), notes: make(map[string]*int)}
	b.token <- struct{}{}
	for range 2 {
		go b.addOk(ctx, "a")
	}
	return b
}

func (b *tokenBook) acquire(ctx context.Context) (func(), error) {
	select {
	case <-b.token:
		return func() { b.token <- struct{}{} }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (b *tokenBook) addOk(ctx context.Context, k string) {
	release, err := b.acquire(ctx)
	if err != nil {
		return
	}
	defer release()
	if b.notes[k] == nil {
		b.notes[k] = new(int)
	}
}

// It puts the token back before it is done.
type earlyBook struct {
	token chan struct{}
	notes map[string]*int
}

func newEarlyBook(ctx context.Context) *earlyBook {
	b := &earlyBook{token: make(chan struct{}, 1), notes: make(map[string]*int)}
	b.token <- struct{}{}
	for range 2 {
		go b.addBad(ctx, "a")
	}
	return b
}

func (b *earlyBook) acquire(ctx context.Context) (func(), error) {
	select {
	case <-b.token:
		return func() { b.token <- struct{}{} }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (b *earlyBook) addBad(ctx context.Context, k string) {
	release, err := b.acquire(ctx)
	if err != nil {
		return
	}
	release()
	if b.notes[k] == nil { // want `check-then-act: b.notes`
		b.notes[k] = new(int)
	}
}

// Those who do not get it at once are told so.
type TryBook struct {
	ch    chan struct{}
	notes map[string]*int
}

var errBusy = errors.New("busy")

func NewTryBook() *TryBook {
	b := &TryBook{ch: make(chan struct{}, 1), notes: make(map[string]*int)}
	for range 2 {
		go b.addOk("a")
		go b.soonOk("b")
	}
	return b
}

func (b *TryBook) TryAcquire() bool {
	select {
	case b.ch <- struct{}{}:
		return true
	default:
		return false
	}
}

func (b *TryBook) AcquireSoon() error {
	t := time.NewTimer(time.Second)
	defer t.Stop()
	select {
	case b.ch <- struct{}{}:
		return nil
	case <-t.C:
		return errBusy
	}
}

func (b *TryBook) Release() { <-b.ch }

func (b *TryBook) addOk(k string) {
	if !b.TryAcquire() {
		return
	}
	defer b.Release()
	if b.notes[k] == nil {
		b.notes[k] = new(int)
	}
}

func (b *TryBook) soonOk(k string) {
	if err := b.AcquireSoon(); err != nil {
		return
	}
	if b.notes[k] == nil {
		b.notes[k] = new(int)
	}
	b.Release()
}

// Who takes out the news has put nothing in.
type NewsBook struct {
	ch    chan struct{}
	notes map[string]*int
}

func NewNewsBook() *NewsBook {
	b := &NewsBook{ch: make(chan struct{}, 1), notes: make(map[string]*int)}
	for range 2 {
		go b.addBad("a")
	}
	b.Tell()
	return b
}

func (b *NewsBook) Tell() bool {
	select {
	case b.ch <- struct{}{}:
		return true
	default:
		return false
	}
}

func (b *NewsBook) Next() { <-b.ch }

func (b *NewsBook) addBad(k string) {
	b.Next()
	if b.notes[k] == nil { // want `check-then-act: b.notes`
		b.notes[k] = new(int)
	}
	b.Tell()
}

// A semaphore with room for one is taken by a helper.
type weightedBook struct {
	sem   *semaphore.Weighted
	notes map[string]*int
}

func newWeightedBook(ctx context.Context) *weightedBook {
	b := &weightedBook{sem: semaphore.NewWeighted(1), notes: make(map[string]*int)}
	for range 2 {
		go b.addOk(ctx, "a")
	}
	return b
}

func (b *weightedBook) lock(ctx context.Context) error {
	if err := b.sem.Acquire(ctx, 1); err != nil {
		return fmt.Errorf("lock: %w", err)
	}
	return nil
}

func (b *weightedBook) Unlock() { b.sem.Release(1) }

func (b *weightedBook) addOk(ctx context.Context, k string) {
	if err := b.lock(ctx); err != nil {
		return
	}
	defer b.Unlock()
	if b.notes[k] == nil {
		b.notes[k] = new(int)
	}
}
