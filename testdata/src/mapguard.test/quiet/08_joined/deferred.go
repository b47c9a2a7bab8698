package joined

import (
	"errors"
	"sync"
)

// A ledger is written up by a goroutine, and emptied by a call that is deferred before that one starts.
type ledger struct {
	lines, drafts, notes map[string]int
}

func (l *ledger) wipe() { clear(l.lines) }

// deferredFirstOk defers the call before anything runs: it comes after the wait, or where no goroutine was started.
func (l *ledger) deferredFirstOk(names []string) error {
	defer l.wipe()
	if len(names) == 0 {
		return errors.New("nothing to do")
	}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		for _, n := range names {
			l.lines[n]++
		}
	}()
	wg.Wait()
	if len(names) > 100 {
		return errors.New("too many")
	}
	return nil
}

// deferredMeanwhileOk defers it while the goroutine runs.
func (l *ledger) deferredMeanwhileOk(name string) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		l.drafts[name]++
	}()
	defer func() { l.drafts = nil }()
	<-done
}

// waitDeferredOk defers the wait last: it is the first to run.
func (l *ledger) waitDeferredOk(name string) {
	var wg sync.WaitGroup
	defer func() { delete(l.notes, name) }()
	defer wg.Wait()
	wg.Go(func() { l.notes[name]++ })
}

// slips has a function that can return before it has waited: then the deferred call comes while the goroutine runs.
type slips struct{ open map[string]int }

func (s *slips) returnsBetweenBad(name string, quick bool) {
	defer func() { delete(s.open, name) }() // want `unguarded-access: s\.open is deleted without a lock`
	var wg sync.WaitGroup
	wg.Go(func() { s.open[name]++ }) // want `check-then-act: s\.open is read here, then written`
	if quick {
		return
	}
	wg.Wait()
}

// stubs has one that does so where something has failed.
type stubs struct{ torn map[string]int }

func (s *stubs) tearBad() {
	for k := range s.torn { // want `check-then-act: s\.torn is ranged over here, then deleted`
		delete(s.torn, k)
	}
}

func (s *stubs) failsBetween(name string, check func() error) error {
	defer s.tearBad()
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.torn[name]++
	}()
	if err := check(); err != nil {
		return err
	}
	<-done
	return nil
}

// marks has one that defers the wait on one way alone.
type marks struct{ set map[string]int }

func (m *marks) sometimesWaitsBad(name string, patient bool) {
	var wg sync.WaitGroup
	defer func() { delete(m.set, name) }() // want `unguarded-access: m\.set is deleted without a lock`
	if patient {
		defer wg.Wait()
	}
	wg.Go(func() { m.set[name]++ }) // want `check-then-act: m\.set is read here, then written`
}

// spills has one that panics before it has waited: who recovers finds both at work.
type spills struct{ drops map[string]int }

func (s *spills) mopBad(name string) {
	delete(s.drops, name) // want `unguarded-access: s\.drops is deleted without a lock`
}

func (s *spills) panicsBetween(name string, check func() error) {
	defer s.mopBad(name)
	var wg sync.WaitGroup
	wg.Go(func() { s.drops[name]++ }) // want `check-then-act: s\.drops is read here, then written`
	if err := check(); err != nil {
		panic(err)
	}
	wg.Wait()
}

// crumbs has one that expects what it runs to panic, and comes to the end without the wait then.
type crumbs struct{ swept map[string]int }

func (c *crumbs) recoversBad(name string, check func() bool) (err error) {
	defer func() {
		if x := recover(); x != nil {
			delete(c.swept, name) // want `unguarded-access: c\.swept is deleted without a lock`
			err = errors.New("failed")
		}
	}()
	done := make(chan struct{})
	go func() {
		defer close(done)
		c.swept[name]++ // want `check-then-act: c\.swept is read here, then written`
	}()
	if !check() {
		err = errors.New("not so")
	}
	<-done
	return err
}

// crusts has one that waits in any case, and asks only then.
type crusts struct{ cut map[string]int }

func (c *crusts) recoversOk(name string, check func()) (err error) {
	defer func() {
		if x := recover(); x != nil {
			err = errors.New("failed")
		}
		delete(c.cut, name)
	}()
	var wg sync.WaitGroup
	wg.Go(func() { c.cut[name]++ })
	wg.Wait()
	check()
	return nil
}

// tins has one that defers the wait as well, before anything may panic.
type tins struct{ open map[string]int }

func (t *tins) waitDeferredTooOk(name string, check func() bool) {
	defer func() {
		if recover() != nil {
			delete(t.open, name)
		}
	}()
	var wg sync.WaitGroup
	defer wg.Wait()
	wg.Go(func() { t.open[name]++ })
	if !check() {
		panic("not so")
	}
}
