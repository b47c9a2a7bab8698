package threads

// The second goroutine begins with the map when the first one has ended.
func handshakeOk(ready func() bool) {
	seen := make(map[string]int)
	look := func(key string) { seen[key]++ }
	over := make(chan struct{})
	go func() {
		for !ready() {
			look("start")
		}
		over <- struct{}{}
	}()
	go func() {
		<-over
		for ready() {
			look("steady")
		}
	}()
}

// A channel that each round makes is one for each pair of goroutines.
func handshakeRoundsOk(keys []string) {
	for _, key := range keys {
		seen := make(map[string]int)
		over := make(chan bool)
		go func() {
			seen[key]++
			over <- true
		}()
		go func() {
			if <-over {
				delete(seen, key)
			}
		}()
	}
}

// What comes after the send has no end that could be waited for.
func handshakeGoesOnBad() {
	seen := make(map[string]int)
	begun := make(chan struct{})
	go func() {
		begun <- struct{}{}
		seen["first"]++ // want `goroutine-race: seen is written`
	}()
	go func() {
		<-begun
		seen["second"]++
	}()
}

// So do deferred calls.
func handshakeDefersBad() {
	seen := make(map[string]int)
	over := make(chan struct{})
	go func() {
		defer func() { seen["first"]++ }() // want `goroutine-race: seen is written`
		over <- struct{}{}
	}()
	go func() {
		<-over
		seen["second"]++
	}()
}

// One of several goroutines has ended.
func handshakeOfManyBad(keys []string) {
	seen := make(map[string]int)
	over := make(chan struct{})
	for _, key := range keys {
		go func() {
			if seen[key] == 0 { // want `goroutine-race: seen is read`
				over <- struct{}{}
			}
		}()
	}
	go func() {
		<-over
		seen["second"]++
	}()
}

// Another one may have sent it.
func handshakeOfOthersBad(start func(chan<- struct{})) {
	seen := make(map[string]int)
	over := make(chan struct{})
	go func() {
		seen["first"]++ // want `goroutine-race: seen is written`
		over <- struct{}{}
	}()
	start(over)
	go func() {
		<-over
		seen["second"]++
	}()
}

// It is told before it waits.
func handshakeTooLateBad() {
	seen := make(map[string]int)
	over := make(chan struct{})
	go func() {
		seen["first"]++ // want `goroutine-race: seen is written`
		over <- struct{}{}
	}()
	go func() {
		seen["second"]++
		<-over
	}()
}
