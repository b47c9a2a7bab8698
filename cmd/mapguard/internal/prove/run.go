package prove

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/mapguard/mapguard/analyzer/finding"
	"github.com/mapguard/mapguard/cmd/mapguard/internal/prove/mapguardprobe"
)

// A way is one way to run the tests of a package.
type way struct {
	name   string
	delay  time.Duration // the longest wait
	copies int
	after  bool // copies come when a call has ended
	some   int  // one call of so many is copied
	seed   int
	races  bool          // pairs without locks count as accesses at one time, too
	drive  time.Duration // how long a driver tries
	driver bool          // a driver runs, and no test
	// harvest: drivers use what the tests make, at their end or during them.
	harvest string
	flags   []string
}

var ways = []way{
	{name: "tests", delay: 5 * time.Millisecond},
	{name: "copied calls in the tests", delay: 20 * time.Millisecond, copies: 32, after: true},
	{name: "copied calls in the tests", delay: 20 * time.Millisecond, copies: 32},
	{name: "calls on objects of the tests", delay: 20 * time.Millisecond, harvest: "end"},
	{name: "tests", delay: 30 * time.Millisecond, flags: []string{"-test.cpu=4", "-test.shuffle=1"}},
	{name: "copied calls in the tests", delay: 30 * time.Millisecond, copies: 128, some: 3, flags: []string{"-test.cpu=4"}},
	{name: "calls on objects of the tests", delay: 20 * time.Millisecond, harvest: "during", races: true},
	{name: "copied calls in the tests", delay: 30 * time.Millisecond, copies: 128, races: true, some: 3, seed: 1, flags: []string{"-test.cpu=4"}},
	{name: "copied calls in the tests", delay: 30 * time.Millisecond, copies: 128, races: true, after: true, flags: []string{"-test.cpu=4"}},
}

// source is whose calls a run makes.
func (w way) source() finding.Source {
	if w.copies == 0 && w.harvest == "" && !w.driver {
		return finding.ByTests
	}
	return finding.ByCalls
}

// run runs the tests of one package, in each way.
func (s *session) run(ctx context.Context, r *reach) {
	if s.log.settled(r.of) {
		return
	}
	bin := filepath.Join(s.scratch, "tests.bin")
	defer os.Remove(bin)
	s.harvesting(r)
	defer func() { s.extra = nil }()
	if err := s.prepare(); err != nil {
		return
	}
	if err := s.build(ctx, r.tests, bin); err != nil {
		s.log.failed(r.of, "the tests of "+r.tests+" do not compile: "+err.Error())
		return
	}
	given, begun := s.share(r), time.Now()
	defer func() {
		for _, p := range r.of {
			s.spent[p] += time.Since(begun)
		}
	}()
	until, cut := begun.Add(given), false
	for i, w := range ways {
		left := time.Until(until) / time.Duration(len(ways)-i) * 2
		if i == len(ways)-1 {
			left /= 2
		}
		if s.log.settled(r.of) || left <= 0 || ctx.Err() != nil || w.harvest != "" && len(s.extra) == 0 {
			continue
		}
		before := len(s.log.confirmed)
		err := s.inTurn(ctx, r, w, bin, until, left, cut)
		if w.copies == 0 && w.harvest == "" {
			cut = cut || errors.Is(err, errCut)
			if err != nil && len(s.log.confirmed) == before {
				s.whose(ctx, r, bin, w, min(left, given/4))
			}
		}
	}
}

// inTurn runs the tests in one way. Where they were cut, the first ones
// would be all that ever run: then those come that lead to the findings, and what
// they leave of the time goes to all of them in another order.
func (s *session) inTurn(ctx context.Context, r *reach, w way, bin string, until time.Time, left time.Duration, cut bool) error {
	all := w
	if cut {
		w.flags, all.flags = s.instead(r, w), append(slices.Clone(w.flags), "-test.shuffle="+strconv.Itoa(int(left)))
	}
	begun := time.Now()
	err := s.often(ctx, r, w, bin, until, left)
	if rest := left - time.Since(begun); cut && rest > left/4 && !s.log.settled(r.of) {
		err = s.often(ctx, r, all, bin, until, rest)
	}
	return err
}

// instead are the flags with which tests that lead to the findings run instead
// of all; where there are none, all come in another order.
func (s *session) instead(r *reach, w way) []string {
	if near := s.near(r); near != "" {
		return append(slices.Clone(w.flags), "-test.run="+near)
	}
	return append(slices.Clone(w.flags), "-test.shuffle=on")
}

