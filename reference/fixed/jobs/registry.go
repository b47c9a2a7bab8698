// Package jobs is the registry of the jobs that run in this process: since when,
// and when their workers last gave a sign of life.
package jobs

import (
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/mapguard/mapguard/reference/job"
	"github.com/mapguard/mapguard/reference/lifecycle"
)

// Registry knows the jobs that run. It is safe for concurrent use.
type Registry struct {
	// mu protects running.
	mu      sync.Mutex
	running map[string]job.Run
}

// NewRegistry returns a registry in which no job runs.
func NewRegistry() *Registry {
	return &Registry{running: map[string]job.Run{}}
}

// Begin enters a job that starts to run now.
func (r *Registry) Begin(jobID string, now time.Time) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, ok := r.running[jobID]; ok {
		return lifecycle.Duplicate("running job", jobID)
	}
	r.running[jobID] = job.Run{Since: now, Heartbeat: now}
	return nil
}

// Beat notes a sign of life of a running job.
func (r *Registry) Beat(jobID string, now time.Time) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	run, ok := r.running[jobID]
	if !ok {
		return lifecycle.Unknown("running job", jobID)
	}
	run.Heartbeat = now
	r.running[jobID] = run
	return nil
}

// End takes a job out that runs no longer.
func (r *Registry) End(jobID string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.running, jobID)
}

// Stuck returns the jobs that have given no sign of life since cutoff, in the
// order of their identifiers.
func (r *Registry) Stuck(cutoff time.Time) []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var stuck []string
	for jobID, run := range r.running {
		if run.Heartbeat.Before(cutoff) {
			stuck = append(stuck, jobID)
		}
	}
	slices.Sort(stuck)
	return stuck
}

// Len returns how many jobs run, without those that have not begun.
func (r *Registry) Len() (n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, run := range r.running {
		if !run.Since.IsZero() {
			n++
		}
	}
	return n
}

// Running returns the jobs that run, by identifier: a copy, which the caller
// may keep and change.
func (r *Registry) Running() map[string]job.Run {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.running)
}
