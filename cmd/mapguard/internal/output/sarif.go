package output

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/semver"

	"github.com/mapguard/mapguard/analyzer"
	"github.com/mapguard/mapguard/analyzer/finding"
)

var sarifLevels = [...]string{"note", "warning", "error"}

// tags are every rule's. There is no "security" among them: GitHub would then
// want a severity score, and not every lost update is a hole.
var tags = []string{"concurrency", "correctness", "external/cwe/cwe-362"}

func writeSARIF(buf *bytes.Buffer, r *run) error { return r.sarif(buf, gitHubLimits) }

func (r *run) sarif(buf *bytes.Buffer, lim limits) error {
	rules, index := r.sarifRules()
	cut := &cutter{limits: lim, failed: r.failed()}
	out := sarifRun{
		Tool: sarifTool{sarifDriver{
			Name: "mapguard", Version: r.Version, SemanticVersion: semantic(r.Version),
			InformationURI: homepage, Rules: rules,
		}},
		BaseIDs:    map[string]sarifArtifact{srcRoot: r.baseID()},
		ColumnKind: "utf16CodeUnits",
		Results:    []sarifResult{},
	}
	for _, it := range cut.results(r.items) {
		out.Results = append(out.Results, r.sarifResult(cut.result(it), index[it.Category]))
	}
	return cut.write(buf, out)
}

// failed returns a notification for each problem: a run with one of them is no
// successful one.
func (r *run) failed() []sarifNotification {
	var out []sarifNotification
	for _, p := range r.problems() {
		n := sarifNotification{Level: "error", Message: sarifMessage{Text: p.Message}}
		if loc := r.sarifLocation(p.Pos); loc.Physical != nil {
			n.Locations = []sarifLocation{loc}
		}
		out = append(out, n)
	}
	return out
}

// baseID describes what paths are relative to. Where -path-prefix names a place
// that is not on this machine, there is no URI of it.
func (r *run) baseID() sarifArtifact {
	out := sarifArtifact{Description: &sarifMessage{Text: "the directory that paths are relative to"}}
	if base := r.files.base(); base != "" {
		out.URI = strings.TrimSuffix(fileURI(base), "/") + "/"
	}
	return out
}

// semantic returns a version as semver.org has it, empty if it is none: a build
// without a version calls itself "(devel)".
func semantic(version string) string {
	v := "v" + strings.TrimPrefix(version, "v")
	if !semver.IsValid(v) || semver.Canonical(v)+semver.Build(v) != v {
		return ""
	}
	return v[1:]
}

// sarifRules returns a descriptor for each rule, and for each category that has
// none, and where each stands.
func (r *run) sarifRules() ([]sarifRule, map[string]int) {
	rules := slices.Clone(r.Rules)
	index := make(map[string]int)
	for i, rule := range rules {
		index[rule.Name] = i
	}
	var unknown []string
	for _, it := range r.items {
		if _, ok := index[it.Category]; !ok && !slices.Contains(unknown, it.Category) {
			unknown = append(unknown, it.Category)
		}
	}
	slices.Sort(unknown)
	for _, name := range unknown {
		index[name] = len(rules)
		rules = append(rules, Rule{Name: name})
	}
	out := make([]sarifRule, len(rules))
	for i, rule := range rules {
		out[i] = r.sarifRule(rule)
	}
	return out, index
}

// sarifRule describes a rule. Its precision is the lowest confidence that was
// asked for: what a reader can rely on for all of its results. Its level is that
// of the default confidence; each result states its own.
func (r *run) sarifRule(rule Rule) sarifRule {
	summary := rule.Summary
	if summary == "" {
		summary = rule.Name
	}
	text := rule.Text
	if text == "" {
		text = summary
	}
	full := firstParagraph(text)
	if full == "" {
		full = summary
	}
	return sarifRule{
		ID: rule.Name, Name: pascal(rule.Name),
		Short:   sarifMessage{Text: truncate(summary, maxDescription)},
		Full:    sarifMessage{Text: truncate(full, maxDescription)},
		Help:    sarifMessage{Text: text, Markdown: text},
		HelpURI: cmp.Or(rule.URL, homepage),
		Default: sarifConfiguration{Level: sarifLevels[rank("medium")]},
		Props: sarifRuleProperties{
			Precision: [...]string{"low", "medium", "high"}[rank(r.Confidence)], Tags: tags,
		},
	}
}

// maxDescription is GitHub's limit for descriptions, in characters.
const maxDescription = 1024

// firstParagraph returns the first paragraph of a markdown text as one line.
func firstParagraph(text string) string {
	for _, p := range strings.Split(text, "\n\n") {
		if p = strings.TrimSpace(p); p != "" && !strings.HasPrefix(p, "#") && !strings.HasPrefix(p, "```") {
			return strings.Join(strings.Fields(p), " ")
		}
	}
	return ""
}

