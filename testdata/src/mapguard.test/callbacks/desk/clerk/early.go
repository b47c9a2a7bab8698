package clerk

import (
	"errors"
	"fmt"
	"sync"
	"time"
)

// These read what is left before all has ended, or may.

// Within reads what there is by the end of a time.
func (c *Clerk) Within(d time.Duration, f func() int) (int, error) {
	var mu sync.Mutex
	n := 0
	t := c.put(func() error {
		v := f()
		mu.Lock()
		defer mu.Unlock()
		n = v
		return nil
	})
	select {
	case <-t.over():
	case <-time.After(d):
	}
	mu.Lock()
	defer mu.Unlock()
	return n, nil
}

// Open says when the first part has been done, while the second goes on.
func (c *Clerk) Open(first func() (int, error), second func()) (int, error) {
	var port int
	said := make(chan struct{})
	t := &ticket{done: said}
	c.put(func() error {
		var err error
		port, err = first()
		t.finish(err)
		second()
		return nil
	})
	<-t.over()
	if err := t.outcome(); err != nil {
		return 0, err
	}
	return port, nil
}

// Behind has more done when it has said what comes of it.
func (c *Clerk) Behind(f func() int, more func()) (int, error) {
	n := 0
	t := c.put(func() error {
		defer more()
		n = f()
		return nil
	})
	<-t.over()
	return n, nil
}

// Both has two things done, and waits for one of them.
func (c *Clerk) Both(f, g func() int) (int, error) {
	n := 0
	t := c.put(func() error { n = f(); return nil })
	c.put(func() error { n = g(); return nil })
	<-t.over()
	return n, nil
}

// Peek gives what there is, and does not wait.
func (c *Clerk) Peek(f func() int, wait bool) (int, error) {
	n := 0
	t := c.put(func() error { n = f(); return nil })
	sofar := func() (int, error) { return n, nil }
	if !wait {
		return sofar()
	}
	<-t.over()
	return sofar()
}

func (t *ticket) stay(long bool) {
	if long {
		<-t.done
	}
}

// Stay waits if that is wanted.
func (c *Clerk) Stay(f func() int, long bool) (int, error) {
	n := 0
	t := c.put(func() error { n = f(); return nil })
	t.stay(long)
	return n, nil
}

// Other waits for something else that was asked for before.
func (c *Clerk) Other(f func() int) (int, error) {
	n := 0
	t := c.put(func() error { return nil })
	c.put(func() error { n = f(); return nil })
	<-t.over()
	return n, nil
}

var errOdd = errors.New("odd")

func even(n int) (int, error) {
	if n%2 > 0 {
		return 0, fmt.Errorf("%w: %d", errOdd, n)
	}
	return n / 2, nil
}

// Half has half of something counted, and gives what comes of that.
func (c *Clerk) Half(n int, f func(int) (int, error)) (int, error) {
	var out int
	t := c.put(func() error {
		half, err := even(n)
		if err != nil {
			return err
		}
		out, err = f(half)
		return err
	})
	<-t.done
	if err := t.outcome(); err != nil {
		return 0, err
	}
	return out, nil
}
