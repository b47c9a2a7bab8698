// The server command runs the buggy form as a service: HTTP handlers take actions
// and plans, a worker carries the plans, and both use the same maps at the same
// time. That is evidence enough: mapguard needs no comment that says so.
package main

import (
	"context"
	"encoding/json"
	"log"
	"net/http"
	"os"
	"time"

	"github.com/mapguard/mapguard/reference/buggy/gates"
	"github.com/mapguard/mapguard/reference/buggy/jobs"
	"github.com/mapguard/mapguard/reference/buggy/migrate"
	"github.com/mapguard/mapguard/reference/buggy/plan"
	"github.com/mapguard/mapguard/reference/buggy/replica"
	"github.com/mapguard/mapguard/reference/buggy/stmts"
	"github.com/mapguard/mapguard/reference/buggy/uow"
	"github.com/mapguard/mapguard/reference/buggy/workspaces"
	"github.com/mapguard/mapguard/reference/gate"
	"github.com/mapguard/mapguard/reference/id"
	"github.com/mapguard/mapguard/reference/lifecycle"
	"github.com/mapguard/mapguard/reference/report"
	"github.com/mapguard/mapguard/reference/schema"
	"github.com/mapguard/mapguard/reference/sqlite"
	"github.com/mapguard/mapguard/reference/workspace"
)

// server is the service.
type server struct {
	plans      *plan.Service
	registry   *jobs.Registry
	gates      *gates.Set
	replicas   *replica.Pool
	workspaces *workspaces.Set
	queue      chan string
}

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: server ADDRESS")
	}
	s := &server{
		plans:      plan.New(plan.Config{}),
		registry:   jobs.NewRegistry(),
		gates:      gates.New(gate.New),
		replicas:   replica.New(sqlite.OpenReadOnly),
		workspaces: workspaces.New(workspace.Make),
		queue:      make(chan string, 100),
	}
	for range 4 {
		go s.work()
	}
	http.HandleFunc("POST /actions/{namespace}/{name}", s.create) // want:goroutine-race
	http.HandleFunc("POST /plans/{namespace}/{name}", s.use)      // want:goroutine-race
	http.HandleFunc("GET /plans", s.list)
	http.HandleFunc("GET /running", s.running)
	http.HandleFunc("GET /report", s.report)
	http.HandleFunc("POST /databases", s.database)
	log.Fatal(http.ListenAndServe(os.Args[1], nil))
}

// answer writes what a request came to.
func answer(w http.ResponseWriter, value any, err error) {
	if err != nil {
		http.Error(w, err.Error(), http.StatusConflict)
		return
	}
	if err := json.NewEncoder(w).Encode(value); err != nil {
		log.Print(err)
	}
}

func actionOf(r *http.Request) string { return r.PathValue("namespace") + "/" + r.PathValue("name") }

func (s *server) create(w http.ResponseWriter, r *http.Request) {
	spec := lifecycle.ActionSpec{Name: actionOf(r), DefinitionOfDone: r.FormValue("done")}
	if _, err := s.plans.CreateAction(r.Context(), spec); err != nil {
		answer(w, nil, err)
		return
	}
	published, err := s.plans.Publish(r.Context(), spec.Name)
	answer(w, published, err)
}

func (s *server) use(w http.ResponseWriter, r *http.Request) {
	usage := lifecycle.Usage{Action: actionOf(r), Projects: r.URL.Query()["project"]}
	made, err := s.plans.Use(r.Context(), usage)
	if err == nil {
		s.queue <- made.ID
	}
	answer(w, made, err)
}

func (s *server) list(w http.ResponseWriter, r *http.Request) {
	if name := r.FormValue("action"); name != "" {
		action, err := s.plans.Action(r.Context(), name)
		answer(w, action, err)
		return
	}
	plans, err := s.plans.Plans(r.Context(), lifecycle.Filter{})
	answer(w, plans, err)
}

func (s *server) running(w http.ResponseWriter, _ *http.Request) {
	log.Print(s.registry.Len(), " jobs run")
	answer(w, s.registry.Running(), nil)
}

// report counts the plans in a database file.
func (s *server) report(w http.ResponseWriter, r *http.Request) {
	eng, err := s.replicas.Engine(r.Context(), r.FormValue("file"))
	if err != nil {
		answer(w, nil, err)
		return
	}
	counts, err := report.Counts(r.Context(), stmts.New(eng.DB()))
	answer(w, counts, err)
}

// database makes a database in memory.
func (s *server) database(w http.ResponseWriter, r *http.Request) {
	runner := migrate.Runner{Open: sqlite.Open, Apply: schema.Up}
	url := "memory:" + r.FormValue("name")
	if err := runner.Run(r.Context(), url); err != nil {
		answer(w, nil, err)
		return
	}
	unit, err := uow.Open(r.Context(), url, sqlite.Open)
	if err == nil {
		err = unit.Close()
	}
	answer(w, url, err)
}

// work carries plans to their end, one after the other.
func (s *server) work() {
	carrier := id.New()
	for planID := range s.queue {
		if !s.workspaces.Claim(planID, carrier) {
			continue // another worker carries it
		}
		if err := s.carry(context.Background(), planID); err != nil {
			log.Print(err)
		}
		s.workspaces.Leave(planID, carrier)
	}
}

func (s *server) carry(ctx context.Context, planID string) error {
	if err := s.registry.Begin(planID, time.Now()); err != nil {
		return err
	}
	defer s.registry.End(planID)
	folder, err := s.workspaces.Folder(planID)
	if err != nil {
		return err
	}
	log.Print(folder.Path(), " is the folder of phase ", s.workspaces.Begin(planID))
	started, err := s.plans.Start(ctx, planID, lifecycle.PhaseAction)
	if err != nil {
		return err
	}
	for _, project := range started.Projects {
		entrance := s.gates.Of(project)
		if err := entrance.Enter(ctx); err != nil {
			return err
		}
		defer entrance.Leave()
	}
	if _, err := s.plans.Complete(ctx, planID, lifecycle.PhaseAction); err != nil {
		return err
	}
	return s.workspaces.Remove(planID)
}
