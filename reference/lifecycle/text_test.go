package lifecycle_test

import (
	"errors"
	"testing"

	"github.com/mapguard/mapguard/reference/lifecycle"
)

func TestNormalNames(t *testing.T) {
	for given, want := range map[string]string{
		"ops/patch":          "ops/patch",
		" Ops/Patch_Hosts\t": "ops/patch-hosts",
		"OPS/patch hosts":    "ops/patch-hosts",
	} {
		if got := lifecycle.NormalName(given); got != want {
			t.Errorf("%q is kept as %q, want %q", given, got, want)
		}
	}
}

func TestTextsThatAreRefused(t *testing.T) {
	available := lifecycle.Action{Name: "a/b", Status: lifecycle.Available, Arguments: []lifecycle.Argument{{Name: "host"}}}
	for name, text := range map[string]string{
		"not UTF-8":       "\xff",
		"escape":          "\x1b[31m",
		"line feed":       "one\ntwo",
		"C1":              "\u009b31m",
		"bidirectional":   "abc\u202edef",
		"line separator":  "\u2028",
		"a single delete": "\x7f",
	} {
		good := lifecycle.ActionSpec{Name: "a/b", DefinitionOfDone: "done"}
		description, done, argument, value := good, good, good, good
		description.Description = text
		done.DefinitionOfDone = text
		argument.Arguments = []lifecycle.Argument{{Name: text}}
		value.Arguments = []lifecycle.Argument{{Name: "host", Default: text}}
		for _, spec := range []lifecycle.ActionSpec{description, done, argument, value} {
			if err := spec.Check(); !errors.Is(err, lifecycle.ErrInvalid) {
				t.Errorf("%s: %+v: %v", name, spec, err)
			}
		}
		for _, usage := range []lifecycle.Usage{
			{Projects: []string{"a", text}},
			{Projects: []string{"a"}, Arguments: map[string]string{"host": text}},
		} {
			if _, err := lifecycle.NewPlan("p", available, usage, now); !errors.Is(err, lifecycle.ErrInvalid) {
				t.Errorf("%s: %+v: %v", name, usage, err)
			}
		}
		plan := lifecycle.Plan{ID: "p", Stage: lifecycle.Stage{Phase: lifecycle.PhaseAction, State: lifecycle.Queued}}
		if _, err := plan.Take(lifecycle.Step{Event: lifecycle.Cancel, Reason: text}, now); !errors.Is(err, lifecycle.ErrInvalid) {
			t.Errorf("%s as a reason: %v", name, err)
		}
		if _, err := plan.Take(lifecycle.Step{Event: lifecycle.Cancel, Reason: lifecycle.Printable(text)}, now); err != nil {
			t.Errorf("%s made printable: %v", name, err)
		}
	}
}

func TestTextsThatAreKept(t *testing.T) {
	const text = "größer, 日本語, 👩‍💻 & \"more\""
	spec := lifecycle.ActionSpec{Name: "a/b", DefinitionOfDone: text, Description: text}
	if err := spec.Check(); err != nil {
		t.Error(err)
	}
	if got := lifecycle.Printable(text + "\x1b\xff"); got != text+"��" {
		t.Errorf("made printable: %q", got)
	}
}

func TestFiltersThatAreRefused(t *testing.T) {
	for _, filter := range []lifecycle.Filter{{Phase: "bogus"}, {State: "bogus"}} {
		if err := filter.Check(); !errors.Is(err, lifecycle.ErrInvalid) {
			t.Errorf("%+v: %v", filter, err)
		}
	}
	for _, filter := range []lifecycle.Filter{{}, {Phase: lifecycle.PhaseApply, State: lifecycle.Applied, Project: "a"}} {
		if err := filter.Check(); err != nil {
			t.Errorf("%+v: %v", filter, err)
		}
	}
}
