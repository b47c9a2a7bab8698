// Package behaviour holds the behaviour tests of the service, which run against
// both of its forms, and the tests under load of the fixed one.
package behaviour

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cucumber/godog"
	"go.uber.org/goleak"

	"github.com/mapguard/mapguard/reference/internal/form"
)

// buggyTag is the tag of a scenario that the buggy form must fail; what follows
// it is the reason.
const buggyTag = "@buggy:"

// failure is the failure of a step for one of the reasons that tags state.
type failure struct{ reason, detail string }

// Error returns the reason and what was seen.
func (f *failure) Error() string { return f.reason + ": " + f.detail }

// failed returns the failure of a step for reason.
func failed(reason, format string, args ...any) error {
	return &failure{reason: reason, detail: fmt.Sprintf(format, args...)}
}

// outcome is what became of one scenario.
type outcome struct {
	name string
	// reason is why the scenario must fail on the buggy form; empty when it
	// must pass.
	reason string
	err    error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if err := removeRacer(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	if err := goleak.Find(); err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// TestFixed checks that the fixed form behaves as every scenario says.
func TestFixed(t *testing.T) {
	for _, o := range outcomes(t, form.Fixed()) {
		t.Run(o.name, func(t *testing.T) {
			if o.err != nil {
				t.Error(o.err)
			}
		})
	}
}

// TestBuggy checks that the buggy form fails the scenarios that capture its
// bugs, each for the reason in its tag, and passes all others.
func TestBuggy(t *testing.T) {
	for _, o := range outcomes(t, form.Buggy()) {
		t.Run(o.name, func(t *testing.T) {
			if o.reason == "" {
				if o.err != nil {
					t.Error(o.err)
				}
				return
			}
			var f *failure
			if !errors.As(o.err, &f) || f.reason != o.reason {
				t.Errorf("it must fail because of %s; what came of it: %v", o.reason, o.err)
			}
			t.Log(o.err)
		})
	}
}

// patience is how long one scenario may take. It takes a tenth of that on a busy
// machine, but one that waits for a lock that is never given must fail, not hang.
const patience = 20 * time.Second

// outcomes runs all features against one form.
func outcomes(t *testing.T, service form.Form) []outcome {
	t.Helper()
	if _, err := buildRacer(); err != nil {
		t.Fatal(err)
	}
	var current atomic.Value
	hangs := time.AfterFunc(patience, func() {
		traces := make([]byte, 1<<20)
		traces = traces[:runtime.Stack(traces, true)]
		fmt.Fprintf(os.Stderr, "--- FAIL: %s\n    the scenario %q hangs\n%s\n", t.Name(), current.Load(), traces)
		os.Exit(1)
	})
	defer hangs.Stop()
	var all []outcome
	suite := godog.TestSuite{
		Name: service.Name,
		ScenarioInitializer: func(sc *godog.ScenarioContext) {
			sc.Before(func(ctx context.Context, scenario *godog.Scenario) (context.Context, error) {
				current.Store(scenario.Name)
				hangs.Reset(patience)
				return ctx, nil
			})
			sc.After(func(ctx context.Context, scenario *godog.Scenario, err error) (context.Context, error) {
				all = append(all, outcome{name: scenario.Name, reason: reasonOf(scenario), err: err})
				return ctx, nil
			})
			temporary := t.TempDir()
			newEngineSteps(service, temporary).register(sc)
			newPlanSteps(service).register(sc)
			newCacheSteps(service, temporary).register(sc)
			newProgramSteps(service).register(sc)
		},
		Options: &godog.Options{Format: "progress", Output: io.Discard, Paths: []string{"features"}, Strict: true},
	}
	suite.Run()
	if len(all) == 0 {
		t.Fatal("no scenario was run")
	}
	return all
}

// reasonOf returns why a scenario must fail on the buggy form, if it must.
func reasonOf(scenario *godog.Scenario) string {
	for _, tag := range scenario.Tags {
		if reason, ok := strings.CutPrefix(tag.Name, buggyTag); ok {
			return reason
		}
	}
	return ""
}
