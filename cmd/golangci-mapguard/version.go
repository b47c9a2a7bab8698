package main

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"runtime"
	"runtime/debug"

	"github.com/golangci/golangci-lint/v2/pkg/commands"
)

// devel is a version that makes golangci-lint hash the executable itself.
const devel = "(devel)"

// buildInfo says what this binary is. golangci-lint salts its cache with the
// version: findings that another binary has cached are stale, even if that one
// came from the same commit with changes on top. So the version holds the hash
// of the executable, behind golangci-lint's own version, which editors look
// at.
func buildInfo() commands.BuildInfo {
	info := commands.BuildInfo{GoVersion: runtime.Version(), Version: devel, Commit: "mapguard " + devel, Date: "(unknown)"}
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return info
	}
	if v := build.Main.Version; v != "" {
		info.Commit = "mapguard " + v
	}
	for _, s := range build.Settings {
		if s.Key == "vcs.time" {
			info.Date = s.Value
		}
	}
	for _, dep := range build.Deps {
		if dep.Path != "github.com/golangci/golangci-lint/v2" {
			continue
		}
		if sum, err := executableSum(); err == nil {
			info.Version = dep.Version + "-custom-mapguard-" + sum
		}
	}
	return info
}

// executableSum returns the first half of the executable's SHA-256.
func executableSum() (string, error) {
	name, err := os.Executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)[:16]), nil
}
