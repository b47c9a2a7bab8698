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

// A pointer to the mutex may lead to another one.
func pointedBad(names []string, ask func(string) error) map[string]error {
	errs := make(map[string]error)
	var wg sync.WaitGroup
	mu := new(sync.Mutex)
	for _, name := range names {
		wg.Add(2)
		go func() {
			defer wg.Done()
			errs[name] = ask(name) // want `goroutine-race: .*`
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

// The section ends in branches.
func branchedBad(names []string, ask func(string) error) map[string]error {
	errs := make(map[string]error)
	var wg sync.WaitGroup
	var mu sync.Mutex
	for _, name := range names {
		wg.Add(2)
		go func() {
			defer wg.Done()
			errs[name] = ask(name) // want `goroutine-race: .*`
		}()
		go func() {
			defer wg.Done()
			mu.Lock()
			errs[name+"'"] = nil
			if name == "" {
				mu.Unlock()
			} else {
				mu.Unlock()
			}
		}()
	}
	wg.Wait()
	return errs
}

// The mutex has no name where it would be taken.
func hiddenBad(names []string, ask func(string) error) map[string]error {
	errs := make(map[string]error)
	var wg sync.WaitGroup
	var mu sync.Mutex
	for _, name := range names {
		wg.Add(2)
		go func() {
			defer wg.Done()
			mu := ask(name)
			errs[name] = mu // want `goroutine-race: .*`
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

// The access without the lock stands in another function.
func elsewhereBad(names []string, ask func(string) error) map[string]error {
	errs := make(map[string]error)
	var wg sync.WaitGroup
	var mu sync.Mutex
	for _, name := range names {
		wg.Add(2)
		go func() { // want `goroutine-race: .*`
			defer wg.Done()
			note(errs, name, ask(name))
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

func note(errs map[string]error, name string, err error) { errs[name] = err }

// The section would be one of two locks.
func twoBad(names []string, ask func(string) error) map[string]error {
	errs := make(map[string]error)
	var wg sync.WaitGroup
	var mu, other sync.Mutex
	for _, name := range names {
		wg.Add(2)
		go func() {
			defer wg.Done()
			errs[name] = func() error { // want `goroutine-race: .*`
				other.Lock()
				defer other.Unlock()
				return ask(name)
			}()
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

// The lock is taken in the clause of another statement.
func condBad(names []string, ask func(string) error) map[string]error {
	errs := make(map[string]error)
	var wg sync.WaitGroup
	var mu sync.Mutex
	for _, name := range names {
		wg.Add(2)
		go func() {
			defer wg.Done()
			errs[name] = ask(name) // want `goroutine-race: .*`
		}()
		go func() {
			defer wg.Done()
			if mu.Lock(); name != "" {
				errs[name+"'"] = nil
			}
			mu.Unlock()
		}()
	}
	wg.Wait()
	return errs
}

// Some may be gone without it.
func triedBad(names []string, ask func(string) error) map[string]error {
	errs := make(map[string]error)
	var wg sync.WaitGroup
	var mu sync.Mutex
	for _, name := range names {
		wg.Add(2)
		go func() {
			defer wg.Done()
			errs[name] = ask(name) // want `goroutine-race: .*`
		}()
		go func() {
			defer wg.Done()
			if !mu.TryLock() {
				return
			}
			defer mu.Unlock()
			errs[name+"'"] = nil
		}()
	}
	wg.Wait()
	return errs
}

// The section waits for room in a channel that others fill.
func filledBad(names []string, ask func(string) error) map[string]error {
	errs := make(map[string]error)
	room := make(chan string, 2)
	var wg sync.WaitGroup
	var mu sync.Mutex
	for _, name := range names {
		wg.Add(2)
		go func() {
			defer wg.Done()
			errs[name] = ask(name) // want `goroutine-race: .*`
			room <- name
		}()
		go func() {
			defer wg.Done()
			mu.Lock()
			defer mu.Unlock()
			for range names {
				<-room
			}
			errs[name+"'"] = nil
		}()
	}
	wg.Wait()
	return errs
}

// The section of the goroutine would call the literal, which would take the new mutex, too.
func claimsBad(names []string) int {
	taken := make(map[string]bool)
	var wg sync.WaitGroup
	has := func(name string) bool { return taken[name] }
	for _, name := range names {
		wg.Go(func() {
			if !has(name) {
				taken[name] = true // want `goroutine-race: .*`
			}
			taken["'"+name] = has(name) && !taken[""]
		})
	}
	wg.Wait()
	return len(taken)
}
