package locals

import "sync"

// A map that leaves the function when its goroutines have ended needs no lock from there on.

func givenBad(names []string, ask func(string) error) map[string]error {
	errs := make(map[string]error)
	var wg sync.WaitGroup
	for _, name := range names {
		wg.Add(1)
		go func() {
			defer wg.Done()
			errs[name] = ask(name) // want `goroutine-race: .*`
		}()
	}
	wg.Wait()
	return errs
}

func tell(errs map[string]error, all []error) error {
	for _, err := range errs {
		all = append(all, err)
	}
	return all[0]
}

func toldBad(names []string, ask func(string) error) error {
	errs := make(map[string]error)
	var wg sync.WaitGroup
	for _, name := range names {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if err := ask(name); err != nil {
				errs[name] = err // want `goroutine-race: .*`
			}
		}()
	}
	wg.Wait()
	return tell(errs, nil)
}
