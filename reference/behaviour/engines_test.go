package behaviour

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	"github.com/cucumber/godog"

	"github.com/mapguard/mapguard/reference/engine"
	"github.com/mapguard/mapguard/reference/internal/form"
	"github.com/mapguard/mapguard/reference/internal/interleave"
	"github.com/mapguard/mapguard/reference/sqlite"
	"github.com/mapguard/mapguard/reference/store"
)

var errNoEngine = errors.New("engines cannot be opened")

// engineSteps are the steps about the engine cache, of one scenario.
type engineSteps struct {
	form      form.Form
	temporary string

	url     string
	broken  bool
	meeting *interleave.Meeting
	opened  []*engine.Engine
	// waited says that the last caller waited for something.
	waited bool
	units  []form.Unit
	err    error
}

func newEngineSteps(service form.Form, temporary string) *engineSteps {
	return &engineSteps{form: service, temporary: temporary}
}

func (s *engineSteps) register(sc *godog.ScenarioContext) {
	sc.Given(`^an in-memory URL that no one has used$`, func() { s.url = "memory:behaviour" })
	sc.Given(`^the URL of a file$`, func() { s.url = filepath.Join(s.temporary, "service.db") })
	sc.Given(`^engines (can|cannot) be opened$`, func(can string) { s.broken = can == "cannot" })
	sc.When(`^(a unit of work|a migration) comes$`, s.comes)
	sc.When(`^(a unit of work|a migration) and (a unit of work|a migration) look into the cache before either fills it$`, s.meet)
	sc.When(`^the URL is disposed of$`, func() error { return engine.Dispose(s.url) })
	sc.When(`^every unit of work is closed$`, s.closeUnits)
	sc.Then(`^all have the same engine$`, s.sameEngine)
	sc.Then(`^(\d+) engines? (?:was|were) opened$`, s.openedEngines)
	sc.Then(`^no engine is open$`, s.noneOpen)
	sc.Then(`^every unit of work finds the schema$`, s.findSchema)
	sc.Given(`^the in-memory URL "([^"]*)"$`, func(url string) { s.url = url })
	sc.When(`^a unit of work comes while a migration applies the schema$`, s.comesBeforeSchema)
	sc.When(`^a unit of work comes while the engine of another URL opens$`, s.comesBesideAnother)
	sc.When(`^a unit of work comes while the engine of its URL opens, and its context ends$`, s.comesAndGivesUp)
	sc.Then(`^it did not wait$`, s.didNotWait)
	sc.Then(`^it gave up$`, s.gaveUp)
	sc.Then(`^it is refused$`, s.refused)
	sc.After(func(ctx context.Context, _ *godog.Scenario, _ error) (context.Context, error) {
		return ctx, s.clean()
	})
}

// open is the engine factory of the scenario: it stands between the check of
// the cache and the act.
func (s *engineSteps) open(ctx context.Context, url string) (*engine.Engine, error) {
	if s.broken {
		return nil, errNoEngine
	}
	eng, err := sqlite.Open(ctx, url)
	if err != nil {
		return nil, err
	}
	s.opened = append(s.opened, eng)
	if s.meeting != nil {
		s.meeting.Arrive()
	}
	return eng, nil
}

// visit is what one user of the cache does. It returns the unit of work that it
// opened, if it did.
func (s *engineSteps) visit(ctx context.Context, user string) (form.Unit, error) {
	if user == "a migration" {
		return nil, s.form.Migrate(ctx, s.url, s.open)
	}
	unit, err := s.form.OpenUnit(ctx, s.url, s.open)
	if err != nil {
		return nil, err
	}
	return unit, nil
}

// keep keeps a unit of work that was opened.
func (s *engineSteps) keep(unit form.Unit) {
	if unit != nil {
		s.units = append(s.units, unit)
	}
}

func (s *engineSteps) comes(ctx context.Context, user string) error {
	unit, err := s.visit(ctx, user)
	s.keep(unit)
	s.err = err
	if s.broken {
		return nil
	}
	return err
}

func (s *engineSteps) meet(ctx context.Context, first, second string) error {
	s.meeting = interleave.New()
	var units [2]form.Unit
	var errs [2]error
	s.meeting.Run(
		func() { units[0], errs[0] = s.visit(ctx, first) },
		func() { units[1], errs[1] = s.visit(ctx, second) },
	)
	s.keep(units[0])
	s.keep(units[1])
	return errors.Join(errs[:]...)
}

