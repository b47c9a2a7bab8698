// Command golangci-mapguard is golangci-lint with the linter mapguard built in.
// Its commands and flags are those of golangci-lint.
//
// It is a module of its own, which needs nothing but a module proxy to build;
// golangci-lint custom, the other way, clones from GitHub. golangci-lint is
// under the GNU General Public License, version 3.0. A binary that is built
// from this module contains it, and so may be passed on under that licence
// alone.
package main

import (
	"fmt"
	"os"

	"github.com/golangci/golangci-lint/v2/pkg/commands"
	"github.com/golangci/golangci-lint/v2/pkg/exitcodes"

	_ "github.com/mapguard/mapguard/analyzer/gclplugin" // registers the linter
)

func main() {
	if err := commands.Execute(buildInfo()); err != nil {
		// Some of the commands have printed it, and some have not.
		fmt.Fprintf(os.Stderr, "The command is terminated due to an error: %v\n", err)
		os.Exit(exitcodes.Failure)
	}
}
