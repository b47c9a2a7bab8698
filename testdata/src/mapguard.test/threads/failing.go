package threads

import (
	"errors"
	"sync"
)

// A batch hashes its parts side by side, and waits for that unless a part is bad:
// then it returns an error, and what it has started goes on for a moment.
type batchOk struct {
	parts  map[string]string
	hashes map[string]int
}

func (b *batchOk) Hash(names []string) error {
	var wg sync.WaitGroup
	for _, n := range names {
		if n == "" {
			return errors.New("a part without a name")
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			b.fill(n)
		}()
		wg.Wait()
	}
	return nil
}

func (b *batchOk) fill(n string) {
	if _, ok := b.hashes[n]; !ok {
		b.hashes[n] = len(b.parts[n])
	}
}

func (b *batchOk) Copy() map[string]int {
	out := make(map[string]int)
	for n, h := range b.hashes {
		out[n] = h
	}
	return out
}

func (b *batchOk) Check() error {
	done := make(chan struct{})
	go func() {
		b.fill("check")
		close(done)
	}()
	if err := b.valid(); err != nil {
		return err
	}
	<-done
	return nil
}

func (b *batchOk) valid() error {
	if len(b.parts) > 100 {
		return errors.New("too many parts")
	}
	return nil
}

// A batchBad does not wait either where all is well.
type batchBad struct {
	parts  map[string]string
	hashes map[string]int
}

func (b *batchBad) Hash(wait bool) error {
	done := make(chan struct{})
	go func() {
		b.fill("all")
		close(done)
	}()
	if !wait {
		return nil
	}
	<-done
	return nil
}

func (b *batchBad) fill(n string) {
	if _, ok := b.hashes[n]; !ok { // want `b.hashes is read here, then written.*, low`
		b.hashes[n] = len(b.parts[n])
	}
}

func (b *batchBad) Copy() map[string]int {
	out := make(map[string]int)
	for n, h := range b.hashes {
		out[n] = h
	}
	return out
}
