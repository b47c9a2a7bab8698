package goroutinerace

import "sync"

// A call gives each round of a loop its object: what the goroutine of one round does is to
// another one than what the next round looks at.

type claim struct{ src *source }

type source struct{ attrs map[string]string }

type fetcher interface {
	Fetch(name string) (*claim, error)
	First() *claim
}

func stage(c *claim) { c.src.attrs["staged"] = "yes" }

func wanted(c *claim) bool { return c.src.attrs["kind"] == "disk" }

func healOk(f fetcher, names []string) {
	var wg sync.WaitGroup
	for _, name := range names {
		c, err := f.Fetch(name)
		if err != nil || c.src.attrs["kind"] != "disk" {
			continue
		}
		wg.Add(1)
		go func(c *claim) {
			defer wg.Done()
			stage(c)
		}(c)
	}
	wg.Wait()
}

func healByCallOk(f fetcher, names []string) {
	var wg sync.WaitGroup
	for _, name := range names {
		c, err := f.Fetch(name)
		if err != nil || !wanted(c) {
			continue
		}
		wg.Add(1)
		go func(c *claim) {
			defer wg.Done()
			stage(c)
		}(c)
	}
	wg.Wait()
}

// The object is looked at again while its goroutine runs.
func afterBad(f fetcher, names []string) (n int) {
	var wg sync.WaitGroup
	for _, name := range names {
		c, err := f.Fetch(name)
		if err != nil {
			continue
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			c.src.attrs["staged"] = "yes" // want `goroutine-race: .*src\.attrs is written`
		}()
		if c.src.attrs["kind"] == "disk" {
			n++
		}
	}
	wg.Wait()
	return n
}

// One object is for all rounds.
func outsideBad(f fetcher, names []string) (n int) {
	var wg sync.WaitGroup
	c := f.First()
	for range names {
		if c.src.attrs["kind"] == "disk" {
			n++
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			c.src.attrs["staged"] = "yes" // want `goroutine-race: .*src\.attrs is written`
		}()
	}
	wg.Wait()
	return n
}

// The goroutines of the inner loop have the object of the round in common.
func innerBad(f fetcher, names []string) (n int) {
	var wg sync.WaitGroup
	for _, name := range names {
		c, err := f.Fetch(name)
		if err != nil {
			continue
		}
		for range 3 {
			if c.src.attrs["kind"] == "disk" {
				n++
			}
			wg.Add(1)
			go func() {
				defer wg.Done()
				c.src.attrs["staged"] = "yes" // want `goroutine-race: .*src\.attrs is written`
			}()
		}
	}
	wg.Wait()
	return n
}

// Each round asks for the same.
func sameBad(f fetcher, names []string) (n int) {
	var wg sync.WaitGroup
	for range names {
		c, err := f.Fetch("first")
		if err != nil {
			continue
		}
		if c.src.attrs["kind"] == "disk" {
			n++
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			c.src.attrs["staged"] = "yes" // want `goroutine-race: .*src\.attrs is written`
		}()
	}
	wg.Wait()
	return n
}

type hall struct {
	common *source
	rooms  []*room
}

type room struct{ src *source }

type maker interface{ Make() *room }

// What leads from the object to the map is one for all.
func sharedBad(h *hall, m maker) (n int) {
	var wg sync.WaitGroup
	for range 3 {
		r := m.Make()
		r.src = h.common
		if r.src.attrs["kind"] == "disk" {
			n++
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			r.src.attrs["staged"] = "yes" // want `goroutine-race: .*src\.attrs is written`
		}()
	}
	wg.Wait()
	return n
}
