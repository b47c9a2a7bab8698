package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/mapguard/mapguard/analyzer"
)

var updateMan = flag.Bool("update-man", false, "write docs/mapguard.1")

const manFile = "../../docs/mapguard.1"

// TestManPage: the man page has the flags and categories that there are.
func TestManPage(t *testing.T) {
	want := manPage()
	if *updateMan {
		if err := os.WriteFile(manFile, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(manFile)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("docs/mapguard.1 is stale; run make man")
	}
	if man, err := exec.LookPath("man"); err == nil {
		out, err := exec.Command(man, "--warnings", "-E", "UTF-8", "-l", "-Tutf8", manFile).CombinedOutput()
		if err != nil || strings.Contains(string(out), "warning:") {
			t.Errorf("man: %v\n%s", err, out)
		}
	}
}

// roff escapes what troff takes for its own.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(s)
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		s = `\&` + s
	}
	return s
}

func manPage() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line(`.\" Made from the flags by make man. DO NOT EDIT.`)
	line(`.TH MAPGUARD 1`)
	line(".SH NAME\nmapguard \\- find races between looking at a shared Go map and changing it")
	line(".SH SYNOPSIS\n.B mapguard\n[\\fIflags\\fR] [\\fIpackages\\fR]\n.br\n.B go vet \\-vettool=$(command \\-v mapguard)\n[\\fIflags\\fR] [\\fIpackages\\fR]")
	line(".SH DESCRIPTION")
	line("%s", roff("mapguard analyses Go packages and prints where a program looks at a map that goroutines share, decides, and changes the map, while another goroutine can change it in between. Packages are patterns of the go command, such as ./...; without any it is the one here, and with -why that of the file. A file stands for its package."))
	line(".SH OPTIONS")
	set := flag.NewFlagSet("mapguard", flag.ContinueOnError)
	(&options{analyzer: analyzer.New(analyzer.Config{})}).define(set)
	set.VisitAll(func(f *flag.Flag) {
		c := complete(f)
		value := ""
		if c.value != "" {
			value = ` \fI` + roff(c.value) + `\fR`
		}
		usage := c.usage
		if f.DefValue != "" && f.DefValue != "false" {
			usage += fmt.Sprintf(" (default %s)", f.DefValue)
		}
		line(".TP\n.B \\-%s%s\n%s", roff(f.Name), strings.Replace(value, " ", "\\ ", 1), roff(strings.ToUpper(usage[:1])+usage[1:]+"."))
	})
	line(".SH CATEGORIES")
	for _, r := range analyzer.Rules() {
		line(".TP\n.B %s\n%s", roff(r.Name), roff(r.Summary))
	}
	line(".SH EXIT STATUS\n.TP\n.B 0\nNothing to report.\n.TP\n.B 1\nFindings.\n.TP\n.B 2\nWrong use, or a package that cannot be loaded.")
	line(".SH FILES\n.TP\n.B .mapguard.yaml\nThe configuration, looked for in the directory of a package and above it.")
	return b.String()
}
