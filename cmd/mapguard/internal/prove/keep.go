package prove

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode"
)

// helpers are what kept drivers call, one file for each package.
//
//go:embed keep.txt
var helpers string

// helper names a function of the hooks, or the one that takes its place in a
// kept driver.
func (d *driver) helper(name string) string {
	if d.form == asKept {
		return "mapguard" + name
	}
	return probes + "." + name
}

func (d *driver) testName() string {
	if d.form != asKept {
		return fmt.Sprintf("Prove%d", d.t.id)
	}
	return camel(d.t.Function) + fmt.Sprintf("Line%d", d.t.Pos.Line)
}

// comment says what a kept driver is for.
func (d *driver) comment() string {
	if d.form != asKept {
		return ""
	}
	lines := []string{
		fmt.Sprintf("%s has goroutines call what reaches %s at one time.", "TestMapguard"+d.testName(), d.t.Location),
		"mapguard has confirmed with these calls:",
		"",
		"\t" + d.t.Category + ": " + d.t.Message,
		"",
		"Run it with -race. What is always under a lock the race detector does not",
		"see; mapguard -prove does, with this test.",
	}
	return "// " + strings.Join(lines, "\n// ") + "\n"
}

// camel makes a part of a name of the name of a function.
func camel(name string) string {
	up := true
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			up = true
			return -1
		}
		if up {
			up = false
			return unicode.ToUpper(r)
		}
		return r
	}, name)
}

// keep writes the driver of a confirmed finding as a test of its package: below
// the directory, where the package is below its module.
func (s *session) keep(t *target) error {
	src, why := s.drive(t, asKept)
	if src == nil {
		return fmt.Errorf("%s: %s", t.Package, why)
	}
	p := s.all[t.Package]
	rel, err := filepath.Rel(p.Module.Dir, s.dirOf(t.Package))
	if err != nil {
		return err
	}
	dir := filepath.Join(s.Keep, rel)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	name := strings.ToLower(camel(t.Function)) + fmt.Sprintf("_line%d", t.Pos.Line)
	if err := os.WriteFile(filepath.Join(dir, "mapguard_"+name+"_test.go"), src, 0o666); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "mapguard_meet_test.go"), []byte(strings.Replace(helpers, "package p", "package "+p.Name, 1)), 0o666)
}
