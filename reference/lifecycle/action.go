package lifecycle

import (
	"maps"
	"regexp"
	"slices"
	"time"
)

// ActionStatus says whether an action can be used.
type ActionStatus string

// The statuses of an action.
const (
	Draft     ActionStatus = "draft"
	Available ActionStatus = "available"
	Archived  ActionStatus = "archived"
)

// actionName is what the name of an action looks like: namespace/name.
var actionName = regexp.MustCompile(`^[a-z][a-z0-9-]*/[a-z][a-z0-9-]*$`)

// Argument is one argument that an action takes.
type Argument struct {
	Name     string
	Required bool
	Default  string
}

// Action is a template of plans.
type Action struct {
	// Name is the namespaced name, unique among all actions, archived or not.
	Name             string
	Description      string
	DefinitionOfDone string
	Arguments        []Argument
	Status           ActionStatus
	CreatedAt        time.Time
	UpdatedAt        time.Time
}

// ActionSpec is what a caller gives to create an action.
type ActionSpec struct {
	Name             string
	Description      string
	DefinitionOfDone string
	Arguments        []Argument
}

// Check returns the error that no action can be made of spec, or nil.
func (spec ActionSpec) Check() error {
	if !actionName.MatchString(spec.Name) {
		return Invalid("action", spec.Name, "the name must be namespace/name in lower case, such as ops/patch")
	}
	if spec.DefinitionOfDone == "" {
		return Invalid("action", spec.Name, "a definition of done is required")
	}
	if err := checkTexts("action", spec.Name, "a text", spec.DefinitionOfDone, spec.Description); err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, arg := range spec.Arguments {
		if arg.Name == "" || seen[arg.Name] {
			return Invalid("action", spec.Name, "arguments must have distinct names")
		}
		if err := checkTexts("action", spec.Name, "an argument", arg.Name, arg.Default); err != nil {
			return err
		}
		seen[arg.Name] = true
	}
	return nil
}

// NewAction returns the draft action that spec asks for.
func NewAction(spec ActionSpec, now time.Time) (Action, error) {
	if err := spec.Check(); err != nil {
		return Action{}, err
	}
	return Action{
		Name:             spec.Name,
		Description:      spec.Description,
		DefinitionOfDone: spec.DefinitionOfDone,
		Arguments:        slices.Clone(spec.Arguments),
		Status:           Draft,
		CreatedAt:        now,
		UpdatedAt:        now,
	}, nil
}

// Clone returns a copy that shares nothing with a.
func (a Action) Clone() Action {
	a.Arguments = slices.Clone(a.Arguments)
	return a
}

// Publish returns the action made available. Only a draft can be published.
func (a Action) Publish(now time.Time) (Action, error) {
	if a.Status != Draft {
		return Action{}, NotReady("action", a.Name, "it is "+string(a.Status)+", not a draft")
	}
	a = a.Clone()
	a.Status, a.UpdatedAt = Available, now
	return a, nil
}

// Archive returns the action archived. Its plans live on, no new one is made.
func (a Action) Archive(now time.Time) (Action, error) {
	if a.Status == Archived {
		return Action{}, NotReady("action", a.Name, "it is archived already")
	}
	a = a.Clone()
	a.Status, a.UpdatedAt = Archived, now
	return a, nil
}

// Resolve returns the values of all arguments: those given, and the defaults of
// the others.
func (a Action) Resolve(given map[string]string) (map[string]string, error) {
	values := maps.Clone(given)
	if values == nil {
		values = map[string]string{}
	}
	known := map[string]bool{}
	for _, arg := range a.Arguments {
		known[arg.Name] = true
		if _, ok := values[arg.Name]; ok {
			continue
		}
		if arg.Required {
			return nil, Invalid("action", a.Name, "argument "+arg.Name+" is required")
		}
		values[arg.Name] = arg.Default
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !known[name] {
			return nil, Invalid("action", a.Name, "there is no argument "+name)
		}
	}
	return values, nil
}