func truncate(text string, n int) string {
	if runes := []rune(text); len(runes) > n {
		return string(runes[:n-1]) + "…"
	}
	return text
}

// pascal turns split-lock into SplitLock, as rule names are written.
func pascal(id string) string {
	var out string
	for part := range strings.SplitSeq(id, "-") {
		if part != "" {
			out += strings.ToUpper(part[:1]) + part[1:]
		}
	}
	return out
}

func (r *run) sarifResult(it item, rule int) sarifResult {
	res := sarifResult{
		RuleID: it.Category, RuleIndex: rule, Level: sarifLevels[it.rank()],
		Fingerprints: map[string]string{"mapguard/v1": it.fingerprint},
		Props:        sarifResultProperties{Confidence: it.Confidence, Evidence: it.Evidence, Location: it.Location, Builds: it.Builds},
		rank:         it.rank(),
	}
	if it.Ignored != "" {
		res.Suppressions = []sarifSuppression{{Kind: suppressed(it.Finding), Justification: it.Ignored}}
	}
	if it.Guard != nil {
		res.Props.Guard = it.Guard
	}
	if hash := r.files.get(it.Pos.File).lineHash(it.Pos.Line); hash != "" {
		res.Fingerprints["primaryLocationLineHash"] = hash
	}
	if loc := r.sarifLocation(it.Pos); loc.Physical != nil {
		loc.Logical = logical(it.Finding)
		res.Locations = []sarifLocation{loc}
	}
	var links []link
	for _, rel := range it.Related {
		loc := r.sarifLocation(rel.Pos)
		if loc.Physical == nil {
			continue
		}
		loc.ID = len(res.Related) + 1
		loc.Message = &sarifMessage{Text: rel.Message}
		res.Related = append(res.Related, loc)
		l := link{id: loc.ID, text: rel.Message}
		if rel.Pos.File == it.Pos.File {
			l.line = rel.Pos.Line
		}
		links = append(links, l)
	}
	res.Message.Text = linked(it.Finding, links)
	res.CodeFlows = r.codeFlows("an interleaving of two goroutines", it.Trace)
	r.sarifProof(&res, it.Proof)
	res.Fixes = r.sarifFixes(it.Fixes)
	return res
}

// suppressed says where a finding is silenced: in the source, or by the
// configuration.
func suppressed(f finding.Finding) string {
	if strings.HasSuffix(f.Ignored, "("+analyzer.ConfigName+")") {
		return "external"
	}
	return "inSource"
}

func logical(f finding.Finding) []sarifLogical {
	if f.Function == "" {
		return nil
	}
	name := f.Function
	if f.Package != "" {
		name = f.Package + "." + name
	}
	return []sarifLogical{{name, "function"}}
}

func (r *run) sarifLocation(p finding.Position) sarifLocation {
	if p.File == "" {
		return sarifLocation{}
	}
	loc := sarifPhysical{Artifact: r.artifact(p.File)}
	if p.Line > 0 {
		loc.Region = &sarifRegion{StartLine: p.Line, StartColumn: r.files.column(p)}
	}
	return sarifLocation{Physical: &loc}
}

func (r *run) artifact(file string) sarifArtifact {
	uri, relative := r.files.uri(file)
	if relative {
		return sarifArtifact{URI: uri, BaseID: srcRoot}
	}
	return sarifArtifact{URI: uri}
}

// A link goes from the message to a related location. Its line is 0 in another
// file: a message names such places otherwise.
type link struct {
	id, line int
	text     string
}

var lineNumber = regexp.MustCompile(`\bline (\d+)\b`)

// linked returns the message with the evidence and links to all related
// locations: where the message says "line 52" those words are the link, the
// others follow at the end.
func linked(f finding.Finding, links []link) string {
	used := make(map[int]bool)
	text := lineNumber.ReplaceAllStringFunc(plain(f.Message), func(s string) string {
		line, _ := strconv.Atoi(strings.TrimPrefix(s, "line "))
		for _, l := range links {
			if l.line == line && !used[l.id] {
				used[l.id] = true
				return embed(s, l.id)
			}
		}
		return s
	})
	if f.Evidence != "" {
		text += ". Evidence (" + plain(f.Confidence) + " confidence): " + plain(f.Evidence)
	}
	var rest []string
	for _, l := range links {
		if !used[l.id] {
			rest = append(rest, embed(l.text, l.id))
		}
	}
	if len(rest) > 0 {
		text += ". See: " + strings.Join(rest, "; ")
	}
	return text
}

func embed(text string, id int) string {
	text = strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`).Replace(text)
	return "[" + text + "](" + strconv.Itoa(id) + ")"
}

// plain keeps source text such as m[k](1) from being read as a link. Other
// brackets stay as they are: viewers differ in whether they take an escape away
// outside of links.
func plain(text string) string { return strings.ReplaceAll(text, "](", `\](`) }
