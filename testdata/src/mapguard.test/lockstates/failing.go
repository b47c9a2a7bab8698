package lockstates

import (
	"sync"

	"github.com/pkg/errors"
)

// A crate's callers hold its lock while it is packed: the goroutines that do that are waited for, unless what is put in is
// refused.
type crate struct {
	mu    sync.Mutex
	parts map[string]int
}

func (c *crate) Part(k string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.parts[k]
}

func (c *crate) Drop(k string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.parts, k)
}

func refuse(k string) error {
	if k == "" {
		return errors.Wrap(errEmptyPart, k)
	}
	return nil
}

var errEmptyPart error = new(emptyPart)

type emptyPart struct{}

func (*emptyPart) Error() string { return "empty" }

func (c *crate) PackOk(list []string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.packAllOk(list); err != nil {
		return err
	}
	var mu sync.Mutex
	c.packOk(&mu, "lid")
	return c.labelOk("label")
}

func (c *crate) packAllOk(list []string) error {
	var wg sync.WaitGroup
	var mu sync.Mutex
	for _, k := range list {
		if err := refuse(k); err != nil {
			return errors.Wrap(err, "pack")
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			c.packOk(&mu, k)
		}()
	}
	wg.Wait()
	return nil
}

func (c *crate) packOk(mu *sync.Mutex, k string) {
	mu.Lock()
	defer mu.Unlock()
	c.parts[k] = 1
}

func (c *crate) labelOk(k string) error {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		c.parts[k] = 2
	}()
	if err := refuse(k); err != nil {
		return errors.Wrap(errors.Wrap(err, "label"), "pack")
	}
	wg.Wait()
	return nil
}

// A box is left to its goroutines where nothing has failed: what there is suffices.
type box struct {
	mu    sync.Mutex
	parts map[string]int
}

func (b *box) Part(k string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.parts[k]
}

func (b *box) Drop(k string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.parts, k)
}

func (b *box) Pack(k string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.labelBad(k)
}

func (b *box) labelBad(k string) error {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		b.parts[k] = 2 // want `unguarded-access: b\.parts is written`
	}()
	if err := refuse(k); err == nil {
		return errors.Wrap(err, "label")
	}
	wg.Wait()
	return nil
}
