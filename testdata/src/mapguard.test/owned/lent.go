package owned

import "sync"

// What goroutines know until a helper has waited for them is the maker's own again afterwards.

type talliedUp struct {
	mu   sync.Mutex
	byID map[string]int
	err  error
}

type tallied struct{ ByID map[string]int }

type lentCrew struct{ names []string }

// all runs f for each name in a goroutine of its own, and waits for all.
func (c *lentCrew) all(f func(string) error) error {
	return forNames(c.names, f)
}

func forNames(names []string, f func(string) error) error {
	var wg sync.WaitGroup
	for _, n := range names {
		wg.Add(1)
		go func() {
			defer wg.Done()
			_ = f(n)
		}()
	}
	wg.Wait()
	return nil
}

// kick runs f for each name in a goroutine of its own.
func (c *lentCrew) kick(f func(string) error) error {
	for _, n := range c.names {
		go f(n)
	}
	return nil
}

// lentLater keeps what it runs.
type lentLater struct{ fs []func(string) error }

func (l *lentLater) all(names []string, f func(string) error) error {
	l.fs = append(l.fs, f)
	return forNames(names, f)
}

func collectOk(c *lentCrew, ask func(string) int) (*tallied, error) {
	out := &talliedUp{byID: make(map[string]int)}
	out.err = c.all(func(name string) error {
		n := ask(name)
		out.mu.Lock()
		defer out.mu.Unlock()
		out.byID[name] = n
		return nil
	})
	if out.err != nil {
		return nil, out.err
	}
	return &tallied{ByID: out.byID}, nil
}

func collectStaysBad(c *lentCrew, ask func(string) int) (*tallied, error) {
	out := &talliedUp{byID: make(map[string]int)}
	out.err = c.kick(func(name string) error {
		n := ask(name)
		out.mu.Lock()
		defer out.mu.Unlock()
		out.byID[name] = n
		return nil
	})
	return &tallied{ByID: out.byID}, out.err // want `map-escape: talliedUp.byID`
}

func collectLeavesBad(c *lentCrew, ask func(string) int) (*tallied, error) {
	out := &talliedUp{byID: make(map[string]int)}
	out.err = c.all(func(name string) error {
		go func() { // it may go on
			n := ask(name)
			out.mu.Lock()
			defer out.mu.Unlock()
			out.byID[name] = n
		}()
		return nil
	})
	return &tallied{ByID: out.byID}, out.err // want `map-escape: talliedUp.byID`
}

func collectKeptBad(l *lentLater, names []string, ask func(string) int) (*tallied, error) {
	out := &talliedUp{byID: make(map[string]int)}
	out.err = l.all(names, func(name string) error {
		n := ask(name)
		out.mu.Lock()
		defer out.mu.Unlock()
		out.byID[name] = n
		return nil
	})
	return &tallied{ByID: out.byID}, out.err // want `map-escape: talliedUp.byID`
}

func (t *talliedUp) watch() {
	for {
		t.mu.Lock()
		t.byID[""]++
		t.mu.Unlock()
	}
}

func collectWatchedBad(c *lentCrew, ask func(string) int) (*tallied, error) {
	out := &talliedUp{byID: make(map[string]int)}
	go out.watch()
	out.err = c.all(func(name string) error {
		n := ask(name)
		out.mu.Lock()
		defer out.mu.Unlock()
		out.byID[name] = n
		return nil
	})
	return &tallied{ByID: out.byID}, out.err // want `map-escape: talliedUp.byID`
}

func collectUnlockedBad(c *lentCrew, ask func(string) int) (*tallied, error) {
	out := &talliedUp{byID: make(map[string]int)}
	out.err = c.all(func(name string) error {
		out.byID[name] = ask(name) // want `unguarded-access: `
		return nil
	})
	return &tallied{ByID: out.byID}, out.err
}
