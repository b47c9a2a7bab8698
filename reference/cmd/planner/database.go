package main

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"log/slog"
	"os"

	"github.com/mapguard/mapguard/reference/engine"
	"github.com/mapguard/mapguard/reference/fixed/gates"
	"github.com/mapguard/mapguard/reference/fixed/migrate"
	"github.com/mapguard/mapguard/reference/fixed/plan"
	"github.com/mapguard/mapguard/reference/fixed/replica"
	"github.com/mapguard/mapguard/reference/fixed/uow"
	"github.com/mapguard/mapguard/reference/fixed/workspaces"
	"github.com/mapguard/mapguard/reference/gate"
	"github.com/mapguard/mapguard/reference/lifecycle"
	"github.com/mapguard/mapguard/reference/schema"
	"github.com/mapguard/mapguard/reference/sqlite"
	"github.com/mapguard/mapguard/reference/workspace"
)

// noDatabase is the URL of no database at all.
const noDatabase = "none"

// access is what a command does to the database.
type access int

const (
	// reads is that of a command that only looks. It works where nothing can be
	// written.
	reads access = iota
	// writes is that of a command that changes what is there.
	writes
	// creates is that of a command that makes the database when there is none.
	creates
)

// planner is the service on one database, with the program that it runs in.
type planner struct {
	program
	url string
	// unit is nil when there is no database.
	unit     *uow.UnitOfWork
	plans    *plan.Service
	gates    *gates.Set
	replicas *replica.Pool
	// last is the plan that was made last, if one was.
	last string
	// workspaces are of the plans that this process carries.
	workspaces *workspaces.Set
	log        *slog.Logger
}

// withPlanner opens the database that url names, brings it up to date, calls do
// and closes the database.
func (p program) withPlanner(ctx context.Context, url string, wanted access, do action) (err error) {
	url = engine.Canonical(url)
	opened := &planner{
		program:    p,
		url:        url,
		gates:      gates.New(gate.New),
		replicas:   replica.New(sqlite.OpenReadOnly),
		workspaces: workspaces.New(workspace.Make),
		log:        slog.New(slog.NewTextHandler(p.stderr, nil)),
	}
	var config plan.Config
	if url != noDatabase {
		unit, err := openUnit(ctx, url, wanted)
		if err != nil {
			return err
		}
		opened.unit, config.Unit = unit, unit
	}
	defer func() { err = errors.Join(err, opened.close()) }()
	opened.plans = plan.New(config)
	return do(ctx, opened)
}

// close closes what withPlanner opened. The one that can write is the last: it
// takes away what SQLite has put beside the file.
func (p *planner) close() error {
	err := errors.Join(p.workspaces.Close(), p.replicas.Close())
	if p.unit != nil {
		err = errors.Join(err, p.unit.Close(), engine.Dispose(p.url))
	}
	return err
}

// openUnit opens the database that url names and brings its schema up to date. A
// file that is not there is made for a command that creates. One that cannot be
// written is opened all the same for a command that only reads.
func openUnit(ctx context.Context, url string, wanted access) (*uow.UnitOfWork, error) {
	if err := findFile(url, wanted); err != nil {
		return nil, err
	}
	runner := migrate.Runner{Open: sqlite.Open, Apply: schema.Up}
	err := runner.Run(ctx, url)
	if err == nil {
		return uow.Open(ctx, url, runner.OpenMigrated)
	}
	switch unwritable := sqlite.Unwritable(err); {
	case unwritable && wanted == reads:
		return uow.Open(ctx, url, sqlite.OpenReadOnly)
	case unwritable:
		return nil, refused(lifecycle.ErrInvalid, url, "it cannot be written; see whether its folder is there and who may write to it")
	case sqlite.NoDatabase(err):
		return nil, refused(lifecycle.ErrInvalid, url, "it is no SQLite database; name another file")
	}
	for _, why := range []error{schema.ErrForeign, schema.ErrNewer} {
		if errors.Is(err, why) {
			return nil, refused(lifecycle.ErrInvalid, url, why.Error())
		}
	}
	return nil, err
}

// findFile returns the error that what url names is no file, or is not there and
// must be.
func findFile(url string, wanted access) error {
	if engine.IsMemory(url) {
		return nil
	}
	if url == "" {
		return refused(lifecycle.ErrInvalid, url, "name a file, or memory:NAME, or none")
	}
	info, err := os.Stat(url)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return refused(lifecycle.ErrInvalid, url, "it is no file; name one")
	case wanted != creates && errors.Is(err, fs.ErrNotExist):
		return refused(lifecycle.ErrUnknown, url, "there is no such file; create makes it, -db names another")
	}
	return nil // what else is wrong with it shows when it is opened
}

// refused returns the error that a database is not used.
func refused(kind error, url, reason string) error {
	return &lifecycle.Error{Kind: kind, Subject: "database", ID: url, Reason: reason}
}

// reader returns what reports are read from: a replica where there can be one.
func (p *planner) reader(ctx context.Context) (*sql.DB, error) {
	if engine.IsMemory(p.url) {
		return p.unit.Engine().DB(), nil
	}
	eng, err := p.replicas.Engine(ctx, p.url)
	if err != nil {
		return nil, err
	}
	return eng.DB(), nil
}
