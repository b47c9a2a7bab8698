package analyzer_test

import (
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/mapguard/mapguard/analyzer"
)

// Bazel's nogo names no module and gives no way to read a file. The findings
// are the same.
func TestBareDriver(t *testing.T) {
	a := analyzer.New(analyzer.Config{})
	full := a.Run
	a.Run = func(pass *analysis.Pass) (any, error) {
		bare := *pass
		bare.Module, bare.ReadFile = nil, nil
		return full(&bare)
	}
	analysistest.Run(t, testdata(t), withCategory(a), patterns(factPackages)...)
}
