package behaviour

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"time"

	"github.com/cucumber/godog"

	"github.com/mapguard/mapguard/reference/engine"
	"github.com/mapguard/mapguard/reference/gate"
	"github.com/mapguard/mapguard/reference/internal/form"
	"github.com/mapguard/mapguard/reference/internal/interleave"
	"github.com/mapguard/mapguard/reference/sqlite"
)

// cacheSteps are the steps about the smaller caches, of one scenario.
type cacheSteps struct {
	form     form.Form
	url      string
	replicas form.Replicas
	meeting  *interleave.Meeting

	opened     []*engine.Engine
	got        [2]*engine.Engine
	statements [2]*sql.Stmt
	gates      [2]*gate.Gate
	registry   form.Registry
}

func newCacheSteps(service form.Form, temporary string) *cacheSteps {
	s := &cacheSteps{
		form:     service,
		url:      filepath.Join(temporary, "caches.db"),
		meeting:  interleave.New(),
		registry: service.NewRegistry(),
	}
	s.replicas = service.NewReplicas(s.open)
	return s
}

func (s *cacheSteps) register(sc *godog.ScenarioContext) {
	sc.Given(`^a database file$`, func(ctx context.Context) error {
		return s.form.Migrate(ctx, s.url, sqlite.Open)
	})
	sc.When(`^two readers open its replica, and both look before either writes$`, s.openTwice)
	sc.Then(`^both have the same replica$`, s.sameReplica)
	sc.Then(`^closing the pool closes every replica that was opened$`, s.closePool)
	sc.When(`^two readers prepare one query, and both look before either writes$`, s.prepareTwice)
	sc.Then(`^both have the same statement$`, s.sameStatement)
	sc.When(`^two plans ask for the gate of one project, and both look before either writes$`, s.askTwice)
	sc.Then(`^only one of them can enter$`, s.oneInside)
	sc.Given(`^a running job$`, func() error { return s.registry.Begin("job", time.Unix(1, 0)) })
	sc.When(`^the caller empties the list of running jobs$`, func() { clear(s.registry.Running()) })
	sc.Then(`^the job still runs$`, s.stillRuns)
	sc.After(func(ctx context.Context, _ *godog.Scenario, _ error) (context.Context, error) {
		return ctx, s.clean()
	})
}

// open is the factory of replicas: it stands between the check and the act.
func (s *cacheSteps) open(ctx context.Context, url string) (*engine.Engine, error) {
	eng, err := sqlite.OpenReadOnly(ctx, url)
	if err != nil {
		return nil, err
	}
	s.opened = append(s.opened, eng)
	s.meeting.Arrive()
	return eng, nil
}

// PrepareContext prepares a statement on the first engine that was opened. It
// stands between the check of the cache and the act.
func (s *cacheSteps) PrepareContext(ctx context.Context, query string) (*sql.Stmt, error) {
	stmt, err := s.opened[0].DB().PrepareContext(ctx, query)
	s.meeting.Arrive()
	return stmt, err
}

// twice calls do in two goroutines, which meet between check and act.
func (s *cacheSteps) twice(do func(i int) error) error {
	var errs [2]error
	s.meeting.Run(
		func() { errs[0] = do(0) },
		func() { errs[1] = do(1) },
	)
	return errors.Join(errs[:]...)
}

func (s *cacheSteps) openTwice(ctx context.Context) error {
	return s.twice(func(i int) (err error) {
		s.got[i], err = s.replicas.Engine(ctx, s.url)
		return err
	})
}

func (s *cacheSteps) sameReplica() error {
	if s.got[0] != s.got[1] {
		return failed("duplicate-engine", "two readers of %s have a replica each", s.url)
	}
	return nil
}

func (s *cacheSteps) closePool(ctx context.Context) error {
	if err := s.replicas.Close(); err != nil {
		return err
	}
	for _, eng := range s.opened {
		if eng.DB().PingContext(ctx) == nil {
			return failed("leaked-engine", "a replica of %s is still open", s.url)
		}
	}
	return nil
}

func (s *cacheSteps) prepareTwice(ctx context.Context) error {
	if _, err := s.replicas.Engine(ctx, s.url); err != nil {
		return err
	}
	cache := s.form.NewStatements(s)
	return s.twice(func(i int) (err error) {
		s.statements[i], err = cache.Statement(ctx, "SELECT COUNT(*) FROM plans")
		return err
	})
}

func (s *cacheSteps) sameStatement() error {
	if s.statements[0] != s.statements[1] {
		return failed("duplicate-statement", "one query was prepared for each of two readers")
	}
	return nil
}

func (s *cacheSteps) askTwice() error {
	set := s.form.NewGates(func() *gate.Gate {
		made := gate.New()
		s.meeting.Arrive()
		return made
	})
	return s.twice(func(i int) error {
		s.gates[i] = set.Of("project")
		return nil
	})
}

func (s *cacheSteps) oneInside() error {
	if !s.gates[0].TryEnter() {
		return errors.New("no one can enter")
	}
	if s.gates[1].TryEnter() {
		return failed("two-inside", "two plans are inside the gate of one project")
	}
	return nil
}

func (s *cacheSteps) stillRuns() error {
	if s.registry.Len() != 1 {
		return failed("escaped-map", "the caller took the job out of the registry")
	}
	return nil
}

// clean leaves nothing of the scenario open.
func (s *cacheSteps) clean() error {
	errs := []error{s.replicas.Close()}
	for _, eng := range s.opened {
		errs = append(errs, eng.Close())
	}
	return errors.Join(errs...)
}
