package engine_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"testing"

	"github.com/mapguard/mapguard/reference/engine"
)

var errClose = errors.New("cannot close")

// stubborn is a database that cannot be closed.
type stubborn struct{ driver.Connector }

// Close returns an error.
func (stubborn) Close() error { return errClose }

// Connect returns an error.
func (stubborn) Connect(context.Context) (driver.Conn, error) { return nil, errClose }

func TestURLs(t *testing.T) {
	if !engine.IsMemory("memory:a") || engine.IsMemory("a.db") {
		t.Error("in-memory URLs are not told from files")
	}
	if name := engine.MemoryName("memory:a"); name != "a" {
		t.Errorf("the name is %q", name)
	}
}

func TestCloseOnce(t *testing.T) {
	db := sql.OpenDB(stubborn{})
	eng := engine.New("a.db", db, nil)
	if eng.URL() != "a.db" || eng.DB() != db {
		t.Error("the engine is another than it was made")
	}
	for range 2 {
		if err := eng.Close(); !errors.Is(err, errClose) {
			t.Errorf("closing returned %v", err)
		}
	}
}

func TestDispose(t *testing.T) {
	const url = "memory:engine-test"
	engine.MemoryEnginesMu.Lock()
	engine.MemoryEngines[url] = engine.New(url, sql.OpenDB(stubborn{}), nil)
	engine.MemoryEnginesMu.Unlock()
	if err := engine.Dispose(url); !errors.Is(err, errClose) {
		t.Errorf("disposal returned %v", err)
	}
	if err := engine.Dispose(url); err != nil {
		t.Errorf("disposal of what is not there returned %v", err)
	}
}
