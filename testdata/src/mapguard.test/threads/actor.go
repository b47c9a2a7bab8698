package threads

// The goroutine gets its channel as an argument, as one that only receives.

type actor struct {
	jobs chan<- func()
	rows map[string]int
}

func (a *actor) start() {
	jobs, stop := make(chan func(), 8), make(chan struct{})
	a.jobs = jobs
	go a.loop(jobs, stop)
}

func (a *actor) loop(jobs <-chan func(), stop <-chan struct{}) {
	for {
		select {
		case job := <-jobs:
			job()
		case <-stop:
			return
		}
		a.sweepOk()
	}
}

func (a *actor) sweepOk() {
	for k, n := range a.rows {
		if n == 0 {
			delete(a.rows, k)
		}
	}
}

func (a *actor) AddOk(k string) {
	a.jobs <- func() {
		if _, ok := a.rows[k]; !ok {
			a.rows[k] = 1
		}
	}
}

// Two goroutines get the channel.

type twoActors struct {
	jobs chan<- func()
	rows map[string]int
}

func (a *twoActors) start() {
	jobs := make(chan func())
	a.jobs = jobs
	go a.loop(jobs)
	go a.loop(jobs)
}

func (a *twoActors) loop(jobs <-chan func()) {
	for job := range jobs {
		job()
		a.sweepBad()
	}
}

func (a *twoActors) sweepBad() {
	for k, n := range a.rows { // want `a.rows is ranged over`
		if n == 0 {
			delete(a.rows, k)
		}
	}
}

func (a *twoActors) Add(k string) {
	a.jobs <- func() {
		a.rows[k]++
	}
}
