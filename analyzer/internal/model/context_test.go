package model

import "testing"

func TestContextEnds(t *testing.T) {
	all := functions(t, "context")
	for name, want := range map[string]struct{ gives, tells bool }{
		"(context.Context).Done":     {gives: true},
		"(context.Context).Err":      {tells: true},
		"context.Cause":              {tells: true},
		"(context.Context).Deadline": {},
	} {
		fn := all[name]
		if fn == nil {
			t.Errorf("%s does not exist", name)
			continue
		}
		if got := GivesEnd(fn); got != want.gives {
			t.Errorf("GivesEnd(%s) = %v", name, got)
		}
		if got := TellsEnd(fn); got != want.tells {
			t.Errorf("TellsEnd(%s) = %v", name, got)
		}
	}
}
