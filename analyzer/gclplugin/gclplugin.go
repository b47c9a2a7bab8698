// Package gclplugin is mapguard as a module plugin of golangci-lint. A
// golangci-lint that is built with it has the linter mapguard, which
// docs/golangci-lint.md says how to build and to configure.
package gclplugin

import (
	"crypto/sha256"
	"encoding/hex"
	"os"

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
	if _, err := cfg.Effective("."); err != nil {
		return nil, err // once, and not for each package
	}
	return plugin{cfg}, nil
}

type plugin struct{ cfg analyzer.Config }

// BuildAnalyzers returns the one analyzer, whose diagnostics are such as
// golangci-lint can show. Where there is a configuration file, a second one
// that does nothing has a name made from it: golangci-lint keeps issues in a
// cache by the names of analyzers, and does not know of that file.
func (p plugin) BuildAnalyzers() ([]*analysis.Analyzer, error) {
	as := []*analysis.Analyzer{flatten(analyzer.New(p.cfg))}
	if key := p.configKey(); key != "" {
		as = append(as, &analysis.Analyzer{
			Name: Name + "_config_" + key, Doc: "stands for the configuration file of " + Name,
			Run: func(*analysis.Pass) (any, error) { return nil, nil },
		})
	}
	return as, nil
}

// configKey names the configuration file of the directory that golangci-lint
// runs in by its contents; it is empty where there is none.
func (p plugin) configKey() string {
	name := p.cfg.File
	if name == "" {
		name = analyzer.ConfigFile(".")
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return "" // none; or the analyzer will say what is wrong
	}
	sum := sha256.Sum256(append([]byte(name+"\n"), text...))
	return hex.EncodeToString(sum[:8])
}

// GetLoadMode asks for types, which SSA is built from.
func (plugin) GetLoadMode() string { return register.LoadModeTypesInfo }
