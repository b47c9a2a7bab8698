package guards

import (
	"sync"
	"time"
)

// Links are checked with the lock held, by goroutines that end without it: all that are waited for stand beside the
// wait.
type Links struct {
	mu    sync.Mutex // protects hosts
	hosts map[string]int
}

// Add adds a link.
func (l *Links) Add(host string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.hosts[host]++
}

// Check drops a host that gives no answer in time.
func (l *Links) Check(host string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	answers := make(chan int, 1)
	go func() {
		answers <- len(host)
		close(answers)
	}()
	timer := time.NewTimer(time.Second)
	select {
	case <-timer.C:
		delete(l.hosts, host)
	case n := <-answers:
		l.hosts[host] += n
	}
}

// CheckAll does the same for some hosts at once.
func (l *Links) CheckAll(hosts []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var wg sync.WaitGroup
	sizes := make([]int, len(hosts))
	for i, host := range hosts {
		wg.Add(1)
		go func() {
			defer wg.Done()
			sizes[i] = len(host)
		}()
	}
	wg.Go(func() { println(len(hosts)) })
	wg.Wait()
	for i, host := range hosts {
		l.hosts[host] += sizes[i]
	}
}

// KnownBad is run by none of these goroutines.
func (l *Links) KnownBad(host string) bool {
	return l.hosts[host] > 0 // want `unguarded-access: .*`
}
