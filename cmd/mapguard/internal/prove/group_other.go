//go:build !unix

package prove

import (
	"os/exec"
	"time"
)

// group only ends the process itself where there are no groups.
func group(cmd *exec.Cmd) { cmd.WaitDelay = time.Second }

// end has nothing to do without groups.
func end(*exec.Cmd) {}
