package prove

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// driveAll runs drivers for the findings that no test has confirmed.
func (s *session) driveAll(ctx context.Context) {
	var pkgs []string
	for _, t := range s.list {
		if t.why == "" && s.log.confirmed[t.id] == nil && !slices.Contains(pkgs, t.Package) {
			pkgs = append(pkgs, t.Package)
		}
	}
	for _, pkg := range pkgs {
		if ctx.Err() != nil {
			return
		}
		s.say("driver for " + pkg)
		s.drivePackage(ctx, pkg)
	}
}

// maxAttempts bounds how often a driver is run whose process ends early.
const maxAttempts = 5

// drivePackage builds the drivers of a package in the place of its tests, and
// runs each in a process of its own: the bug may end it.
func (s *session) drivePackage(ctx context.Context, pkg string) {
	s.extra = make(map[string][]byte)
	defer func() { s.extra = nil }()
	dir := s.dirOf(pkg)
	tests, _ := filepath.Glob(filepath.Join(dir, "*_test.go"))
	for _, name := range tests {
		s.extra[name] = nil
	}
	var open []*target
	for _, t := range s.list {
		if t.Package != pkg || t.why != "" || s.log.confirmed[t.id] != nil {
			continue
		}
		if t.assumed() {
			s.log.drivers[t.id] = "that goroutines meet here is an assumption, which only the module's own tests can show"
			continue
		}
		src, why := s.drive(t, asTest)
		if src == nil {
			s.log.drivers[t.id] = why
			continue
		}
		s.extra[s.driverFile(t)] = src
		open = append(open, t)
	}
	if len(open) == 0 {
		return
	}
	bin := filepath.Join(s.scratch, "driver.bin")
	defer os.Remove(bin)
	if err := s.prepare(); err != nil {
		return
	}
	if err := s.build(ctx, pkg, bin); err != nil {
		for _, t := range open {
			s.log.drivers[t.id] = "the driver does not compile: " + err.Error()
		}
		return
	}
	work := filepath.Join(s.scratch, "work")
	each := min(s.Time/time.Duration(len(open)), 10*time.Second)
	for _, t := range open {
		if s.extra[s.driverFile(t)] == nil || s.log.confirmed[t.id] != nil || ctx.Err() != nil {
			continue
		}
		s.driveOne(ctx, t, bin, work, each)
		if s.Keep != "" && s.log.confirmed[t.id] != nil {
			if err := s.keep(t); err != nil && s.failed == nil {
				s.failed = err
			}
		}
	}
}

// driveOne runs the driver of a finding, again where another bug has ended it.
func (s *session) driveOne(ctx context.Context, t *target, bin, work string, each time.Duration) {
	for _, races := range []bool{false, true} {
		if s.log.confirmed[t.id] != nil || races && !t.races() {
			continue
		}
		w := way{name: "a driver", driver: true, delay: 20 * time.Millisecond, drive: each, races: races, flags: []string{"-test.cpu=4", fmt.Sprintf("-test.run=^TestMapguardProve%d$", t.id)}}
		for until := time.Now().Add(each); s.log.confirmed[t.id] == nil && w.seed < maxAttempts && ctx.Err() == nil; w.seed++ {
			os.MkdirAll(work, 0o700)
			err := s.once(ctx, w, bin, t.Package, work, each+5*time.Second)
			os.RemoveAll(work)
			if w.drive = time.Until(until); err == nil || w.drive <= 0 {
				break
			}
		}
	}
}

// driverFile is the name of a driver in its package.
func (s *session) driverFile(t *target) string {
	return filepath.Join(s.dirOf(t.Package), fmt.Sprintf("mapguard_prove%d_test.go", t.id))
}

// drop takes back drivers of which the compiler complains.
func (s *session) drop(text []byte) bool {
	changed := false
	for _, m := range complaint.FindAllSubmatch(text, -1) {
		of := s.names[filepath.Base(string(m[1]))]
		for name, src := range s.extra {
			if src != nil && (of == name || filepath.Base(string(m[1])) == filepath.Base(name)) {
				delete(s.extra, name)
				changed = true
			}
		}
		for _, t := range s.list {
			if name := s.driverFile(t); of == name || filepath.Base(string(m[1])) == filepath.Base(name) {
				s.log.drivers[t.id] = "the driver does not compile: " + first(string(text))
			}
		}
	}
	return changed
}
