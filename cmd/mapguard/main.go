// Command mapguard finds check-then-act on shared maps that is not atomic.
//
//	mapguard [flags] [packages]
//
// analyses packages and prints what it finds; mapguard -help lists the flags.
// It exits with 0 when there is nothing to report, 1 when there are findings,
// and 2 when it is used wrongly or a package cannot be loaded.
//
// The same program is a vettool: go vet -vettool=$(command -v mapguard). Then
// it follows the protocol of go vet and takes only the analyzer's own flags.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/mapguard/mapguard/analyzer"
)

// Exit codes.
const (
	exitClean    = 0
	exitFindings = 1
	exitError    = 2
)

func main() {
	delayCollection(firstHeap)
	if vettool(os.Args[1:]) {
		vet()
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	code, err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	switch {
	case err != nil && ctx.Err() != nil:
		fmt.Fprintln(os.Stderr, "mapguard: interrupted")
	case errors.As(err, new(*analyzer.ConfigError)):
		fmt.Fprintln(os.Stderr, err) // it begins with the name of the file
	case err != nil:
		fmt.Fprintln(os.Stderr, "mapguard:", err)
	}
	os.Exit(code)
}

// vettool reports whether go vet is calling: it asks for the version or the
// flags, or gives the description of one package.
func vettool(args []string) bool {
	n := len(args)
	if n > 0 && strings.HasSuffix(args[n-1], ".cfg") {
		// go vet gives a flag and its value in one word, and nothing but flags.
		return !slices.ContainsFunc(args[:n-1], func(arg string) bool { return !strings.HasPrefix(arg, "-") || awaitsValue(arg) })
	}
	return slices.ContainsFunc(args, func(arg string) bool {
		name, _, _ := strings.Cut("-"+strings.TrimLeft(arg, "-"), "=")
		return arg[:min(1, len(arg))] == "-" && (name == "-V" || name == "-flags")
	})
}

// awaitsValue reports whether an argument is a flag whose value is the next one.
func awaitsValue(arg string) bool {
	set := flag.NewFlagSet("mapguard", flag.ContinueOnError)
	(&options{analyzer: analyzer.New(analyzer.Config{})}).define(set)
	f := set.Lookup(strings.TrimLeft(arg, "-"))
	if f == nil {
		return false
	}
	b, ok := f.Value.(interface{ IsBoolFlag() bool })
	return !ok || !b.IsBoolFlag()
}
