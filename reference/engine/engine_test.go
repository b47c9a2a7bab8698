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
	for url, want := range map[string]struct {
		canonical string
		memory    bool
	}{
		"memory:a":           {"memory:a", true},
		"memory:":            {"memory:", true},
		":memory:":           {"memory:", true},
		"sqlite:///:memory:": {"memory:", true},
		"sqlite://":          {"memory:", true},
		"a.db":               {"a.db", false},
		"sqlite:///a.db":     {"a.db", false},
		"sqlite:////a/b.db":  {"/a/b.db", false},
		"":                   {"", false},
	} {
		if got := engine.Canonical(url); got != want.canonical || engine.IsMemory(url) != want.memory {
			t.Errorf("%q is %q, in memory: %v", url, got, engine.IsMemory(url))
		}
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
	engine.MemoryEngines[url] = engine.Opened(engine.New(url, sql.OpenDB(stubborn{}), nil))
	engine.MemoryEnginesMu.Unlock()
	if err := engine.Dispose(url); !errors.Is(err, errClose) {
		t.Errorf("disposal returned %v", err)
	}
	if err := engine.Dispose(url); err != nil {
		t.Errorf("disposal of what is not there returned %v", err)
	}
}

// TestWhenTheFirstFails has the one who opens fail while another waits: the other
// opens for itself.
func TestWhenTheFirstFails(t *testing.T) {
	for name, fail := range map[string]func(){
		"with an error": func() {},
		"with a panic":  func() { panic("no engine today") },
	} {
		t.Run(name, func(t *testing.T) {
			const url = "memory:engine-test"
			opening, goOn, ended := make(chan bool), make(chan bool), make(chan bool)
			go func() {
				defer close(ended)
				defer func() { _ = recover() }()
				_, err := engine.Acquire(t.Context(), url, func(context.Context, string) (*engine.Engine, error) {
					close(opening)
					<-goOn
					fail()
					return nil, errClose
				})
				if !errors.Is(err, errClose) {
					t.Errorf("the first got %v", err)
				}
			}()
			<-opening
			hasEnded, end := context.WithCancel(t.Context())
			end()
			if _, err := engine.Acquire(hasEnded, url, nil); !errors.Is(err, context.Canceled) {
				t.Errorf("who cannot wait got %v", err)
			}
			close(goOn)
			want := engine.New(url, nil, nil)
			got, err := engine.Acquire(t.Context(), url, func(context.Context, string) (*engine.Engine, error) {
				return want, nil
			})
			if err != nil || got != want {
				t.Errorf("the second got %v, %v", got, err)
			}
			<-ended
			if err := engine.Dispose(url); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestDisposalOfWhatOpens has the URL disposed of while its engine opens: the
// next user gets another, the disposal waits and closes the first, and a first
// that then fails does not take the other's out of the cache.
func TestDisposalOfWhatOpens(t *testing.T) {
	const url = "memory:engine-test"
	first, second := engine.New(url, sql.OpenDB(stubborn{}), nil), engine.New(url, nil, nil)
	for name, result := range map[string]error{"it succeeds": nil, "it fails": errClose} {
		t.Run(name, func(t *testing.T) {
			opening, goOn := make(chan bool), make(chan bool)
			disposed := make(chan error)
			go func() {
				_, _ = engine.Acquire(t.Context(), url, func(context.Context, string) (*engine.Engine, error) {
					close(opening)
					<-goOn
					return first, result
				})
			}()
			<-opening
			go func() { disposed <- engine.Dispose(url) }()
			for cached := true; cached; {
				engine.MemoryEnginesMu.Lock()
				_, cached = engine.MemoryEngines[url]
				engine.MemoryEnginesMu.Unlock()
			}
			open := func(context.Context, string) (*engine.Engine, error) { return second, nil }
			if got, err := engine.Acquire(t.Context(), url, open); err != nil || got != second {
				t.Errorf("the next user got %v, %v", got, err)
			}
			close(goOn)
			if err := <-disposed; (err == nil) != (result != nil) {
				t.Errorf("disposal returned %v", err)
			}
			if got, err := engine.Acquire(t.Context(), url, nil); err != nil || got != second {
				t.Errorf("a later user got %v, %v", got, err)
			}
			if err := engine.Dispose(url); err != nil {
				t.Error(err)
			}
		})
	}
}
