package lifecycle

import (
	"fmt"
	"maps"
	"slices"
	"time"
)

// Plan is one use of an action on one or more projects.
type Plan struct {
	// ID is the identifier of the plan, a ULID.
	ID string
	// Action is the name of the action that was used.
	Action string
	// Parent is the identifier of the plan of which this is a subplan, if any.
	Parent    string
	Projects  []string
	Arguments map[string]string
	Stage     Stage
	// Reason says why the plan is errored, constrained or cancelled.
	Reason    string
	CreatedAt time.Time
	UpdatedAt time.Time
	// StartedAt and FinishedAt are of the present phase, zero until then.
	StartedAt  time.Time
	FinishedAt time.Time
}

// Usage is what a caller gives to use an action.
type Usage struct {
	Action    string
	Parent    string
	Projects  []string
	Arguments map[string]string
}

// NewPlan returns the plan that usage makes of action.
func NewPlan(id string, action Action, usage Usage, now time.Time) (Plan, error) {
	if action.Status != Available {
		return Plan{}, NotReady("action", action.Name, "it is "+string(action.Status))
	}
	if len(usage.Projects) == 0 || slices.Contains(usage.Projects, "") {
		return Plan{}, Invalid("action", action.Name, "it must be used on one or more named projects")
	}
	if err := checkTexts("action", action.Name, "a project", usage.Projects...); err != nil {
		return Plan{}, err
	}
	given := slices.Sorted(maps.Values(usage.Arguments))
	if err := checkTexts("action", action.Name, "the value of an argument", given...); err != nil {
		return Plan{}, err
	}
	values, err := action.Resolve(usage.Arguments)
	if err != nil {
		return Plan{}, err
	}
	return Plan{
		ID:        id,
		Action:    action.Name,
		Parent:    usage.Parent,
		Projects:  slices.Clone(usage.Projects),
		Arguments: values,
		Stage:     Stage{PhaseAction, Queued},
		CreatedAt: now,
		UpdatedAt: now,
	}, nil
}

// Clone returns a copy that shares nothing with p.
func (p Plan) Clone() Plan {
	p.Projects = slices.Clone(p.Projects)
	p.Arguments = maps.Clone(p.Arguments)
	return p
}

// Step is one request to move a plan. A step with a phase is refused when the
// plan is in another: who completes execute must not complete apply because
// the plan has moved on meanwhile.
type Step struct {
	Event  Event
	Phase  Phase
	Reason string
}

// Take returns the plan after step, or the error that the table of moves does
// not allow it.
func (p Plan) Take(step Step, now time.Time) (Plan, error) {
	if !slices.Contains(Events(), step.Event) {
		return Plan{}, Invalid("plan", p.ID, fmt.Sprintf("there is no event %q", step.Event))
	}
	if step.Phase != "" && !slices.Contains(Phases(), step.Phase) {
		return Plan{}, Invalid("plan", p.ID, fmt.Sprintf("there is no phase %q", step.Phase))
	}
	if step.Phase != "" && step.Phase != p.Stage.Phase {
		return Plan{}, NotReady("plan", p.ID,
			fmt.Sprintf("cannot %s %s: it is %s", step.Event, step.Phase, p.Stage))
	}
	if err := checkText("plan", p.ID, "a reason", step.Reason); err != nil {
		return Plan{}, err
	}
	to, ok := Next(p.Stage, step.Event)
	if !ok {
		return Plan{}, NotReady("plan", p.ID, fmt.Sprintf("cannot %s: it is %s", step.Event, p.Stage))
	}
	next := p.Clone()
	next.Stage, next.Reason, next.UpdatedAt = to, step.Reason, now
	switch to.State {
	case Queued:
		next.StartedAt, next.FinishedAt = time.Time{}, time.Time{}
	case Processing:
		next.StartedAt = now
	default:
		next.FinishedAt = now
	}
	return next, nil
}

// Filter selects plans; an empty field selects all.
type Filter struct {
	Phase   Phase
	State   State
	Project string
	Parent  string
}

// Check returns the error that f names a phase or a state that does not exist,
// or nil.
func (f Filter) Check() error {
	if f.Phase != "" && !slices.Contains(Phases(), f.Phase) {
		return Invalid("phase", string(f.Phase), fmt.Sprint("it must be one of ", Phases()))
	}
	if f.State != "" && !slices.Contains(States(), f.State) {
		return Invalid("state", string(f.State), fmt.Sprint("it must be one of ", States()))
	}
	return nil
}

// Matches reports whether f selects p.
func (f Filter) Matches(p Plan) bool {
	return (f.Phase == "" || f.Phase == p.Stage.Phase) &&
		(f.State == "" || f.State == p.Stage.State) &&
		(f.Project == "" || slices.Contains(p.Projects, f.Project)) &&
		(f.Parent == "" || f.Parent == p.Parent)
}
