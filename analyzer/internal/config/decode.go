package config

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// A decoder takes the file apart by hand, so that each error has its line and
// says what is allowed. It keeps the first error.
type decoder struct {
	file       string
	categories []string
	err        error
}

// A key is one that a mapping may have, with what its value does.
type key struct {
	name string
	set  func(*yaml.Node)
}

func (d *decoder) fail(n *yaml.Node, format string, args ...any) {
	if d.err == nil {
		d.err = &Error{File: d.file, Line: n.Line, Message: fmt.Sprintf(format, args...)}
	}
}

// keys are those of the whole file.
func (d *decoder) keys(f *File) []key {
	return []key{
		{"confidence", func(n *yaml.Node) { f.Confidence = d.oneOf(n, "confidence", "low", "medium", "high") }},
		{"tests", func(n *yaml.Node) { f.Tests = d.boolean(n, "tests") }},
		{"only", func(n *yaml.Node) { f.Only = d.categoryList(n, "only") }},
		{"skip", func(n *yaml.Node) { f.Skip = d.categoryList(n, "skip") }},
		{"exclude", func(n *yaml.Node) {
			d.sequence(n, "exclude", func(n *yaml.Node) { f.Exclude = append(f.Exclude, d.exclusion(n)) })
		}},
		{"test-helpers", func(n *yaml.Node) { f.TestHelpers = d.list(n, "test-helpers", d.pattern) }},
		{"application", func(n *yaml.Node) { f.Application = d.isTrue(n, "application") }},
		{"functions", func(n *yaml.Node) { d.mapping(n, d.functionKeys(&f.Functions)) }},
		{"concurrent-maps", func(n *yaml.Node) { f.ConcurrentMaps = d.list(n, "concurrent-maps", d.fullName) }},
		{"guards", func(n *yaml.Node) {
			d.sequence(n, "guards", func(n *yaml.Node) { f.Guards = append(f.Guards, d.guard(n)) })
		}},
	}
}

func (d *decoder) functionKeys(f *Functions) []key {
	names := func(name string, to *[]string) key {
		return key{name, func(n *yaml.Node) { *to = d.list(n, name, d.fullName) }}
	}
	return []key{
		names("lock", &f.Lock), names("unlock", &f.Unlock), names("rlock", &f.RLock), names("runlock", &f.RUnlock),
		names("trylock", &f.TryLock), names("tryrlock", &f.TryRLock),
		names("spawn", &f.Spawn), names("register", &f.Register), names("run", &f.Run), names("once", &f.Once),
	}
}

// mapping reads keys with values; each may be there once.
func (d *decoder) mapping(n *yaml.Node, keys []key) {
	n = resolve(n)
	var names []string
	for _, k := range keys {
		names = append(names, k.name)
	}
	if n.Kind != yaml.MappingNode {
		d.fail(n, "%s: keys with values are wanted here: %s", show(n), strings.Join(names, ", "))
		return
	}
	seen := make(map[string]bool)
	for i := 0; i+1 < len(n.Content); i += 2 {
		name := n.Content[i]
		at := slices.Index(names, name.Value)
		switch {
		case at < 0:
			d.fail(name, "unknown key %q: the keys are %s", name.Value, strings.Join(names, ", "))
		case seen[name.Value]:
			d.fail(name, "the key %s is given twice", name.Value)
		default:
			seen[name.Value] = true
			keys[at].set(resolve(n.Content[i+1]))
		}
	}
}

func (d *decoder) sequence(n *yaml.Node, name string, each func(*yaml.Node)) {
	if n.Kind != yaml.SequenceNode {
		d.fail(n, "%s: %s must be a list", name, show(n))
		return
	}
	for _, item := range n.Content {
		each(resolve(item))
	}
}

// list reads strings, each of which check accepts or fails.
func (d *decoder) list(n *yaml.Node, name string, check func(n *yaml.Node, name string)) []string {
	var out []string
	d.sequence(n, name, func(n *yaml.Node) {
		if s := d.text(n, name); s != "" {
			check(n, name)
			out = append(out, s)
		}
	})
	return out
}

