package schematest

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/goreleaser/goreleaser/v2/pkg/config"
)

// TestReleaseConfiguration loads .goreleaser.yaml with goreleaser's own loader,
// which refuses unknown keys, and looks for what the configuration names.
func TestReleaseConfiguration(t *testing.T) {
	root := filepath.Join("..", "..", "..", "..", "..")
	project, err := config.Load(filepath.Join(root, ".goreleaser.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if len(project.Builds) == 0 || len(project.Archives) == 0 || project.Checksum.NameTemplate == "" {
		t.Fatalf("builds %v, archives %v, checksum %q: a release needs all three", project.Builds, project.Archives, project.Checksum.NameTemplate)
	}
	for _, b := range project.Builds {
		if _, err := os.Stat(filepath.Join(root, b.Main, "main.go")); err != nil {
			t.Error(err)
		}
	}
	made := []string{"completions/*"} // by the hook
	for _, a := range project.Archives {
		for _, f := range a.Files {
			if _, err := os.Stat(filepath.Join(root, f.Source)); err != nil && !slices.Contains(made, f.Source) {
				t.Error(err)
			}
		}
	}
	if !slices.Contains(project.Before.Hooks, ".ci/completions completions") {
		t.Errorf("hooks %v: none makes the completions", project.Before.Hooks)
	}
}
