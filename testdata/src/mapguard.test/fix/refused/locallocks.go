package refused

import "sync"

// The section waits for the goroutine that has no lock yet.
func waitsBad(names []string, ask func(string) error) map[string]error {
	errs := make(map[string]error)
	done := make(chan struct{}, 1)
	var wg sync.WaitGroup
	var mu sync.Mutex
	for _, name := range names {
		wg.Add(2)
		go func() {
			defer wg.Done()
			errs[name] = ask(name) // want `goroutine-race: .*`
			done <- struct{}{}
		}()
		go func() {
			defer wg.Done()
			mu.Lock()
			defer mu.Unlock()
			<-done
			errs[name+"'"] = nil
		}()
	}
	wg.Wait()
	return errs
}

// The mutex is handed on: who has it may hold it.
func lentBad(names []string, ask func(string, *sync.Mutex) error) map[string]error {
	errs := make(map[string]error)
	var wg sync.WaitGroup
	var mu sync.Mutex
	for _, name := range names {
		wg.Add(2)
		go func() {
			defer wg.Done()
			err := ask(name, &mu)
			errs[name] = err // want `goroutine-race: .*`
		}()
		go func() {
			defer wg.Done()
			mu.Lock()
			defer mu.Unlock()
			errs[name+"'"] = nil
		}()
	}
	wg.Wait()
	return errs
}
