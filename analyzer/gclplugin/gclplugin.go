// Package gclplugin is mapguard as a module plugin of golangci-lint. A
// golangci-lint that is built with it has the linter mapguard, which
// docs/golangci-lint.md says how to build and to configure.
package gclplugin

import (
	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"github.com/mapguard/mapguard/analyzer"
)

// Name is the linter's name under linters.settings.custom.
const Name = "mapguard"

func init() { register.Plugin(Name, New) }

// New returns the plugin with the given settings, which golangci-lint takes
// from its configuration: nil or a map[string]any. Its errors are one line and
// name the setting and what would be right.
func New(settings any) (register.LinterPlugin, error) {
	cfg, err := decode(settings)
	if err != nil {
		return nil, err
	}
	return plugin{cfg}, nil
}

type plugin struct{ cfg analyzer.Config }

// BuildAnalyzers returns the one analyzer, whose diagnostics are such as
// golangci-lint can show.
func (p plugin) BuildAnalyzers() ([]*analysis.Analyzer, error) {
	return []*analysis.Analyzer{flatten(analyzer.New(p.cfg))}, nil
}

// GetLoadMode asks for types, which SSA is built from.
func (plugin) GetLoadMode() string { return register.LoadModeTypesInfo }
