// Command mapguard finds check-then-act on shared maps that is not atomic.
//
// By itself it takes package patterns; as go vet -vettool it follows the
// protocol of go vet.
package main

import (
	"golang.org/x/tools/go/analysis/singlechecker"

	"github.com/mapguard/mapguard/analyzer"
)

func main() { singlechecker.Main(analyzer.Analyzer) }