func (d *decoder) text(n *yaml.Node, name string) string {
	if n.Kind != yaml.ScalarNode || n.Tag == "!!null" || strings.TrimSpace(n.Value) == "" {
		d.fail(n, "%s: %s must be a text that is not empty", name, show(n))
		return ""
	}
	return n.Value
}

func (d *decoder) oneOf(n *yaml.Node, name string, values ...string) string {
	if n.Kind != yaml.ScalarNode || !slices.Contains(values, n.Value) {
		d.fail(n, "%s: %s must be one of %s", name, show(n), strings.Join(values, ", "))
		return ""
	}
	return n.Value
}

func (d *decoder) boolean(n *yaml.Node, name string) *bool {
	if n.Kind != yaml.ScalarNode || n.Tag != "!!bool" {
		d.fail(n, "%s: %s must be true or false", name, show(n))
		return nil
	}
	value := strings.EqualFold(n.Value, "true")
	return &value
}

func (d *decoder) isTrue(n *yaml.Node, name string) bool {
	value := d.boolean(n, name)
	return value != nil && *value
}

func (d *decoder) categoryList(n *yaml.Node, name string) []string {
	return d.list(n, name, func(n *yaml.Node, name string) { d.oneOf(n, name, d.categories...) })
}

// pattern checks a path, relative to the file, in which * and ** stand for more.
func (d *decoder) pattern(n *yaml.Node, name string) {
	if path.IsAbs(n.Value) || strings.HasPrefix(path.Clean(n.Value), "../") || strings.Contains(n.Value, `\`) {
		d.fail(n, "%s: %q must be a path below the directory of this file, with forward slashes", name, n.Value)
	}
	if _, err := path.Match(n.Value, ""); err != nil {
		d.fail(n, "%s: %q: %v", name, n.Value, err)
	}
}

// fullName checks the name of a function or type: path.Name or path.Type.Name,
// or as the compiler writes methods, (*path.Type).Name.
func (d *decoder) fullName(n *yaml.Node, name string) {
	plain := Plain(n.Value)
	if i := strings.LastIndexByte(plain, '/'); !strings.Contains(plain[i+1:], ".") || strings.ContainsAny(plain, " ()*[]") {
		d.fail(n, "%s: %q must be a full name, such as example.org/pool.Pool.Go", name, n.Value)
	}
}

// Plain returns the full name of a function or type without the signs by which
// methods of pointers and of values differ.
func Plain(name string) string {
	name = strings.Replace(name, "(*", "(", 1)
	if rest, ok := strings.CutPrefix(name, "("); ok {
		return strings.Replace(rest, ")", "", 1)
	}
	return strings.TrimPrefix(name, "*")
}

func (d *decoder) exclusion(n *yaml.Node) (x Exclusion) {
	d.mapping(n, []key{
		{"path", func(n *yaml.Node) { x.Path = d.text(n, "path"); d.pattern(n, "path") }},
		{"package", func(n *yaml.Node) { x.Package = d.text(n, "package") }},
		{"categories", func(n *yaml.Node) { x.Categories = d.categoryList(n, "categories") }},
		{"reason", func(n *yaml.Node) { x.Reason = d.text(n, "reason") }},
	})
	switch {
	case (x.Path == "") == (x.Package == ""):
		d.fail(n, "exclude: each entry has a path or a package, and not both")
	case x.Reason == "":
		d.fail(n, "exclude: a reason is required")
	}
	return x
}

func (d *decoder) guard(n *yaml.Node) (g Guard) {
	g.Line = n.Line
	d.mapping(n, []key{
		{"map", func(n *yaml.Node) { g.Map = d.text(n, "map"); d.fullName(n, "map") }},
		{"by", func(n *yaml.Node) { g.By = d.text(n, "by") }},
	})
	if g.Map == "" || g.By == "" {
		d.fail(n, "guards: each entry has map, the full name of a field or variable, and by, its lock")
	}
	return g
}

// resolve follows an alias.
func resolve(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode && n.Alias != nil {
		return n.Alias
	}
	return n
}

// show returns a value as a message calls it.
func show(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.MappingNode:
		return "keys with values"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.Tag == "!!null":
		return "nothing"
	}
	return fmt.Sprintf("%q", n.Value)
}
