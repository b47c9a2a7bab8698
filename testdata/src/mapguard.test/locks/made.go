package locks

import "sync"

// A lock that a function makes guards what hangs on the map that it makes, too.
type tagged struct {
	tags map[string]int
}

func mergeOk(names []string) map[string]*tagged {
	all := make(map[string]*tagged)
	var mu sync.Mutex
	var wg sync.WaitGroup
	add := func(name string) {
		mu.Lock()
		defer mu.Unlock()
		e := all[name]
		if e == nil {
			e = &tagged{tags: make(map[string]int)}
			all[name] = e
		}
		for tag := range e.tags {
			if tag != name {
				delete(e.tags, tag)
			}
		}
	}
	for _, name := range names {
		wg.Go(func() { add(name) })
	}
	wg.Wait()
	return all
}

// A lock of the call's own keeps no other call from an object that comes from
// elsewhere.
type tags struct {
	known map[string]int
}

var lastTags = &tags{known: make(map[string]int)}

func currentTags() *tags { return lastTags }

func mergeBad(names []string) {
	var mu sync.Mutex
	t := currentTags()
	for _, name := range names {
		go func() {
			mu.Lock()
			defer mu.Unlock()
			t.known[name]++ // want `check-then-act: .*known is read here.*`
		}()
	}
	go func() {
		for range currentTags().known { // want `unguarded-access: .*known is ranged over .*`
		}
	}()
}
