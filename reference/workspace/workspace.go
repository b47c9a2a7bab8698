// Package workspace is a folder of a plan's own, in which the commands of its
// phases leave what they need later.
package workspace

import (
	"fmt"
	"os"
	"sync"
)

// Folder is the folder of one plan. It is safe for concurrent use.
type Folder struct {
	path      string
	closeOnce sync.Once
	closeErr  error
}

// Make makes the folder of a plan.
func Make(planID string) (*Folder, error) {
	path, err := os.MkdirTemp("", "plan-"+planID+"-")
	if err != nil {
		return nil, fmt.Errorf("make folder of plan %s: %w", planID, err)
	}
	return &Folder{path: path}, nil
}

// Path returns where the folder is.
func (f *Folder) Path() string { return f.path }

// Close removes the folder and all that is in it. A second call does nothing and
// returns the error of the first.
func (f *Folder) Close() error {
	f.closeOnce.Do(func() { f.closeErr = os.RemoveAll(f.path) })
	return f.closeErr
}
