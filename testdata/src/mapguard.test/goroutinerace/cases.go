package goroutinerace

import "context"

// Both cases wait for the goroutine, each by itself.
func everyCaseOk(ctx context.Context, in <-chan string) int {
	seen := make(map[string]bool)
	done := make(chan struct{}, 1)
	go func() {
		for s := range in {
			seen[s] = true
		}
		done <- struct{}{}
	}()
	select {
	case <-done:
	case <-ctx.Done():
		<-done
	}
	n := 0
	for range seen {
		n++
	}
	return n
}

// Where the context ends, nothing waits.
func oneCaseBad(ctx context.Context, in <-chan string) int {
	seen := make(map[string]bool)
	done := make(chan struct{}, 1)
	go func() {
		for s := range in {
			seen[s] = true // want `goroutine-race: seen is written`
		}
		done <- struct{}{}
	}()
	select {
	case <-done:
	case <-ctx.Done():
	}
	n := 0
	for range seen {
		n++
	}
	return n
}

// Both branches wait.
func eitherBranchOk(fast bool, in <-chan string) int {
	seen := make(map[string]bool)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for s := range in {
			seen[s] = true
		}
	}()
	if fast {
		<-done
	} else {
		for range in {
		}
		<-done
	}
	return count(seen)
}

// A round of the loop that waits may be left out.
func someRoundsBad(names []string, in <-chan string) int {
	seen := make(map[string]bool)
	done := make(chan struct{}, 1)
	go func() {
		for s := range in {
			seen[s] = true // want `goroutine-race: seen is written`
		}
		done <- struct{}{}
	}()
	for _, n := range names {
		if n == "" {
			continue
		}
		<-done
		break
	}
	return count(seen)
}

func count(m map[string]bool) int {
	n := 0
	for range m {
		n++
	}
	return n
}
