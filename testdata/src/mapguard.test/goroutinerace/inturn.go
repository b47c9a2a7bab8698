package goroutinerace

// A loop starts a goroutine in each round, and waits for it before the next one.

type turns struct{ news, stop chan string }

func (t *turns) turn(seen map[string]int, done chan struct{}) {
	defer func() { done <- struct{}{} }()
	seen["one"]++
}

func (t *turns) EmptyCaseOk() {
	seen, done := make(map[string]int), make(chan struct{}, 1)
	for {
		go t.turn(seen, done)
		select {
		case <-done:
		case <-t.news:
			<-done
		case <-t.stop:
			return
		}
	}
}

// It waits where it has started one.
func (t *turns) FlagOk(some []string) {
	seen, done := make(map[string]int), make(chan struct{}, 1)
	for {
		started := false
		if len(some) > 0 {
			go t.turn(seen, done)
			started = true
		}
		select {
		case <-done:
		case <-t.news:
			if started {
				<-done
			}
		case <-t.stop:
			return
		}
	}
}

func (t *turns) NoWaitBad() {
	seen, done := make(map[string]int), make(chan struct{}, 1)
	for {
		go func() {
			seen["one"]++ // want `seen is written in a goroutine without a lock`
			done <- struct{}{}
		}()
		select {
		case <-done:
		case <-t.news:
		case <-t.stop:
			return
		}
	}
}

// Two are started, and one is waited for.
func (t *turns) TwoBad() {
	seen, done := make(map[string]int), make(chan struct{}, 2)
	for {
		for range 2 {
			go func() {
				seen["one"]++ // want `seen is written in a goroutine without a lock`
				done <- struct{}{}
			}()
		}
		select {
		case <-done:
		case <-t.stop:
			return
		}
	}
}

// It waits where it has started none.
func (t *turns) WrongFlagBad(some []string) {
	seen, done := make(map[string]int), make(chan struct{}, 1)
	for {
		started := false
		if len(some) > 0 {
			go func() {
				seen["one"]++ // want `seen is written in a goroutine without a lock`
				done <- struct{}{}
			}()
			started = true
		}
		select {
		case <-done:
		case <-t.news:
			if !started {
				<-done
			}
		case <-t.stop:
			return
		}
	}
}

// The flag is the last round's.
func (t *turns) OldFlagBad(some []string) {
	seen, done := make(map[string]int), make(chan struct{}, 1)
	started := false
	for {
		if started {
			<-done
		}
		started = false
		if len(some) > 0 {
			go func() {
				seen["one"]++ // want `seen is written in a goroutine without a lock`
				done <- struct{}{}
			}()
			started = len(some) > 1
		}
	}
}
