//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// asGroup makes a command lead a group of processes. A terminal's interrupt does
// not reach the group.
func asGroup(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// endGroup asks a group to end. That it is gone already is as good.
func endGroup(pid int) { _ = syscall.Kill(-pid, syscall.SIGTERM) }

// killGroup kills a group. That it is gone already is as good.
func killGroup(pid int) { _ = syscall.Kill(-pid, syscall.SIGKILL) }
