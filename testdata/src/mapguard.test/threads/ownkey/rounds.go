package ownkey

import (
	"maps"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"
)

// Each round of a walk starts a goroutine that has the key of the round to itself.

type part struct{ n int }

func walkOk(files map[string][]string, parse func(string) *part) map[string]*part {
	found := map[string]*part{}
	var mu sync.Mutex
	var g errgroup.Group
	for dir := range files {
		g.Go(func() error {
			mu.Lock()
			_, there := found[dir]
			mu.Unlock()
			if !there {
				p := parse(dir)
				mu.Lock()
				found[dir] = p
				mu.Unlock()
			}
			return nil
		})
	}
	_ = g.Wait()
	return found
}

func passedOk(files map[string][]string, parse func(string) *part) {
	found := map[string]*part{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for dir := range files {
		wg.Add(1)
		go func(d string) {
			defer wg.Done()
			mu.Lock()
			_, there := found[d]
			mu.Unlock()
			if !there {
				p := parse(d)
				mu.Lock()
				found[d] = p
				mu.Unlock()
			}
		}(dir)
	}
	wg.Wait()
}

func indexOk(list []string, parse func(string) *part) {
	found := map[int]*part{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for i := range list {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			_, there := found[i]
			mu.Unlock()
			if !there {
				p := parse(list[i])
				mu.Lock()
				found[i] = p
				mu.Unlock()
			}
		}()
	}
	wg.Wait()
}

// Two entries can have one value.
func valueBad(files map[string]string, parse func(string) *part) {
	found := map[string]*part{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for _, file := range files {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			_, there := found[file]
			mu.Unlock()
			if !there {
				p := parse(file)
				mu.Lock()
				found[file] = p // want `split-lock: found`
				mu.Unlock()
			}
		}()
	}
	wg.Wait()
}

// The second walk gives the same keys, while the goroutines of the first go on.
func twiceBad(files map[string]string, parse func(string) *part) {
	found := map[string]*part{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 2 {
		for file := range files {
			wg.Add(1)
			go func() {
				defer wg.Done()
				mu.Lock()
				_, there := found[file]
				mu.Unlock()
				if !there {
					p := parse(file)
					mu.Lock()
					found[file] = p // want `split-lock: found`
					mu.Unlock()
				}
			}()
		}
	}
	wg.Wait()
}

// Another goroutine comes to all entries.
func besideBad(files map[string]string, parse func(string) *part) {
	found := map[string]*part{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for file := range files {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			_, there := found[file]
			mu.Unlock()
			if !there {
				p := parse(file)
				mu.Lock()
				found[file] = p // want `split-lock: found`
				mu.Unlock()
			}
		}()
	}
	wg.Add(1)
	go func() {
		defer wg.Done()
		for _, f := range slices.Collect(maps.Keys(files)) {
			mu.Lock()
			found[f] = &part{n: 1}
			mu.Unlock()
		}
	}()
	wg.Wait()
}

// The map is that of an object which several walks share.
type indexed struct {
	mu    sync.Mutex
	found map[string]*part
}

func (x *indexed) WalkBad(files map[string]string, parse func(string) *part) {
	for file := range files {
		go func() {
			x.mu.Lock()
			p, there := x.found[file]
			x.mu.Unlock()
			if !there {
				p = parse(file)
				x.mu.Lock()
				x.found[file] = p // want `split-lock: x\.found`
				x.mu.Unlock()
			}
			p.n++
		}()
	}
}

// The goroutines have one variable in common.
func commonBad(files map[string]string, parse func(string) *part) {
	found := map[string]*part{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	var file string
	for file = range files {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			_, there := found[file]
			mu.Unlock()
			if !there {
				p := parse(file)
				mu.Lock()
				found[file] = p // want `split-lock: found`
				mu.Unlock()
			}
		}()
	}
	wg.Wait()
}

func (p *part) touch() { p.n++ }

func Touch(p *part) { p.touch() }

// A literal that runs at once fills the map before the walk begins.
func filledOk(files map[string]string, list func(func(string)), parse func(string) *part) {
	found := map[string]*part{}
	list(func(name string) {
		if name != "" {
			found[name] = nil
		}
	})
	var mu sync.Mutex
	var g errgroup.Group
	for file := range files {
		g.Go(func() error {
			mu.Lock()
			_, there := found[file]
			mu.Unlock()
			if !there {
				p := parse(file)
				mu.Lock()
				found[file] = p
				mu.Unlock()
			}
			return nil
		})
	}
	_ = g.Wait()
}

// A helper of the package changes all entries meanwhile.
func helpedBad(files map[string]string, parse func(string) *part) {
	found := map[string]*part{}
	var mu sync.Mutex
	var g errgroup.Group
	for file := range files {
		g.Go(func() error {
			mu.Lock()
			_, there := found[file]
			mu.Unlock()
			if !there {
				p := parse(file)
				mu.Lock()
				found[file] = p // want `split-lock: found`
				mu.Unlock()
			}
			return nil
		})
	}
	setAll(&mu, found, files)
	_ = g.Wait()
}

func setAll(mu *sync.Mutex, found map[string]*part, files map[string]string) {
	for f := range files {
		mu.Lock()
		found[f] = &part{n: 1}
		mu.Unlock()
	}
}

func helpedLaterBad(files map[string]string, parse func(string) *part) {
	found := map[string]*part{}
	var mu sync.Mutex
	var g errgroup.Group
	g.Go(func() error { setAll(&mu, found, files); return nil })
	for file := range files {
		g.Go(func() error {
			mu.Lock()
			_, there := found[file]
			mu.Unlock()
			if !there {
				p := parse(file)
				mu.Lock()
				found[file] = p // want `split-lock: found`
				mu.Unlock()
			}
			return nil
		})
	}
	_ = g.Wait()
}
