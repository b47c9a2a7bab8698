package gate_test

import (
	"context"
	"errors"
	"testing"

	"github.com/mapguard/mapguard/reference/gate"
)

func TestOneAtATime(t *testing.T) {
	g := gate.New()
	if err := g.Enter(t.Context()); err != nil {
		t.Fatal(err)
	}
	if g.TryEnter() {
		t.Error("two are inside")
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if err := g.Enter(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("who gives up gets %v", err)
	}
	g.Leave()
	if !g.TryEnter() {
		t.Error("no one is inside, and no one can enter")
	}
}
