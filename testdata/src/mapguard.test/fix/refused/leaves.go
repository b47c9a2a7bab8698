package refused

import "sync"

// A map that leaves the function while its goroutines may run, or before others start.

func count(errs map[string]error) int { return len(errs) }

func earlyBad(names []string, ask func(string) error) (n int) {
	errs := make(map[string]error)
	var wg sync.WaitGroup
	for _, name := range names {
		wg.Add(1)
		go func() {
			defer wg.Done()
			errs[name] = ask(name) // want `goroutine-race: .*`
		}()
	}
	n = count(errs)
	wg.Wait()
	return n
}

func roundsBad(all [][]string, ask func(string) error, keep func(map[string]error)) {
	errs := make(map[string]error)
	for _, names := range all {
		var wg sync.WaitGroup
		for _, name := range names {
			wg.Add(1)
			go func() {
				defer wg.Done()
				errs[name] = ask(name) // want `goroutine-race: .*`
			}()
		}
		wg.Wait()
		keep(errs)
	}
}

func onBad(names []string, ask func(string) error) map[string]error {
	errs := make(map[string]error)
	for _, name := range names {
		go func() {
			errs[name] = ask(name) // want `goroutine-race: .*`
		}()
	}
	return errs
}
