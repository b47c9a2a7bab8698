// Package servicetest gives tests the parts of the service that they run on.
package servicetest

import (
	"sync"
	"testing"
	"time"

	"github.com/mapguard/mapguard/reference/engine"
	"github.com/mapguard/mapguard/reference/fixed/uow"
	"github.com/mapguard/mapguard/reference/schema"
	"github.com/mapguard/mapguard/reference/sqlite"
)

// Unit returns a unit of work on a database in memory that has the schema and
// is gone after the test.
func Unit(t testing.TB) *uow.UnitOfWork {
	t.Helper()
	url := "memory:" + t.Name()
	unit, err := uow.Open(t.Context(), url, sqlite.Open)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := engine.Dispose(url); err != nil {
			t.Error(err)
		}
	})
	if err := schema.Up(t.Context(), unit.Engine().DB()); err != nil {
		t.Fatal(err)
	}
	return unit
}

// Execute runs a statement on the database of unit.
func Execute(t testing.TB, unit *uow.UnitOfWork, statement string) {
	t.Helper()
	if _, err := unit.Engine().DB().ExecContext(t.Context(), statement); err != nil {
		t.Fatal(err)
	}
}

// Clock is a clock that stands still until it is told to go on.
type Clock struct {
	// mu protects now.
	mu  sync.Mutex
	now time.Time
}

// NewClock returns a clock.
func NewClock() *Clock {
	return &Clock{now: time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)}
}

// Now returns what the clock shows.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance puts the clock forward.
func (c *Clock) Advance(by time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(by)
}
