package driver

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/mapguard/mapguard/analyzer/finding"
)

// A Problem is one reason why code could not be analysed.
type Problem struct {
	// Pos has no file where the go command names no place, and no line where
	// it names a file only.
	Pos     finding.Position
	Message string
	// More is the number of other errors with the same cause: a module that
	// cannot be downloaded is an error at each of its imports.
	More int
	// listed: the go command itself reports it. It is then the cause of what
	// the type checker reports.
	listed bool
}

// Text returns the message with the number of errors that follow.
func (p Problem) Text() string {
	switch {
	case p.More == 1:
		return p.Message + " (and 1 more error with this cause)"
	case p.More > 1:
		return fmt.Sprintf("%s (and %d more errors with this cause)", p.Message, p.More)
	}
	return p.Message
}

// String returns the problem as the compiler writes it.
func (p Problem) String() string {
	switch {
	case p.Pos.File == "":
		return p.Text()
	case p.Pos.Line == 0:
		return p.Pos.File + ": " + p.Text()
	case p.Pos.Column == 0:
		return fmt.Sprintf("%s:%d: %s", p.Pos.File, p.Pos.Line, p.Text())
	}
	return fmt.Sprintf("%s:%d:%d: %s", p.Pos.File, p.Pos.Line, p.Pos.Column, p.Text())
}

// compare puts what the go command reports first: it is the cause of the rest.
func (p Problem) compare(q Problem) int {
	if p.listed != q.listed {
		if p.listed {
			return -1
		}
		return 1
	}
	return cmp.Or(
		cmp.Compare(p.Pos.File, q.Pos.File), cmp.Compare(p.Pos.Line, q.Pos.Line), cmp.Compare(p.Pos.Column, q.Pos.Column),
		cmp.Compare(p.Message, q.Message),
	)
}

// problems returns the errors of all packages in sight, each cause once. The go
// command, the parser and the type checker may each report one place: the
// first of them is believed.
func problems(dir string, roots []*packages.Package) []Problem {
	c := &collector{
		dir: dir, best: make(map[finding.Position]packages.Error), broken: make(map[string]string),
		below: make(map[*packages.Package]string), follow: make(map[string]int), listed: make(map[finding.Position]bool),
	}
	packages.Visit(roots, nil, c.causes)
	packages.Visit(roots, nil, c.collect) // from the bottom up
	for pos, err := range c.best {
		c.out = append(c.out, Problem{Pos: pos, Message: oneLine(err.Msg), listed: err.Kind == packages.ListError})
	}
	return c.merged()
}

type collector struct {
	dir  string
	best map[finding.Position]packages.Error // by place
	// broken are the packages that the go command could not load, with its
	// message: the errors of those that import them follow from it. Package C
	// stands for cgo.
	broken map[string]string
	// below has the packages that import a broken one, directly or not, with
	// the same message: nearly all that the type checker reports there follows
	// from it.
	below map[*packages.Package]string
	// follow counts the errors that follow from a message.
	follow map[string]int
	// listed are the places where the go command itself reports something.
	listed map[finding.Position]bool
	out    []Problem
}

// cgoPackage is the name under which code imports what cgo makes.
const cgoPackage = "C"

// fromTool begins the output of a tool that the go command has run, such as the
// compiler or cgo.
const fromTool = "# "

// causes notes the packages that others cannot be analysed without.
func (c *collector) causes(p *packages.Package) {
	for _, err := range p.Errors {
		tool := strings.HasPrefix(err.Msg, fromTool)
		switch {
		case tool && c.importsC(p):
			list := cgoErrors(c.dir, err.Msg)
			c.broken[cgoPackage] = list[0].Message
			c.out = append(c.out, list...)
		case err.Kind == packages.ListError && !tool: // not the compiler's
			c.broken[p.PkgPath] = message(err.Msg)
			c.listed[c.position(err.Pos)] = true
		}
	}
}

// cause returns what the go command says of a package that p imports, directly
// or not, if there is such a package.
func (c *collector) cause(p *packages.Package) string {
	if cause, ok := c.below[p]; ok {
		return cause
	}
	c.below[p] = ""
	for _, path := range slices.Sorted(maps.Keys(p.Imports)) {
		imp := p.Imports[path]
		if cause := cmp.Or(c.broken[imp.PkgPath], c.cause(imp)); cause != "" {
			c.below[p] = cause
			break
		}
	}
	return c.below[p]
}

// importsC reports whether cgo has failed for the package: then its files are
// the original ones, and what they take from C is unknown. Their import is no
// error of its own.
func (c *collector) importsC(p *packages.Package) bool {
	found := false
	for _, err := range p.Errors {
		if missingImport(err.Msg) == cgoPackage {
			found = true
			c.listed[c.position(err.Pos)] = true
		}
	}
	return found
}

