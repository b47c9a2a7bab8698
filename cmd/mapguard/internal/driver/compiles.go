package driver

import (
	"context"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/packages"
)

// Compiles type-checks the packages of the files in cfg.Overlay as they would be
// with these contents, and returns the first error; "" if there is none.
// Where several builds are analysed, it is those of the first.
func Compiles(ctx context.Context, cfg Config) (string, error) {
	var dirs []string
	for name := range cfg.Overlay {
		if dir := filepath.Dir(name); !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	slices.Sort(dirs)
	for _, b := range cfg.Builds {
		cfg.Tags, cfg.env = b.Tags, b.Env
		break
	}
	pkgs, err := list(ctx, &cfg, dirs)
	if err != nil {
		return "", err
	}
	first := ""
	packages.Visit(pkgs, nil, func(p *packages.Package) {
		if first == "" && slices.Contains(pkgs, p) && len(p.Errors) > 0 {
			first = p.Errors[0].Error()
		}
	})
	return first, nil
}
