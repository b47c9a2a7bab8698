package callbacks

import (
	"reflect"
	"runtime"
	"sync"
)

// A job knows the function that it runs by name alone.
type job struct {
	name string
	work func(*job) error
}

type jobs struct {
	mu  sync.Mutex
	all []*job
}

func (js *jobs) start(name string, work func(*job) error) {
	go js.manage(name, work)
}

func (js *jobs) manage(name string, work func(*job) error) {
	j := &job{name: name, work: work}
	js.mu.Lock()
	js.all = append(js.all, j)
	js.mu.Unlock()
	for work(j) != nil {
		println("again", j.name)
	}
}

func (js *jobs) print() {
	js.mu.Lock()
	defer js.mu.Unlock()
	for _, j := range js.all {
		if j.work != nil {
			println(j.name, funcName(j.work))
		}
	}
}

func funcName(work func(*job) error) string {
	return runtime.FuncForPC(reflect.ValueOf(work).Pointer()).Name()
}

type dialer struct {
	mu   sync.Mutex
	link *dialled
	jobs jobs
}

type dialled struct {
	open map[int]bool
	in   chan int
}

func (d *dialer) dial() *dialled {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.link != nil {
		return d.link
	}
	l := &dialled{open: make(map[int]bool), in: make(chan int)}
	d.jobs.start("dial", l.serveOk)
	d.link = l
	return l
}

func (d *dialer) Send(n int) {
	d.dial().in <- n
	d.jobs.print()
}

// One goroutine runs it, again and again, on an object of its own.
func (l *dialled) serveOk(*job) error {
	for n := range l.in {
		if !l.open[n] {
			l.open[n] = true
		}
	}
	return nil
}

// What is called out of the field may run beside the goroutine.
type retried struct {
	name string
	work func(*retried) error
}

type retries struct {
	mu  sync.Mutex
	all []*retried
}

func (rs *retries) start(name string, work func(*retried) error) {
	r := &retried{name: name, work: work}
	rs.mu.Lock()
	rs.all = append(rs.all, r)
	rs.mu.Unlock()
	go func() { _ = work(r) }()
}

func (rs *retries) retry() {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	for _, r := range rs.all {
		go r.work(r)
	}
}

type redialer struct {
	mu      sync.Mutex
	link    *redialled
	retries retries
}

type redialled struct {
	open map[int]bool
	in   chan int
}

func (d *redialer) dial() *redialled {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.link != nil {
		return d.link
	}
	l := &redialled{open: make(map[int]bool), in: make(chan int)}
	d.retries.start("dial", l.serveBad)
	d.link = l
	return l
}

func (d *redialer) Send(n int) {
	d.dial().in <- n
	d.retries.retry()
}

func (l *redialled) serveBad(*retried) error {
	for n := range l.in {
		if !l.open[n] { // want `l.open is read here`
			l.open[n] = true
		}
	}
	return nil
}
