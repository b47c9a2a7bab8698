package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/mapguard/mapguard/analyzer/finding"
	"github.com/mapguard/mapguard/cmd/mapguard/internal/driver"
	"github.com/mapguard/mapguard/cmd/mapguard/internal/text"
)

// checkWhy refuses what means nothing beside -why, and finds the package when
// none is named: the file's.
func (o *options) checkWhy() error {
	switch {
	case o.why == "":
		return nil
	case o.fix, o.diff, o.writeBaseline, o.baseline != "", o.rev != "":
		return errors.New("-why explains one line and reports nothing: leave -fix, -diff, -baseline and -new-from-rev out")
	case o.format != formatText && o.format != "json":
		return fmt.Errorf("-why prints text or json: leave -f %s out", o.format)
	}
	if len(o.patterns) == 0 {
		file := o.why[:strings.LastIndexByte(o.why, ':')]
		dir := filepath.ToSlash(filepath.Dir(file))
		if !filepath.IsAbs(file) {
			dir = "./" + dir
		}
		o.patterns = []string{dir}
	}
	return nil
}

// explainLine answers -why.
func (c *command) explainLine(ctx context.Context) (int, error) {
	res, err := driver.Run(ctx, c.driverConfig(c.dir))
	c.progress.clear()
	if err != nil {
		return exitError, err
	}
	for _, p := range res.Problems {
		fmt.Fprintln(c.stderr, c.problem(p))
	}
	switch {
	case !res.Reached && len(res.Problems) > 0:
		return exitError, nil
	case !res.Reached:
		return exitError, fmt.Errorf("-why %s: no such line in the packages analysed: check the path, or name the package", c.why)
	}
	code, err := c.writeWhy(res)
	if err == nil && len(res.Problems) > 0 {
		code = exitError // what was not analysed may be a part of the answer
	}
	return code, err
}

// writeWhy prints what there is to say of the line.
func (c *command) writeWhy(res *driver.Result) (int, error) {
	if c.format == "json" {
		enc := json.NewEncoder(c.stdout)
		enc.SetIndent("", "  ")
		return answer(enc.Encode(struct {
			Judgements []finding.Judgement `json:"judgements"`
		}{append([]finding.Judgement{}, res.Judgements...)}))
	}
	if len(res.Judgements) == 0 {
		fmt.Fprintf(c.stdout, "%s: no map that can be shared is read or written on this line\n", c.why)
		return exitClean, nil
	}
	return answer(text.WriteJudgements(c.stdout, res.Judgements, text.Options{Dir: c.dir, Color: colored(c.stdout)}))
}
