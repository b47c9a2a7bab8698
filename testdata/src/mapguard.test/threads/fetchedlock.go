package threads

import "sync"

// A lock of the function's own keeps the goroutines of one call apart, also where the object came
// from a call: nothing shows that another call gets the same.

type reply struct{ args map[string]int }

type asker interface{ ask() *reply }

func fillsOk(from asker, names, more []string) *reply {
	r := from.ask()
	r.args = make(map[string]int)
	var mu sync.Mutex
	var wg sync.WaitGroup
	for _, n := range names {
		wg.Go(func() {
			mu.Lock()
			r.args[n] = 1
			mu.Unlock()
		})
	}
	for _, n := range more {
		wg.Go(func() {
			mu.Lock()
			r.args[n] = 2
			mu.Unlock()
		})
	}
	wg.Wait()
	return r
}

type answer struct{ args map[string]int }

type answerer interface{ answer() *answer }

func fillsBad(from answerer, names, more []string) *answer {
	r := from.answer()
	r.args = make(map[string]int)
	var mu, other sync.Mutex
	var wg sync.WaitGroup
	for _, n := range names {
		wg.Go(func() {
			mu.Lock()
			r.args[n] = 1 // want `goroutine-race: `
			mu.Unlock()
		})
	}
	for _, n := range more {
		wg.Go(func() {
			other.Lock()
			r.args[n] = 2
			other.Unlock()
		})
	}
	wg.Wait()
	return r
}
