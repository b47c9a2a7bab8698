package user

import "mapguard.test/callbacks/lib"

// Goroutines that end before the call returns run beside each other, and not beside
// the caller.

func countEachOk(g *lib.Guard, items []string) int {
	seen := make(map[string]bool)
	g.Each(items, func(item string) { seen[item] = true })
	return len(seen)
}

func countParallelBad(g *lib.Guard, items []string) int {
	seen := make(map[string]bool)
	g.Parallel(items, func(item string) { seen[item] = true }) // want `goroutine-race: .*seen`
	return len(seen)
}

func countEachOwnBad(g *lib.Guard, items []string) int {
	seen := make(map[string]bool)
	g.EachOwn(items, func(item string) { seen[item] = true }) // want `goroutine-race: .*seen`
	return len(seen)
}

func readParallelOk(g *lib.Guard, items []string) int {
	seen := make(map[string]bool)
	for _, item := range items {
		seen[item] = true
	}
	g.Parallel(items, func(item string) { _ = seen[item] })
	clear(seen)
	return len(seen)
}

func bothBad(g *lib.Guard) int {
	seen := make(map[string]bool)
	g.Both(func() { seen["a"] = true }, func() { seen["b"] = true }) // want `goroutine-race: .*seen`
	return len(seen)
}

func bothOk(g *lib.Guard) int {
	one, two := make(map[string]bool), make(map[string]bool)
	g.Both(func() { one["a"] = true }, func() { two["b"] = true })
	return len(one) + len(two)
}

func unwaitedBad(g *lib.Guard, items []string) int {
	seen := make(map[string]bool)
	g.Unwaited(items, func(item string) { seen[item] = true }, false) // want `goroutine-race: .*seen`
	return len(seen)
}

func besideBad(g *lib.Guard, items []string) int {
	seen := make(map[string]bool)
	done := make(chan bool)
	go func() {
		seen["first"] = true // want `goroutine-race: .*seen`
		done <- true
	}()
	g.Each(items, func(item string) { seen[item] = true })
	<-done
	return len(seen)
}

// What the caller holds, the goroutines run under.
func (s *Store) UnderOk(items []string) {
	s.g.Mu.Lock()
	defer s.g.Mu.Unlock()
	s.g.Each(items, func(item string) { s.m[item]++ })
}

func (s *Store) UnderBad(items []string) {
	s.g.Each(items, func(item string) { s.m[item] = 1 }) // want `s\.m`
}
