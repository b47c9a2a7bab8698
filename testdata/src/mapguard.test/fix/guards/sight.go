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

// Gates are asked with the lock held, by functions that get the channel or the group, and do nothing else with it.
type Gates struct {
	mu    sync.Mutex // protects gates
	gates map[string]int
}

// Add adds a gate.
func (g *Gates) Add(name string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.gates[name]++
}

// Ask waits for one answer.
func (g *Gates) Ask(name string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	answers := make(chan int)
	go answer(name, answers)
	g.gates[name] += <-answers
}

func answer(name string, answers chan<- int) {
	defer close(answers)
	answers <- len(name)
}

// AskAll waits for a group behind a pointer, in which literals and a function run.
func (g *Gates) AskAll(names []string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	group := new(sync.WaitGroup)
	sizes := make([]int, len(names))
	for i, name := range names {
		group.Add(2)
		go func() {
			defer group.Done()
			sizes[i] = len(name)
		}()
		go show(name, group)
	}
	group.Wait()
	for i, name := range names {
		g.gates[name] += sizes[i]
	}
}

func show(name string, group *sync.WaitGroup) {
	defer group.Done()
	println(name)
}

// KnownBad is run by none of these goroutines.
func (g *Gates) KnownBad(name string) bool {
	return g.gates[name] > 0 // want `unguarded-access: .*`
}
