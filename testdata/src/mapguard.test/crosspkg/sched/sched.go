// Package sched exports functions that change a map without a lock; they
// come alive in the importer that starts goroutines.
package sched

// Jobs are the jobs by name.
type Jobs struct{ byName map[string]int }

// New makes jobs.
func New() *Jobs { return &Jobs{byName: make(map[string]int)} } // want New:`.*`

// Run counts a run.
func (j *Jobs) Run(name string) { // want Run:`writes arg0\.byName`
	j.byName[name]++
}

// A Serial is like Jobs, and no goroutine is ever started with it.
type Serial struct{ byName map[string]int }

// Run counts a run.
func (s *Serial) Run(name string) { // want Run:`writes arg0\.byName`
	s.byName[name]++
}

// Start starts f in a goroutine.
func Start(f func()) { // want Start:`runs arg 0`
	go f()
}
