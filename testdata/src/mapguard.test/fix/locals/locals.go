// Package locals has local maps that goroutines share.
package locals

import (
	"fmt"
	"sync"
)

func eachBad(names []string, ask func(string) error) map[string]bool {
	errs := make(map[string]error, len(names))
	var wg sync.WaitGroup
	for _, name := range names {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if err := ask(name); err != nil {
				errs[name] = fmt.Errorf("ask %s: %w", name, err) // want `goroutine-race: .*`
				return
			}
		}()
	}
	wg.Wait()
	failed := make(map[string]bool)
	for name := range errs {
		failed[name] = true
	}
	return failed
}

func valuesBad(names []string, ask func(string) int) int {
	sums := map[string]int{"": 0}
	var wg sync.WaitGroup
	for _, name := range names {
		wg.Go(func() {
			sums[name] = ask(name) // want `goroutine-race: .*`
		})
	}
	wg.Wait()
	return len(sums)
}
