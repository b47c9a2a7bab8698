package output

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"slices"
)

// limits are what a reader of SARIF takes.
type limits struct {
	results   int // more are refused
	shown     int // more are taken and not shown
	locations int // of one result, the primary one included
	steps     int // of one result
	bytes     int // of the whole, compressed by gzip
}

// gitHubLimits are those of GitHub code scanning, which refuses a whole upload
// that is over one of them. It also refuses over 20 tags a rule and over 20
// runs; there are three and one.
var gitHubLimits = limits{results: 25_000, shown: 5_000, locations: 1_000, steps: 10_000, bytes: 10_000_000}

// A cutter keeps a log within limits and remembers what it cut. The findings of
// the lowest confidence go first.
type cutter struct {
	limits
	failed    []sarifNotification // what could not be analysed
	found     int                 // findings before any cut
	shortened int                 // results that lost locations or steps
}

func (c *cutter) results(items []item) []item {
	c.found = len(items)
	return best(items, c.limits.results, func(it item) int { return it.rank() })
}

// best keeps the n items of the highest rank, in their order; of equal ones the
// first.
func best[T any](items []T, n int, rank func(T) int) []T {
	if len(items) <= n {
		return items
	}
	order := make([]int, len(items))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return rank(items[b]) - rank(items[a]) })
	order = order[:n]
	slices.Sort(order)
	out := make([]T, n)
	for i, at := range order {
		out[i] = items[at]
	}
	return out
}

// result returns the finding with as many related places and steps as are
// taken for one.
func (c *cutter) result(it item) item {
	related, steps := len(it.Related), len(it.Trace)
	it.Related = it.Related[:min(related, c.locations-1)]
	it.Trace = it.Trace[:min(steps, c.steps)]
	if len(it.Related) < related || len(it.Trace) < steps {
		c.shortened++
	}
	return it
}

// write encodes the run, with fewer results until it is small enough.
func (c *cutter) write(buf *bytes.Buffer, run sarifRun) error {
	for {
		run.Invocations = []sarifInvocation{{
			Successful: len(c.failed) == 0, Notifications: slices.Concat(c.failed, c.notifications(len(run.Results))),
		}}
		buf.Reset()
		log := sarifLog{Schema: sarifSchema, Version: sarifVersion, Runs: []sarifRun{run}}
		if err := writeIndented(buf, log); err != nil {
			return err
		}
		size, err := c.size(buf.Bytes())
		if err != nil {
			return err
		}
		n := len(run.Results)
		if size <= c.bytes || n == 0 {
			return nil
		}
		// A tenth less than in proportion, so that few rounds are enough.
		keep := min(n-1, int(float64(n)*0.9*float64(c.bytes)/float64(size)))
		run.Results = best(run.Results, keep, func(r sarifResult) int { return r.rank })
	}
}

// size returns how large the text is when compressed. What is small enough as
// it is need not be.
func (c *cutter) size(text []byte) (int, error) {
	if len(text) <= c.bytes {
		return len(text), nil
	}
	var n counter
	z := gzip.NewWriter(&n)
	if _, err := z.Write(text); err != nil {
		return 0, err
	}
	if err := z.Close(); err != nil {
		return 0, err
	}
	return int(n), nil
}

type counter int

func (n *counter) Write(p []byte) (int, error) {
	*n += counter(len(p))
	return len(p), nil
}

// notifications say what a reader will miss.
func (c *cutter) notifications(kept int) []sarifNotification {
	var out []sarifNotification
	note := func(level, format string, args ...any) {
		out = append(out, sarifNotification{Level: level, Message: sarifMessage{Text: fmt.Sprintf(format, args...)}})
	}
	if kept < c.found {
		note("warning", "%d of %d findings are left out, those of the lowest confidence first: GitHub code scanning takes at most %d results and %d bytes of gzip",
			c.found-kept, c.found, c.limits.results, c.bytes)
	}
	if kept > c.shown {
		note("note", "GitHub code scanning shows at most %d of the %d results", c.shown, kept)
	}
	if c.shortened > 0 {
		note("note", "%d results are without some of their related locations or steps: GitHub code scanning takes at most %d locations and %d steps for each",
			c.shortened, c.locations, c.steps)
	}
	return out
}
