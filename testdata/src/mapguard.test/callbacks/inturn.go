package callbacks

import "sync"

// Runners that start goroutines and call what they get under a lock of their own.

// crew makes a lock in each call.
func crew(jobs []string, done func(string)) {
	var turn sync.Mutex
	var group sync.WaitGroup
	for _, job := range jobs {
		group.Add(1)
		go func() {
			defer group.Done()
			turn.Lock()
			defer turn.Unlock()
			done(job)
		}()
	}
	group.Wait()
}

func crewOk(jobs []string) map[string]int {
	seen := map[string]int{}
	crew(jobs, func(job string) { seen[job]++ })
	return seen
}

// One call after the other, each with its own lock.
func crewsOk(shifts [][]string) map[string]int {
	seen := map[string]int{}
	for _, jobs := range shifts {
		crew(jobs, func(job string) { seen[job]++ })
	}
	seen["end"]++
	return seen
}

// Two calls at a time have two locks.
func crewsBad(early, late []string) map[string]int {
	seen := map[string]int{}
	var both sync.WaitGroup
	both.Go(func() {
		crew(early, func(job string) { seen[job]++ }) // want `goroutine-race: seen`
	})
	crew(late, func(job string) { seen[job]-- })
	both.Wait()
	return seen
}

var overall = map[string]int{}

func OverallBad(jobs []string) {
	crew(jobs, func(job string) { overall[job]++ }) // want `check-then-act: overall`
}

// Through two more runners, the last of which adds a literal.
func relabelled(jobs []string, done func(string)) {
	crew(jobs, func(job string) { done("late " + job) })
}

func passedOn(jobs []string, done func(string)) { relabelled(jobs, done) }

func passedOnOk(jobs []string) map[string]int {
	seen := map[string]int{}
	passedOn(jobs, func(job string) { seen[job]++ })
	return seen
}

// A literal that starts goroutines in its turn: they are in no one's turn.
func letGo(jobs []string, done func(string)) {
	var group sync.WaitGroup
	crew(jobs, func(job string) {
		group.Add(1)
		go func() {
			defer group.Done()
			done(job)
		}()
	})
	group.Wait()
}

func turnGoneBad(jobs []string) map[string]int {
	seen := map[string]int{}
	letGo(jobs, func(job string) { seen[job]++ }) // want `goroutine-race: seen`
	return seen
}

// Each goroutine, or each round, makes a lock.
func inside(jobs []string, done func(string)) {
	var group sync.WaitGroup
	for _, job := range jobs {
		var round sync.Mutex
		group.Go(func() {
			var own sync.Mutex
			own.Lock()
			round.Lock()
			done(job)
			round.Unlock()
			own.Unlock()
		})
	}
	group.Wait()
}

func eachItsOwnBad(jobs []string) map[string]int {
	seen := map[string]int{}
	inside(jobs, func(job string) { seen[job]++ }) // want `goroutine-race: seen`
	return seen
}

// A lock for reading lets all in.
func together(jobs []string, done func(string)) {
	var turn sync.RWMutex
	var group sync.WaitGroup
	for _, job := range jobs {
		group.Go(func() {
			turn.RLock()
			defer turn.RUnlock()
			done(job)
		})
	}
	group.Wait()
}

func togetherBad(jobs []string) map[string]int {
	seen := map[string]int{}
	together(jobs, func(job string) { seen[job]++ }) // want `goroutine-race: seen`
	return seen
}

// The runner itself calls it, where its goroutines cannot go on: none has begun, or all have ended.
func alsoItself(jobs []string, done func(string)) {
	if len(jobs) == 1 {
		done(jobs[0])
		return
	}
	var turn sync.Mutex
	var group sync.WaitGroup
	for _, job := range jobs {
		group.Add(1)
		go func() {
			defer group.Done()
			turn.Lock()
			done(job)
			turn.Unlock()
		}()
	}
	group.Wait()
	done("end")
}

func alsoItselfOk(jobs []string) map[string]int {
	seen := map[string]int{}
	alsoItself(jobs, func(job string) { seen[job]++ })
	return seen
}

func besideThem(jobs []string, done func(string)) {
	var turn sync.Mutex
	var group sync.WaitGroup
	for _, job := range jobs {
		group.Add(1)
		go func() {
			defer group.Done()
			turn.Lock()
			done(job)
			turn.Unlock()
		}()
	}
	done("end")
	group.Wait()
}

func besideThemBad(jobs []string) map[string]int {
	seen := map[string]int{}
	besideThem(jobs, func(job string) { seen[job]++ }) // want `goroutine-race: seen`
	return seen
}