// beside lets a unit of work come, and look at what it finds, while another
// goroutine is held in hold, which gets a function to call there. When the unit of
// work waits for something or is done, meanwhile is called, and both go on; one
// whose context has ended by then goes first.
func (s *engineSteps) beside(ctx context.Context, hold func(held func()) error, meanwhile func()) error {
	arrived, release := make(chan struct{}), make(chan struct{})
	first := make(chan error, 1)
	held := sync.OnceFunc(func() {
		close(arrived)
		<-release
	})
	go func() { first <- hold(held) }()
	<-arrived
	var done <-chan struct{}
	s.waited, done = interleave.Blocks(func() {
		var unit form.Unit
		if unit, s.err = s.visit(ctx, "a unit of work"); s.err == nil {
			s.keep(unit)
			s.err = s.findSchema(context.WithoutCancel(ctx))
		}
	})
	meanwhile()
	if ctx.Err() != nil {
		<-done
	}
	close(release)
	<-done
	return <-first
}

func (s *engineSteps) comesBeforeSchema(ctx context.Context) error {
	return errors.Join(s.beside(ctx, func(held func()) error {
		return s.form.MigrateBy(ctx, s.url, s.open, func(ctx context.Context, db *sql.DB) error {
			held()
			return form.ApplySchema(ctx, db)
		})
	}, func() {}), s.err)
}

// anotherURL is a URL that is not that of the scenario.
const anotherURL = "memory:behaviour-another"

func (s *engineSteps) comesBesideAnother(ctx context.Context) error {
	return s.beside(ctx, s.opening(ctx, anotherURL), func() {})
}

func (s *engineSteps) comesAndGivesUp(ctx context.Context) error {
	ending, end := context.WithCancel(ctx)
	return s.beside(ending, s.opening(ctx, s.url), end)
}

// opening returns what is held while it opens the engine of url.
func (s *engineSteps) opening(ctx context.Context, url string) func(held func()) error {
	return func(held func()) error {
		_, err := s.form.OpenUnit(ctx, url, func(ctx context.Context, url string) (*engine.Engine, error) {
			held()
			return s.open(ctx, url)
		})
		return err
	}
}

func (s *engineSteps) didNotWait() error {
	if s.waited {
		return errors.New("it waited for another URL")
	}
	return nil
}

func (s *engineSteps) gaveUp() error {
	if !s.waited {
		return failed("duplicate-engine", "it opened an engine of its own while that of the URL opened")
	}
	if !errors.Is(s.err, context.Canceled) {
		return fmt.Errorf("it waited and got %v", s.err)
	}
	return nil
}

func (s *engineSteps) closeUnits() error {
	var errs []error
	for _, unit := range s.units {
		errs = append(errs, unit.Close())
	}
	return errors.Join(errs...)
}

func (s *engineSteps) sameEngine() error {
	for _, unit := range s.units {
		if unit.Engine() != s.units[0].Engine() {
			return failed("duplicate-engine", "two units of work of %s have an engine each", s.url)
		}
	}
	return nil
}

func (s *engineSteps) openedEngines(want int) error {
	if len(s.opened) != want {
		return failed("duplicate-engine", "%d engines of %s were opened, want %d", len(s.opened), s.url, want)
	}
	return nil
}

func (s *engineSteps) noneOpen(ctx context.Context) error {
	open := 0
	for _, eng := range s.opened {
		if eng.DB().PingContext(ctx) == nil {
			open++
		}
	}
	if open > 0 {
		return failed("leaked-engine", "%d of %d engines are still open", open, len(s.opened))
	}
	return nil
}

func (s *engineSteps) findSchema(ctx context.Context) error {
	for _, unit := range s.units {
		err := unit.Do(ctx, func(tx *store.Tx) error {
			_, err := tx.Actions.List(ctx)
			return err
		})
		if err != nil && strings.Contains(err.Error(), "no such table") {
			return failed("missing-schema", "%v", err)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *engineSteps) refused() error {
	if !errors.Is(s.err, errNoEngine) {
		return fmt.Errorf("it returned %v, want %v", s.err, errNoEngine)
	}
	return nil
}

// clean leaves no engine of the scenario in the cache or open.
func (s *engineSteps) clean() error {
	errs := []error{engine.Dispose(s.url), engine.Dispose(anotherURL)}
	for _, eng := range s.opened {
		errs = append(errs, eng.Close())
	}
	return errors.Join(errs...)
}
