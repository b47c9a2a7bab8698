package driver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/mapguard/mapguard/analyzer/finding"
)

// A Build is one way to build the code: settings of the go command, and tags.
type Build struct {
	// Name is what the build is called in results.
	Name string
	// Env are settings such as GOOS=windows, Tags build tags, separated by
	// commas.
	Env  []string
	Tags string
}

var (
	buildSetting = regexp.MustCompile(`^(GO|CGO_)[A-Z0-9_]+=\S*$`)
	buildTags    = regexp.MustCompile(`^--?tags=([\pL\d_.]+(?:,[\pL\d_.]+)*)$`)
)

// ParseBuild reads a build from its words: GOOS=windows CGO_ENABLED=0
// -tags=a,b.
func ParseBuild(text string) (Build, error) {
	words := strings.Fields(text)
	b := Build{Name: strings.Join(words, " ")}
	for _, word := range words {
		tags := buildTags.FindStringSubmatch(word)
		switch {
		case buildSetting.MatchString(word):
			b.Env = append(b.Env, word)
		case tags != nil && b.Tags == "":
			b.Tags = tags[1]
		default:
			return b, fmt.Errorf("%q is not part of a build: give words such as GOOS=windows, CGO_ENABLED=0 or -tags=a,b", word)
		}
	}
	if len(words) == 0 {
		return b, errors.New("a build is empty: give words such as GOOS=windows, CGO_ENABLED=0 or -tags=a,b")
	}
	return b, nil
}

// environ is the environment of the go command.
func (cfg *Config) environ() []string {
	if len(cfg.env) == 0 {
		return nil // the process's own
	}
	return append(os.Environ(), cfg.env...)
}

// runBuilds analyses each build by itself, one after the other, and merges what
// they give: a finding is one where place, category and map are the same, and
// names the builds that have it.
func runBuilds(ctx context.Context, cfg Config) (*Result, error) {
	var results []*Result
	var none error
	for i, b := range cfg.Builds {
		one := cfg
		one.Builds, one.env, one.Tags = nil, b.Env, b.Tags
		if cfg.Progress != nil {
			one.Progress = func(done, total int) { cfg.Progress(i*total+done, len(cfg.Builds)*total) }
		}
		if err := one.known(ctx); err != nil {
			return nil, fmt.Errorf("%s: %w", b.Name, err)
		}
		res, err := Run(ctx, one)
		switch {
		case errors.Is(err, errNone):
			none, res = err, new(Result) // another build may have packages
		case err != nil:
			return nil, fmt.Errorf("%s: %w", b.Name, err)
		}
		results = append(results, res)
	}
	out := merge(cfg.Builds, results)
	if none != nil && len(out.Analysed)+len(out.Problems) == 0 {
		return nil, none
	}
	return out, nil
}

// known asks the go command whether there is such a build: of an unknown system
// it would only say that no package has files for it.
func (cfg *Config) known(ctx context.Context) error {
	text, err := cfg.goCommand(ctx, "build", "-n", "unsafe").CombinedOutput()
	if err == nil {
		return nil
	}
	return errors.New(cmp.Or(strings.TrimPrefix(oneLine(string(text)), "go: "), err.Error()))
}

// merge makes one result of those of several builds. A package that one build
// leaves out by its constraints is no problem where another has analysed it.
func merge(builds []Build, results []*Result) *Result {
	out := new(Result)
	for _, res := range results {
		out.Analysed = append(out.Analysed, res.Analysed...)
	}
	slices.Sort(out.Analysed)
	out.Analysed = slices.Compact(out.Analysed)
	var found, ignored []finding.Finding
	for i, res := range results {
		name := builds[i].Name
		found = append(found, named(res.Findings, name)...)
		ignored = append(ignored, named(res.Ignored, name)...)
		elsewhere := func(pkg string) bool { return slices.Contains(out.Analysed, pkg) }
		excluded := slices.DeleteFunc(slices.Clone(res.empty), elsewhere)
		for _, p := range res.Problems {
			if len(excluded) == 0 && strings.HasPrefix(p.Message, "build constraints exclude all Go files") {
				continue
			}
			p.Message = name + ": " + p.Message
			out.Problems = append(out.Problems, p)
		}
		out.Skipped = append(out.Skipped, slices.DeleteFunc(slices.Clone(res.Skipped), elsewhere)...)
		out.Judgements = append(out.Judgements, res.Judgements...)
		out.Reached = out.Reached || res.Reached
	}
	slices.Sort(out.Skipped)
	out.Skipped = slices.Compact(out.Skipped)
	out.Findings, out.Ignored = once(found), once(ignored)
	return out
}

// named returns the findings with the build that they come from.
func named(findings []finding.Finding, build string) []finding.Finding {
	out := slices.Clone(findings)
	for i := range out {
		out[i].Builds = []string{build}
	}
	return out
}

// once sorts the findings and joins those of several builds. The message and
// the evidence are those of the first build that has the finding.
func once(findings []finding.Finding) []finding.Finding {
	type key struct {
		pos                finding.Position
		category, location string
	}
	at := make(map[key]int)
	var out []finding.Finding
	for _, f := range findings {
		k := key{f.Pos, f.Category, f.Location}
		if i, ok := at[k]; ok {
			if last := f.Builds[0]; !slices.Contains(out[i].Builds, last) {
				out[i].Builds = append(out[i].Builds, last)
			}
			continue
		}
		at[k] = len(out)
		out = append(out, f)
	}
	slices.SortStableFunc(out, Compare)
	return out
}