// often runs the tests once, and drivers that the bug has ended again.
func (s *session) often(ctx context.Context, r *reach, w way, bin string, until time.Time, left time.Duration) error {
	w.drive = left / 2
	n := len(s.log.confirmed)
	err := s.once(ctx, w, bin, r.tests, s.dirOf(r.tests), left)
	for err != nil && w.harvest != "" && n < len(s.log.confirmed) && time.Until(until) > left && !s.log.settled(r.of) {
		n = len(s.log.confirmed)
		err = s.once(ctx, w, bin, r.tests, s.dirOf(r.tests), left)
	}
	return err
}

// errCut says that tests have ended before all of them ran: they take too long,
// or one has ended the process.
var errCut = errors.New("not all tests ran")

// maxWaiting bounds all waits of one process together.
const maxWaiting = 6 * time.Second

// share is how long tests may run: what those before them have left of the time
// of some package that they are for, and a quarter of it in any case.
func (s *session) share(r *reach) time.Duration {
	left := s.Time / 4
	for _, p := range r.of {
		if !s.log.settled([]string{p}) {
			left = max(left, s.Time-s.spent[p])
		}
	}
	return left
}

// whose tells whether tests that failed, and confirmed nothing, fail without
// probes, too.
func (s *session) whose(ctx context.Context, r *reach, bin string, w way, limit time.Duration) {
	if s.log.notes[r.of[0]] != "" {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, limit+2*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, bin, append([]string{"-test.timeout=" + limit.String()}, w.flags...)...)
	cmd.Dir, cmd.Env = s.dirOf(r.tests), append(os.Environ(), s.Env...)
	group(cmd)
	out, err := cmd.CombinedOutput()
	end(cmd)
	switch {
	case timedOut(ctx, out):
		s.log.note(r.of, "the tests of "+r.tests+" take longer than -prove-time leaves them")
	case err != nil:
		s.log.note(r.of, "the tests of "+r.tests+" fail without probes, too")
	default:
		s.log.note(r.of, "the tests of "+r.tests+" fail when goroutines are delayed, by another cause than this finding or without its interleaving")
	}
}

// once runs a test binary once.
func (s *session) once(ctx context.Context, w way, bin, pkg, dir string, limit time.Duration) error {
	log := filepath.Join(s.scratch, "log")
	os.Remove(log)
	ctx, cancel := context.WithTimeout(ctx, limit+2*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, bin, append([]string{"-test.timeout=" + limit.String(), "-test.count=1"}, w.flags...)...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), s.Env...),
		mapguardprobe.LogVariable+"="+log,
		mapguardprobe.DelayVariable+"="+strconv.FormatInt(w.delay.Microseconds(), 10),
		mapguardprobe.TimeVariable+"="+strconv.FormatInt(min(limit/4, maxWaiting).Microseconds(), 10),
		mapguardprobe.CopyVariable+"="+strconv.Itoa(w.copies),
		mapguardprobe.DriveVariable+"="+strconv.FormatInt(w.drive.Microseconds(), 10),
		mapguardprobe.HarvestVariable+"="+w.harvest,
		mapguardprobe.LimitVariable+"="+strconv.FormatInt(limit.Microseconds(), 10),
		mapguardprobe.AfterVariable+"="+map[bool]string{true: "1"}[w.after],
		mapguardprobe.SomeVariable+"="+strconv.Itoa(w.some),
		mapguardprobe.SeedVariable+"="+strconv.Itoa(w.seed),
		mapguardprobe.RaceVariable+"="+map[bool]string{true: "1"}[w.races],
		mapguardprobe.SkipVariable+"="+s.log.skip(),
	)
	group(cmd)
	out, err := cmd.CombinedOutput()
	end(cmd)
	if os.Getenv("MAPGUARD_PROVE_DEBUG") != "" {
		fmt.Fprintf(os.Stderr, "%s %v: %v\n%s\n", pkg, w, err, out)
	}
	s.log.read(log, fmt.Sprintf("%s of %s", w.name, pkg), w.source())
	if exit := (*exec.ExitError)(nil); timedOut(ctx, out) || errors.As(err, &exit) && exit.ExitCode() != 1 {
		return errCut
	}
	return err
}

// timedOut reports whether a run was ended by its limit.
func timedOut(ctx context.Context, out []byte) bool {
	return ctx.Err() != nil || bytes.Contains(out, []byte("panic: test timed out"))
}
