package goroutinerace

import (
	"context"
	"sync"
)

// What a call gives for other arguments may still be one object: how the package finds it tells.

type bucket struct {
	upTo int
	hits map[string]int
}

type circle struct{ buckets []*bucket }

func (c *circle) near(n int) *bucket {
	for _, b := range c.buckets {
		if n <= b.upTo {
			return b
		}
	}
	return c.buckets[0]
}

// Several numbers have one bucket.
func spreadBad(c *circle, numbers []int) {
	var wg sync.WaitGroup
	for _, n := range numbers {
		b := c.near(n)
		if b.hits["all"] > 9 {
			continue
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			b.hits["all"]++ // want `goroutine-race: .*\.hits is written`
		}()
	}
	wg.Wait()
}

type desk struct{ papers map[string]int }

type office interface{ Desk(name string) *desk }

type shared struct{ desks []*desk }

func (s *shared) Desk(name string) *desk { return s.desks[len(name)%len(s.desks)] }

// All that implement it in the package count.
func fileBad(o office, names []string) {
	var wg sync.WaitGroup
	for _, name := range names {
		d := o.Desk(name)
		if d.papers[name] > 0 {
			continue
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			d.papers[name]++ // want `goroutine-race: .*\.papers is written`
		}()
	}
	wg.Wait()
}

type link struct{ frames map[string]int }

type dialer interface {
	Link(ctx context.Context, try int) (*link, error)
}

type tag struct{}

// A context, or the number of a round, names no object.
func dialBad(d dialer, names []string) {
	var wg sync.WaitGroup
	for i := 0; i < len(names); i++ {
		l, err := d.Link(context.WithValue(context.Background(), tag{}, names[i]), i)
		if err != nil || l.frames["sent"] > 0 { // want `check-then-act: .*\.frames is read here`
			continue
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			l.frames["sent"]++
		}()
	}
	wg.Wait()
}

type shelf struct{ boxes map[string]*box }

type box struct{ lids map[string]int }

func (s *shelf) box(name string) *box {
	if b, ok := s.boxes[name]; ok {
		return b
	}
	return &box{lids: make(map[string]int)}
}

// The entry of another key is another one.
func openOk(s *shelf, names []string) {
	var wg sync.WaitGroup
	for _, name := range names {
		b := s.box(name)
		if b.lids["open"] > 0 {
			continue
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			b.lids["open"]++
		}()
	}
	wg.Wait()
}
