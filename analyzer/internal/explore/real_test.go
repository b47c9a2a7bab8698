package explore_test

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/mapguard/mapguard/analyzer/internal/explore/machine"
)

// How many scenarios of each program are run as Go, and how often.
const (
	realScenarios = 12
	realRuns      = 60
)

var realPrograms = flag.Int("real", 16, "how many programs TestReal runs as Go, from -first on")

// TestReal runs programs that the explorer calls free of races as Go, with the
// race detector and with a scheduler that is made to switch: there is no race,
// and each outcome is one that the explorer knows.
func TestReal(t *testing.T) {
	if testing.Short() {
		t.Skip("takes the compiler")
	}
	race := raceDetector()
	if !race {
		t.Log("no C compiler: outcomes are compared, races are not looked for")
	}
	dir := t.TempDir()
	var names []string
	known := make(map[string]map[string]bool) // by package and scenario
	for seed := *firstSeed; len(names) < *realPrograms; seed++ {
		c, err := fromSeed(seed)
		if _, bad := errors.AsType[badProgram](err); bad || err == nil && !runnable(c) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		name := fmt.Sprintf("p%d", seed)
		names = append(names, name)
		writeReal(t, dir, name, c, known)
	}
	writeFile(t, filepath.Join(dir, "go.mod"), "module explore.test\n\ngo 1.26\n")
	writeFile(t, filepath.Join(dir, "main.go"), driver(names))
	checkOutcomes(t, runReal(t, dir, race), known)
}

// raceDetector reports whether the race detector can be used.
func raceDetector() bool {
	out, err := exec.Command("go", "env", "CGO_ENABLED").Output()
	return err == nil && strings.TrimSpace(string(out)) == "1"
}

// runnable reports whether a program can be run many times in one process, by
// other code.
func runnable(c *testCase) bool {
	return c.truth.Verdict != machine.Race && !c.truth.ItemRace && !c.prog.Command() && !c.prog.Global
}

// writeReal writes a program and its harness, and notes the outcomes that the
// explorer knows.
func writeReal(t *testing.T, dir, name string, c *testCase, known map[string]map[string]bool) {
	t.Helper()
	var scenarios []*machine.Scenario
	if c.prog.Documented {
		all, err := machine.AllOutcomes(c.prog)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(uint64(c.prog.Seed), 7))
		r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		for i, o := range all[:min(len(all), realScenarios)] {
			scenarios = append(scenarios, o.Scenario)
			known[fmt.Sprintf("%s/%d", name, i)] = o.Set
		}
	}
	text := sprinkle(c.src.Text)
	if !strings.Contains(text, `import "sync"`) {
		text = strings.Replace(text, "package "+name+"\n", "package "+name+"\n\nimport \"runtime\"\n", 1)
	} else {
		text = strings.Replace(text, `import "sync"`, "import (\n\t\"runtime\"\n\t\"sync\"\n)", 1)
	}
	text += "\nvar _ = runtime.Gosched\n"
	writeFile(t, filepath.Join(dir, name, name+".go"), text)
	body := harness(c, name, scenarios)
	if c.prog.Main != nil {
		body = "package " + name + "\n\n// Try runs the program.\nfunc Try(gosched func(), report func(int, string)) { Run() }\n"
	}
	writeFile(t, filepath.Join(dir, name, "harness.go"), body)
}

// plainStatement is a line that another statement can stand before.
var plainStatement = regexp.MustCompile(`(?m)^(\t+)(\w[\w.]*\.R?(?:Unl|L)ock\(\)|s\.\w+\[|delete\(|v\d?, |return)`)

// sprinkle puts calls of the scheduler before statements.
func sprinkle(text string) string {
	at := strings.Index(text, "\nfunc (")
	if at < 0 {
		return text
	}
	return text[:at] + plainStatement.ReplaceAllString(text[at:], "${1}runtime.Gosched()\n$0")
}

// driver is the main program.
func driver(names []string) string {
	var b strings.Builder
	b.WriteString("package main\n\nimport (\n\t\"fmt\"\n\t\"math/rand\"\n\t\"runtime\"\n\t\"sync\"\n\n")
	for _, n := range names {
		fmt.Fprintf(&b, "\t\"explore.test/%s\"\n", n)
	}
	b.WriteString(")\n\nfunc main() {\n\tgosched := func() {\n\t\tfor range rand.Intn(4) {\n\t\t\truntime.Gosched()\n\t\t}\n\t}\n")
	b.WriteString("\tvar mu sync.Mutex\n\tseen := make(map[string]bool)\n")
	for _, n := range names {
		fmt.Fprintf(&b, "\tfor range %d {\n\t\t%s.Try(gosched, func(i int, outcome string) {\n", realRuns, n)
		fmt.Fprintf(&b, "\t\t\tmu.Lock()\n\t\t\tdefer mu.Unlock()\n\t\t\tseen[fmt.Sprintf(\"%s/%%d\\t%%s\", i, outcome)] = true\n\t\t})\n\t}\n", n)
	}
	b.WriteString("\tfor line := range seen {\n\t\tfmt.Println(line)\n\t}\n}\n")
	return b.String()
}

func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// runReal builds and runs the module in dir.
func runReal(t *testing.T, dir string, race bool) []byte {
	t.Helper()
	args := []string{"run"}
	if race {
		args = append(args, "-race")
	}
	cmd := exec.Command("go", append(args, ".")...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil || stderr.Len() > 0 {
		t.Fatalf("%v\n%.5000s", err, stderr.String())
	}
	return out
}

// checkOutcomes compares the outcomes that were seen with those known.
func checkOutcomes(t *testing.T, out []byte, known map[string]map[string]bool) {
	t.Helper()
	seen := make(map[string]int)
	lines := bufio.NewScanner(bytes.NewReader(out))
	for lines.Scan() {
		where, outcome, _ := strings.Cut(lines.Text(), "\t")
		seen[where]++
		if !known[where][outcome] {
			var all []string
			for o := range known[where] {
				all = append(all, strconv.Quote(o))
			}
			t.Errorf("%s: the explorer does not know %q, it knows %s", where, outcome, strings.Join(all, ", "))
		}
	}
	if len(seen) != len(known) {
		t.Errorf("%d of %d scenarios ran", len(seen), len(known))
	}
	several := 0
	for _, n := range seen {
		if n > 1 {
			several++
		}
	}
	t.Logf("%d scenarios, %d with several outcomes", len(seen), several)
}
