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

// ring puts each back that it takes off.
type ring struct {
	all []*node
	wg  sync.WaitGroup
}

type node struct {
	name string
	hits map[string]int
}

func (n *node) serveBad(wg *sync.WaitGroup) {
	defer wg.Done()
	n.hits[n.name]++ // want `goroutine-race: .*hits is written in a goroutine without a lock`
}

func (r *ring) turn(more func() bool) {
	for more() {
		n := r.all[0]
		r.wg.Add(1)
		go n.serveBad(&r.wg)
		r.all = append(r.all[1:], n)
	}
	r.wg.Wait()
}

// tries takes one off only if it went well.
type tries struct {
	all []*try
}

type try struct {
	name string
	seen map[string]int
}

func (t *try) runBad(done chan<- bool) {
	t.seen[t.name]++ // want `goroutine-race: .*seen is written in a goroutine without a lock`
	done <- true
}

func (t *tries) retry(late <-chan bool) {
	for len(t.all) > 0 {
		first := t.all[0]
		done := make(chan bool, 1)
		go first.runBad(done)
		select {
		case <-done:
			t.all = t.all[1:]
		case <-late:
		}
	}
}
