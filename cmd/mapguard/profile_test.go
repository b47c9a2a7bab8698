package main

import (
	"context"
	"flag"
	"os"
	"strings"
	"testing"
)

var profiled = flag.String("profile", "", "run mapguard in these `directories`, separated by spaces, for make profile")

// TestProfile runs the command over whole modules, so that its profile tells the
// compiler what a run does. See the target of the Makefile.
func TestProfile(t *testing.T) {
	if *profiled == "" {
		t.Skip("no directories to profile")
	}
	out, err := os.CreateTemp(t.TempDir(), "findings")
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	delayCollection(firstHeap)
	for _, dir := range strings.Fields(*profiled) {
		t.Chdir(dir)
		if code, err := run(context.Background(), []string{"-f", "json", "./..."}, out, os.Stderr); err != nil || code == exitError {
			t.Errorf("%s: exit code %d, %v", dir, code, err)
		}
	}
}