// missing is what the type checker says of an import that could not be loaded.
var missing = regexp.MustCompile(`^could not import (\S+) \((invalid package name|no metadata for)`)

// missingImport returns the path of the package that an error says was not
// loaded, or nothing.
func missingImport(msg string) string {
	if m := missing.FindStringSubmatch(msg); m != nil {
		return m[1]
	}
	return ""
}

func (c *collector) collect(p *packages.Package) {
	for _, err := range p.Errors {
		pos := c.position(err.Pos)
		if cause := c.follows(p, err); cause != "" {
			if !c.listed[pos] {
				c.follow[cause]++
			}
			continue
		}
		switch {
		case pos.Line > 0:
			if old, ok := c.best[pos]; !ok || rank(err) < rank(old) {
				c.best[pos] = err
			}
		case !strings.HasPrefix(err.Msg, fromTool) || len(p.Errors) == 1:
			c.out = append(c.out, Problem{Pos: pos, Message: message(err.Msg), listed: err.Kind == packages.ListError})
		default:
			// The compiler says again what the type checker says; what cgo
			// says is there already.
		}
	}
}

// follows returns the message of the go command that an error follows from.
func (c *collector) follows(p *packages.Package, err packages.Error) string {
	if cause := c.broken[missingImport(err.Msg)]; cause != "" {
		return cause
	}
	if err.Kind == packages.TypeError {
		return cmp.Or(c.broken[p.PkgPath], c.cause(p))
	}
	return ""
}

// position takes file:line:col apart, of which the last two may be missing.
func (c *collector) position(s string) finding.Position {
	file, place, ok := strings.Cut(s, ".go:")
	if !ok {
		return finding.Position{}
	}
	line, col, _ := strings.Cut(place, ":")
	pos := finding.Position{File: absolute(c.dir, file+".go")}
	pos.Line, _ = strconv.Atoi(line)
	pos.Column, _ = strconv.Atoi(col)
	return pos
}

func absolute(dir, file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(dir, file)
}

// merged returns each message of the go command once, at its first place, with
// the number of errors that it is the cause of.
func (c *collector) merged() []Problem {
	slices.SortFunc(c.out, Problem.compare)
	c.out = slices.Compact(c.out)
	at := make(map[string]int) // by message
	var out []Problem
	for _, p := range c.out {
		if i, ok := at[p.Message]; ok && p.listed {
			out[i].More++
			continue
		}
		if p.listed {
			at[p.Message] = len(out)
			p.More = c.follow[p.Message]
			delete(c.follow, p.Message)
		}
		out = append(out, p)
	}
	for _, cause := range slices.Sorted(maps.Keys(c.follow)) {
		if len(out) == 0 {
			out = append(out, Problem{Message: cause, listed: true})
		}
		out[0].More += c.follow[cause]
	}
	return out
}

func rank(err packages.Error) int {
	return slices.Index([]packages.ErrorKind{packages.ListError, packages.ParseError, packages.TypeError, packages.UnknownError}, err.Kind)
}

// runMessage is how go/packages begins the error of a go command that failed.
var runMessage = regexp.MustCompile(`^err: (?:exit status \d+|(.*?)): stderr: ?(?:go: )?`)

// message is what the go command says of no place, with the way out where it
// leaves that out.
func message(text string) string {
	s := oneLine(text)
	if m := runMessage.FindStringSubmatch(s); m != nil {
		if s = strings.TrimPrefix(s, m[0]); s == "" {
			s = m[1] // the go command could not be run
		}
	}
	if strings.Contains(text, "cannot load module") && strings.Contains(text, "go.work") {
		return s + ": remove what is gone from go.work, or set GOWORK=off"
	}
	if strings.Contains(text, "modules listed in go.work") {
		return s + ": name the directories of modules, as in ./api/..., or all of them with the pattern work"
	}
	if strings.Contains(text, "directory prefix") || strings.Contains(text, "go.mod file not found") {
		s += ": " + outside
	}
	return s
}

// outside is the way out for a run that is in no module.
const outside = "run in the directory of the module, or name it with -C"

// maxLines bounds the lines of the go command that are told: a workspace can
// lack a hundred modules, for one reason.
const maxLines = 3

// oneLine joins the lines of a message of the go command, the first of many.
func oneLine(s string) string {
	var lines []string
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	if more := len(lines) - maxLines; more > 1 {
		lines = append(lines[:maxLines], strconv.Itoa(more)+" more lines like these")
	}
	return strings.ReplaceAll(strings.Join(lines, "; "), ":; ", ": ")
}
