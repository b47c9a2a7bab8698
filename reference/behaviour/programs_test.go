package behaviour

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"github.com/cucumber/godog"

	"github.com/mapguard/mapguard/reference/internal/form"
)

// exitRace is the exit status of a program in which the detector saw a race.
const exitRace = 66

// racerDir is where the racer is built.
var racerDir string

// builtRacer is the variable that names a racer which is built already.
const builtRacer = "BEHAVIOUR_RACER"

// buildRacer builds the racer with the race detector, once, and returns its
// path.
var buildRacer = sync.OnceValues(func() (string, error) {
	if path := os.Getenv(builtRacer); path != "" {
		return path, nil
	}
	directory, err := os.MkdirTemp("", "racer")
	if err != nil {
		return "", err
	}
	racerDir = directory
	path := filepath.Join(directory, "racer")
	output, err := exec.Command("go", "build", "-race", "-o", path, "../internal/racer").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("build racer: %w\n%s", err, output)
	}
	return path, nil
})

// removeRacer removes what buildRacer built.
func removeRacer() error {
	if racerDir == "" {
		return nil
	}
	return os.RemoveAll(racerDir)
}

// programSteps are the steps about programs that run as processes of their own.
type programSteps struct {
	form   form.Form
	report string
	status int
}

func newProgramSteps(service form.Form) *programSteps {
	return &programSteps{form: service}
}

func (s *programSteps) register(sc *godog.ScenarioContext) {
	sc.When(`^the program "([^"]*)" runs under the race detector$`, s.run)
	sc.Then(`^it reports no race in "([^"]*)"$`, s.noRace)
	sc.Then(`^nothing is done twice$`, s.notTwice)
}

func (s *programSteps) run(ctx context.Context, program string) error {
	racer, err := buildRacer()
	if err != nil {
		return err
	}
	// One that waits for a lock that is never given is a failure of its own, before
	// the scenario hangs.
	ctx, cancel := context.WithTimeout(ctx, patience*3/4)
	defer cancel()
	command := exec.CommandContext(ctx, racer, s.form.Name, program)
	command.Env = append(os.Environ(), fmt.Sprintf("GORACE=halt_on_error=1 atexit_sleep_ms=0 exitcode=%d", exitRace))
	var report bytes.Buffer
	command.Stdout, command.Stderr = &report, &report
	err = command.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return err
	}
	s.status, s.report = command.ProcessState.ExitCode(), report.String()
	return nil
}

func (s *programSteps) noRace(inPackage string) error {
	if s.status == 0 {
		return nil
	}
	culprit := "reference/" + s.form.Name + "/" + inPackage + "."
	if s.status == exitRace && strings.Contains(s.report, "WARNING: DATA RACE") && strings.Contains(s.report, culprit) {
		return failed("race-report", "the race detector reports a race in %s", culprit)
	}
	return fmt.Errorf("exit status %d:\n%s", s.status, s.report)
}

func (s *programSteps) notTwice() error {
	switch s.status {
	case 0:
		return nil
	case 1:
		return failed("done-twice", "%s", strings.TrimSpace(s.report))
	}
	return fmt.Errorf("exit status %d:\n%s", s.status, s.report)
}
