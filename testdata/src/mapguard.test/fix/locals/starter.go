package locals

import (
	"net"
	"sync"
	"time"
)

// The starter walks the map while goroutines still add to it, and what it does with an entry may take long.
func probeBad(conn net.PacketConn, names []string, look func(string) ([]string, error)) error {
	var mu sync.RWMutex
	known := map[string]string{}

	mu.Lock()
	first, err := look(names[0])
	if err != nil {
		return err
	}
	known[first[0]] = names[0]
	mu.Unlock()

	go func() {
		for _, name := range names {
			addrs, err := look(name)
			if err == nil {
				mu.Lock()
				for _, addr := range addrs {
					known[addr] = name // want `goroutine-race: .*`
				}
				mu.Unlock()
			}
		}
	}()
	for range time.Tick(time.Second) {
		for addr := range known {
			if _, err := conn.WriteTo(nil, &net.IPAddr{IP: net.ParseIP(addr)}); err != nil {
				return err
			}
		}
	}
	return nil
}

// The starter notes some by itself, the goroutines the others.
func noteBad(names []string, skips func(string) bool, ask func(string) error) int {
	var mu sync.Mutex
	var wg sync.WaitGroup
	states := make(map[string]bool)
	for _, name := range names {
		if skips(name) {
			states[name] = false
			continue
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			err := ask(name)
			mu.Lock()
			states[name] = err == nil // want `goroutine-race: .*`
			mu.Unlock()
		}()
	}
	wg.Wait()
	return len(states)
}

// The map is walked, and used in the loop beside the goroutines, too.
func walkedBesideBad(all map[string]int, ask func(string) bool) (n int) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for name := range all {
		wg.Go(func() {
			if !ask(name) {
				mu.Lock()
				delete(all, name) // want `goroutine-race: .*`
				mu.Unlock()
			}
		})
		n += all[name]
	}
	wg.Wait()
	return n
}