// Two functions, under one lock or under two.
func firstAndLast(jobs []string, first, last func(string)) {
	var turn sync.Mutex
	var group sync.WaitGroup
	for _, job := range jobs {
		group.Add(2)
		go func() {
			defer group.Done()
			turn.Lock()
			defer turn.Unlock()
			first(job)
		}()
		go func() {
			defer group.Done()
			turn.Lock()
			defer turn.Unlock()
			last(job)
		}()
	}
	group.Wait()
}

func firstAndLastOk(jobs []string) map[string]int {
	seen := map[string]int{}
	firstAndLast(jobs, func(job string) { seen[job]++ }, func(job string) { seen[job]-- })
	return seen
}

func firstOrLast(jobs []string, first, last func(string)) {
	var turn, other sync.Mutex
	var group sync.WaitGroup
	for _, job := range jobs {
		group.Add(2)
		go func() {
			defer group.Done()
			turn.Lock()
			defer turn.Unlock()
			first(job)
		}()
		go func() {
			defer group.Done()
			other.Lock()
			defer other.Unlock()
			last(job)
		}()
	}
	group.Wait()
}

func firstOrLastBad(jobs []string) map[string]int {
	seen := map[string]int{}
	firstOrLast(jobs, func(job string) { seen[job]++ }, func(job string) { seen[job]-- }) // want `goroutine-race: seen`
	return seen
}

// The lock of an object: one of several, or of a part of it for each goroutine.
type foreman struct {
	turn  sync.Mutex
	parts []sync.Mutex
}

func (f *foreman) send(jobs []string, done func(string)) {
	for _, job := range jobs {
		go func() {
			f.turn.Lock()
			defer f.turn.Unlock()
			done(job)
		}()
	}
}

func (f *foreman) split(jobs []string, done func(string)) {
	for i, job := range jobs {
		go func() {
			f.parts[i].Lock()
			defer f.parts[i].Unlock()
			done(job)
		}()
	}
}

func foremanOk(f *foreman, jobs []string) {
	seen := map[string]int{}
	f.send(jobs, func(job string) { seen[job]++ })
	f.send(jobs, func(job string) { seen[job]-- })
}

func foremenBad(f, g *foreman, jobs []string) {
	seen := map[string]int{}
	f.send(jobs, func(job string) { seen[job]++ }) // want `goroutine-race: seen`
	g.send(jobs, func(job string) { seen[job]-- })
}

func allForemenBad(fs []*foreman, jobs []string) {
	seen := map[string]int{}
	for _, f := range fs {
		f.send(jobs, func(job string) { seen[job]++ }) // want `goroutine-race: seen`
	}
}

func splitBad(f *foreman, jobs []string) {
	seen := map[string]int{}
	f.split(jobs, func(job string) { seen[job]++ }) // want `goroutine-race: seen`
}

// By way of an interface, in which one implementation gives it to the others.
type source interface{ Feed(put func(string)) }

type goods []string

func (s goods) Feed(put func(string)) {
	for _, x := range s {
		put(x)
	}
}

type named struct {
	source
	name string
}

func (n named) Feed(put func(string)) {
	n.source.Feed(func(x string) { put(n.name + x) })
}

type merged []source

func (m merged) Feed(put func(string)) {
	var turn sync.Mutex
	var group sync.WaitGroup
	for _, s := range m {
		group.Go(func() {
			s.Feed(func(x string) {
				turn.Lock()
				defer turn.Unlock()
				put(x)
			})
		})
	}
	group.Wait()
}

func mergedOk(all ...source) map[string]int {
	seen := map[string]int{}
	merged(all).Feed(func(x string) { seen[x]++ })
	return seen
}

// One that gives a function with a lock of its own: there is one for each that it gives.
func oneByOne(f func(string)) func(string) {
	var turn sync.Mutex
	return func(x string) {
		turn.Lock()
		defer turn.Unlock()
		f(x)
	}
}

func unordered(jobs []string, done func(string)) {
	var group sync.WaitGroup
	for _, job := range jobs {
		group.Go(func() { done(job) })
	}
	group.Wait()
}

func oneByOneOk(jobs []string) map[string]int {
	seen := map[string]int{}
	unordered(jobs, oneByOne(func(job string) { seen[job]++ }))
	return seen
}

func eachByItselfBad(jobs []string) map[string]int {
	seen := map[string]int{}
	unordered(jobs, func(job string) {
		oneByOne(func(job string) { seen[job]++ })(job) // want `goroutine-race: seen`
	})
	return seen
}
