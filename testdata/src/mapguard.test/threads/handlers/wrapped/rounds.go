package main

import (
	"sync"
	"time"
)

// The one goroutine that main starts asks others in rounds, and waits for them: its own reads come between the rounds.
var (
	askedMu sync.Mutex
	asked   = make(map[string]int)
)

func startAsking(names []string) {
	over := make(chan bool, 1)
	go time.Sleep(time.Second)
	select {
	case <-over:
	case <-time.After(time.Second):
	}
	go askOk(names)
}

func askOk(names []string) {
	for {
		time.Sleep(time.Second)
		for _, name := range names {
			println(asked[name])
		}
		askAll(names)
		askedMu.Lock()
		asked["rounds"]++
		askedMu.Unlock()
	}
}

func askAll(names []string) {
	var wg sync.WaitGroup
	for _, name := range names {
		wg.Add(1)
		go func() {
			defer wg.Done()
			askedMu.Lock()
			defer askedMu.Unlock()
			asked[name]++
		}()
	}
	wg.Wait()
}
