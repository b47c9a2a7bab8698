package analyzer_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// elsewhere lists the folders with wants that tests of their own run.
var elsewhere = []string{"fix/..."}

// TestEveryFolderIsListed holds that each folder with wants is run by a test: one
// that no list names asserts nothing.
func TestEveryFolderIsListed(t *testing.T) {
	t.Parallel()
	lists := slices.Concat(features, factPackages, lowPackages, elsewhere)
	top := filepath.Join(testdata(t), "src", filepath.FromSlash(root))
	wants := make(map[string]bool)
	err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if bytes.Contains(text, []byte("// want ")) {
			folder, err := filepath.Rel(top, filepath.Dir(path))
			if err != nil {
				return err
			}
			wants[filepath.ToSlash(folder)] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(wants) < len(features) {
		t.Fatalf("only %d folders have wants", len(wants))
	}
	for folder := range wants {
		if !slices.ContainsFunc(lists, func(pattern string) bool { return names(pattern, folder) }) {
			t.Errorf("no list of the tests names %s", folder)
		}
	}
}

// names reports whether a pattern names a folder.
func names(pattern, folder string) bool {
	if below, all := strings.CutSuffix(pattern, "/..."); all {
		return folder == below || strings.HasPrefix(folder, below+"/")
	}
	return pattern == folder
}
