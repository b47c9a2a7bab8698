package analyzer

import (
	"bytes"
	"cmp"
	"fmt"
	"path/filepath"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/mapguard/mapguard/analyzer/internal/config"
	"github.com/mapguard/mapguard/analyzer/internal/sharing"
)

// Effective returns what holds for the packages of a directory: these settings,
// and where they leave something open, what the configuration file says, and
// then the defaults. File is the name of that file, empty if there is none.
func (cfg Config) Effective(dir string) (Config, error) {
	file, err := cfg.fileOf(dir)
	if err != nil {
		return cfg, err
	}
	cfg.File = file.Path
	cfg.Confidence = cmp.Or(cfg.Confidence, file.Confidence, sharing.Medium.String())
	cfg.Tests = cfg.Tests || file.Tests != nil && *file.Tests
	if len(cfg.Only)+len(cfg.Skip) == 0 {
		cfg.Only, cfg.Skip = file.Only, file.Skip
	}
	return cfg, nil
}

// Wants reports whether the findings of a category are asked for.
func (cfg Config) Wants(category string) bool {
	return (len(cfg.Only) == 0 || slices.Contains(cfg.Only, category)) && !slices.Contains(cfg.Skip, category)
}

// YAML returns what holds for the packages of a directory in the form of a
// configuration file, with a comment that names the file.
func (cfg Config) YAML(dir string) (string, error) {
	file, err := cfg.fileOf(dir)
	if err != nil {
		return "", err
	}
	all, err := cfg.Effective(dir)
	if err != nil {
		return "", err
	}
	out := *file
	out.Confidence, out.Tests, out.Only, out.Skip = all.Confidence, &all.Tests, all.Only, all.Skip
	var buf bytes.Buffer
	if all.File == "" {
		fmt.Fprintf(&buf, "# no %s here or above\n", config.Name)
	} else {
		fmt.Fprintf(&buf, "# %s\n", filepath.ToSlash(all.File))
	}
	enc := yaml.NewEncoder(&buf)
	enc.SetIndent(2)
	if err := enc.Encode(&out); err != nil {
		return "", err
	}
	return buf.String(), nil
}

// fileOf reads the configuration file for a directory; it is empty where there
// is none.
func (cfg Config) fileOf(dir string) (*config.File, error) {
	var f files
	name := f.name(cfg.File, dir)
	if name == "" {
		return new(config.File), nil
	}
	return f.read(name)
}
