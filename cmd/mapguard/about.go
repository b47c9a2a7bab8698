package main

import (
	"bufio"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"text/tabwriter"

	"github.com/mapguard/mapguard/analyzer"
)

// version is the module's version as the go command has recorded it, or
// (devel).
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

func printVersion(w io.Writer) error {
	_, err := fmt.Fprintf(w, "mapguard %s (%s)\n", version(), runtime.Version())
	return err
}

// printList prints each category with its summary.
func printList(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	for _, r := range analyzer.Rules() {
		fmt.Fprintf(t, "%s\t%s\n", r.Name, r.Summary)
	}
	return t.Flush()
}

// printRules prints what the documentation says of a category, or of all.
func printRules(w io.Writer, category string) error {
	out := bufio.NewWriter(w)
	first := true
	for _, r := range analyzer.Rules() {
		if category != "all" && category != r.Name {
			continue
		}
		if !first {
			fmt.Fprintln(out)
		}
		first = false
		fmt.Fprintf(out, "%s\n\n%s", r.Name, r.Text)
	}
	return out.Flush()
}

// printConfig prints the configuration that holds in the directory of -C.
func printConfig(w io.Writer, o *options) error {
	text, err := o.config.YAML(o.dir)
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, text)
	return err
}
