//go:build !unix

package main

import (
	"os"
	"os/exec"
)

// asGroup does nothing: where there are no groups of processes, the command
// alone is killed.
func asGroup(*exec.Cmd) {}

// endGroup kills a process, which cannot be asked.
func endGroup(pid int) { killGroup(pid) }

// killGroup kills a process. That it is gone already is as good.
func killGroup(pid int) {
	if process, err := os.FindProcess(pid); err == nil {
		_ = process.Kill()
	}
}
