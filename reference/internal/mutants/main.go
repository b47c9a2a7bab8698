// The mutants command makes mistakes in the fixed form of the service, one at a
// time and mechanically, and checks that each of them fails a scenario or is
// reported by mapguard.
//
//	mutants MAPGUARD [PATTERN]
//
// It prints a table, one line for each mutant whose name matches PATTERN, and
// exits with status 1 when one of them escaped. It works on copies of the module
// in the current directory.
package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// patience is how long the scenarios of one mutant may take.
const patience = 30 * time.Second

// parallel is how many mutants are tested at a time.
const parallel = 2

func main() {
	if len(os.Args) < 2 || len(os.Args) > 3 {
		fmt.Fprintln(os.Stderr, "usage: mutants MAPGUARD [PATTERN]")
		os.Exit(2)
	}
	pattern := ""
	if len(os.Args) == 3 {
		pattern = os.Args[2]
	}
	escaped, err := run(os.Args[1], pattern)
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(2)
	}
	if escaped > 0 {
		fmt.Fprintf(os.Stderr, "mutants: %d escaped\n", escaped)
		os.Exit(1)
	}
}

// run makes and tests the mutants, prints the table and returns how many escaped.
func run(tool, pattern string) (escaped int, err error) {
	wanted, err := regexp.Compile(pattern)
	if err != nil {
		return 0, err
	}
	if tool, err = filepath.Abs(tool); err != nil {
		return 0, err
	}
	mutants, err := all()
	if err != nil {
		return 0, err
	}
	mutants = slices.DeleteFunc(mutants, func(m *mutant) bool { return !wanted.MatchString(m.String()) })
	work, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return 0, err
	}
	defer func() { err = join(err, os.RemoveAll(work)) }()
	beside, apart := split(mutants)
	if err := testBeside(tool, filepath.Join(work, "beside"), beside); err != nil {
		return 0, err
	}
	for _, m := range apart {
		if err := testApart(tool, filepath.Join(work, "apart"), m); err != nil {
			return 0, err
		}
	}
	return printTable(mutants), nil
}

// split tells the mutants that can be tested beside each other, in packages of
// their own, from those of packages that all parts of the service share.
func split(mutants []*mutant) (beside, apart []*mutant) {
	for _, m := range mutants {
		if _, ok := constructors[m.pkg]; ok {
			beside = append(beside, m)
		} else {
			apart = append(apart, m)
		}
	}
	return beside, apart
}

// testBeside tests mutants in one copy of the module, in which each is a package
// and a form of the service: one build is enough for all.
func testBeside(tool, tree string, mutants []*mutant) error {
	if len(mutants) == 0 {
		return nil
	}
	if err := copyModule(tree); err != nil {
		return err
	}
	for _, m := range mutants {
		if err := m.write(filepath.Join(tree, "mut", m.id, m.pkg)); err != nil {
			return err
		}
	}
	if err := writeForms(tree, mutants); err != nil {
		return err
	}
	binary, racer, err := build(tree)
	if err != nil {
		return err
	}
	var testing sync.WaitGroup
	queue := make(chan *mutant)
	for range parallel {
		testing.Go(func() {
			for m := range queue {
				m.scenario, m.took = scenario(tree, binary, racer, "mut/"+m.id)
			}
		})
	}
	for _, m := range mutants {
		queue <- m
	}
	close(queue)
	testing.Wait()
	found, err := findings(tool, tree, "./mut/...")
	for _, m := range mutants {
		m.category = found["mut/"+m.id]
	}
	return err
}

// testApart tests one mutant in a copy of the module of its own.
func testApart(tool, tree string, m *mutant) (err error) {
	defer func() { err = join(err, os.RemoveAll(tree)) }()
	if err := copyModule(tree); err != nil {
		return err
	}
	if err := m.write(filepath.Join(tree, m.dir)); err != nil {
		return err
	}
	if err := writeForms(tree, nil); err != nil {
		return err
	}
	binary, racer, err := build(tree)
	if err != nil {
		return fmt.Errorf("%s: %w", m, err)
	}
	m.scenario, m.took = scenario(tree, binary, racer, "fixed")
	found, err := findings(tool, tree, "./"+filepath.ToSlash(m.dir))
	for _, category := range found {
		m.category = category
	}
	return err
}

// copyModule copies the module in the current directory to tree.
func copyModule(tree string) error {
	return os.CopyFS(tree, os.DirFS("."))
}

// build builds the behaviour tests and the racer of the module in tree.
func build(tree string) (binary, racer string, err error) {
	binary, racer = filepath.Join(tree, "behaviour.test"), filepath.Join(tree, "racer")
	for _, args := range [][]string{
		{"test", "-c", "-o", binary, "./behaviour"},
		{"build", "-race", "-o", racer, "./internal/racer"},
	} {
		c := exec.Command("go", args...)
		c.Dir = tree
		if output, err := c.CombinedOutput(); err != nil {
			return "", "", fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, output)
		}
	}
	return binary, racer, nil
}

// failure is the line of a test that says which scenario failed.
var failure = regexp.MustCompile(`(?m)^\s*--- FAIL: TestMutant/(\S+)|the scenario ("[^"]*") hangs`)

// scenario runs all scenarios on a form of the service. It returns the first that
// failed, if any did, and how long it all took.
func scenario(tree, binary, racer, form string) (failed string, took time.Duration) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	c := exec.CommandContext(ctx, binary, "-test.run", "TestMutant")
	c.Dir = filepath.Join(tree, "behaviour")
	c.Env = append(os.Environ(), "BEHAVIOUR_FORM="+form, "BEHAVIOUR_RACER="+racer)
	c.WaitDelay = time.Second
	var output bytes.Buffer
	c.Stdout, c.Stderr = &output, &output
	begun := time.Now()
	err := c.Run()
	took = time.Since(begun)
	if err == nil {
		return "", took
	}
	match := failure.FindStringSubmatch(output.String())
	switch {
	case match == nil:
		return "the process failed", took
	case match[2] != "":
		return strings.Trim(match[2], `"`) + " (hangs)", took
	}
	return strings.ReplaceAll(match[1], "_", " "), took
}

// finding is a line of mapguard's output that is a finding.
var finding = regexp.MustCompile(`^((?:mut/m\d+)?)\S*\.go:\d+:\d+: ([a-z-]+): `)

// findings runs mapguard and returns the categories of what it found, by mutant.
func findings(tool, tree, packages string) (map[string]string, error) {
	c := exec.Command(tool, packages)
	c.Dir = tree
	var output, problems bytes.Buffer
	c.Stdout, c.Stderr = &output, &problems
	if err := c.Run(); err != nil && c.ProcessState.ExitCode() != 1 {
		return nil, fmt.Errorf("mapguard: %w\n%s", err, problems.String())
	}
	found := map[string]string{}
	for line := range strings.Lines(output.String()) {
		match := finding.FindStringSubmatch(line)
		if match == nil || strings.Contains(found[match[1]], match[2]) {
			continue
		}
		if found[match[1]] != "" {
			found[match[1]] += ", "
		}
		found[match[1]] += match[2]
	}
	return found, nil
}
