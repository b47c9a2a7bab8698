package threads

import "sync"

type errand struct {
	name  string
	files map[string]string
}

func (j *errand) runOk(wg *sync.WaitGroup) {
	defer wg.Done()
	j.files = make(map[string]string)
	j.files[j.name] = j.name
}

type errands struct {
	jobs []*errand
	wg   sync.WaitGroup
}

// drainOk starts a goroutine for each errand, which it takes off the errands.
func (q *errands) drainOk(more func() bool) {
	for more() {
		j := q.jobs[0]
		q.wg.Add(1)
		go j.runOk(&q.wg)
		q.jobs = q.jobs[1:]
	}
	q.wg.Wait()
}

type duties struct {
	jobs  []*duty
	wg    sync.WaitGroup
	first int
}

type duty struct {
	name  string
	files map[string]string
}

func (j *duty) runBad(wg *sync.WaitGroup) {
	defer wg.Done()
	j.files[j.name] = j.name // want `goroutine-race: .*files is written in a goroutine without a lock`
}

// repeat starts several for the first errand.
func (q *duties) repeat(more func() bool) {
	for more() {
		j := q.jobs[0]
		q.wg.Add(1)
		go j.runBad(&q.wg)
	}
	q.wg.Wait()
}
