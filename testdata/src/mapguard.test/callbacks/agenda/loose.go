package agenda

import "sync"

// A Desk has jobs that one function runs without the lock.
type Desk struct {
	mu    sync.Mutex
	marks map[string]int
	jobs  []func()
}

// MarkBad adds a job that Idle runs without the lock.
func (d *Desk) MarkBad(k string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.jobs = append(d.jobs, func() {
		if _, ok := d.marks[k]; !ok { // want `check-then-act: d.marks.*, low`
			d.marks[k] = 1
		}
	})
}

// Work runs what waits.
func (d *Desk) Work() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, job := range d.jobs {
		job()
	}
}

// Idle runs what waits.
func (d *Desk) Idle() {
	d.mu.Lock()
	jobs := d.jobs
	d.jobs = nil
	d.mu.Unlock()
	for _, job := range jobs {
		job()
	}
}

// Drop forgets a mark.
func (d *Desk) Drop(k string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.marks, k)
}

// A Shelf starts its jobs in goroutines.
type Shelf struct {
	mu    sync.Mutex
	marks map[string]int
	jobs  []func()
}

// FillBad adds a job that runs beside others.
func (s *Shelf) FillBad(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.jobs = append(s.jobs, func() {
		if _, ok := s.marks[k]; !ok { // want `check-then-act: s.marks.*, low`
			s.marks[k] = 1
		}
	})
}

// Work starts what waits.
func (s *Shelf) Work() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, job := range s.jobs {
		go job()
	}
}

// Drop forgets a mark.
func (s *Shelf) Drop(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.marks, k)
}

// A Rack gives its jobs to others, beside running them.
type Rack struct {
	mu    sync.Mutex
	marks map[string]int
	jobs  []func()
}

// StackBad adds a job that who asks for the jobs can run.
func (r *Rack) StackBad(k string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.jobs = append(r.jobs, func() {
		if _, ok := r.marks[k]; !ok { // want `check-then-act: r.marks.*, low`
			r.marks[k] = 1
		}
	})
}

// Work runs what waits.
func (r *Rack) Work() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, job := range r.jobs {
		job()
	}
}

// Jobs are what waits.
func (r *Rack) Jobs() []func() {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.jobs
}

// Drop forgets a mark.
func (r *Rack) Drop(k string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.marks, k)
}

// A Tray has jobs that are kept somewhere else as well.
type Tray struct {
	mu    sync.Mutex
	marks map[string]int
	jobs  []func()
	last  func()
}

// PutBad adds a job that Again runs without the lock.
func (t *Tray) PutBad(k string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	job := func() {
		if _, ok := t.marks[k]; !ok { // want `check-then-act: t.marks.*, low`
			t.marks[k] = 1
		}
	}
	t.jobs = append(t.jobs, job)
	t.last = job
}

// Work runs what waits.
func (t *Tray) Work() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, job := range t.jobs {
		job()
	}
}

// Again runs the last one.
func (t *Tray) Again() {
	if t.last != nil {
		t.last()
	}
}

// Drop forgets a mark.
func (t *Tray) Drop(k string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.marks, k)
}
