package main

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/mapguard/mapguard/analyzer"
)

// shells are those that completion is written for.
var shells = map[string]func(io.Writer, []completed){"bash": writeBash, "zsh": writeZsh, "fish": writeFish}

func shellNames() []string { return slices.Sorted(maps.Keys(shells)) }

// A completed is a flag as shells complete it.
type completed struct {
	name, usage string
	// value is the name of its value, empty for a switch.
	value string
	// words are the values that it can have, where they can be listed.
	words []string
	// files and dirs say that the value names one.
	files, dirs bool
}

// printCompletion prints the script that makes a shell complete flags and their
// values.
func printCompletion(w io.Writer, shell string) error {
	set := flag.NewFlagSet("mapguard", flag.ContinueOnError)
	(&options{analyzer: analyzer.New(analyzer.Config{})}).define(set)
	var flags []completed
	set.VisitAll(func(f *flag.Flag) { flags = append(flags, complete(f)) })
	shells[shell](w, flags)
	return nil
}

// complete says how a flag is completed.
func complete(f *flag.Flag) completed {
	value, usage := flag.UnquoteUsage(f)
	c := completed{name: f.Name, usage: usage, value: value}
	if b, ok := f.Value.(interface{ IsBoolFlag() bool }); ok && b.IsBoolFlag() {
		c.value = ""
		return c
	}
	c.value = cmp.Or(value, "value")
	switch f.Name {
	case "confidence":
		c.words = []string{"low", "medium", "high"}
	case "f":
		c.words = formats()
	case "only", "skip", "fail", "explain":
		for _, r := range analyzer.Rules() {
			c.words = append(c.words, r.Name)
		}
		if f.Name == "explain" {
			c.words = append(c.words, "all")
		}
	case "completion":
		c.words = shellNames()
	case "C", "prove-keep":
		c.dirs = true
	case "baseline", "config", "why":
		c.files = true
	}
	return c
}

// by returns how a shell completes the flag's value: one of the words, which it
// puts into a format, a directory, a file, or whatever the user types.
func (c *completed) by(words, dirs, files, typed string) string {
	switch {
	case len(c.words) > 0:
		return fmt.Sprintf(words, strings.Join(c.words, " "))
	case c.dirs:
		return dirs
	case c.files:
		return files
	}
	return typed
}

func writeBash(w io.Writer, flags []completed) {
	fmt.Fprint(w, `# bash completion of mapguard: source <(mapguard -completion bash)
_mapguard() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}
	if [[ $cur == "=" ]]; then
		cur=
	elif [[ $prev == "=" && COMP_CWORD -ge 2 ]]; then
		prev=${COMP_WORDS[COMP_CWORD-2]}
	fi
	case $prev in
`)
	var names []string
	for _, c := range flags {
		names = append(names, "-"+c.name)
		if c.value == "" {
			continue
		}
		how := c.by(`COMPREPLY=($(compgen -P "${cur%%"${cur##*,}"}" -W "%s" -- "${cur##*,}"))`, `COMPREPLY=($(compgen -d -- "$cur"))`, `COMPREPLY=($(compgen -f -- "$cur"))`, "COMPREPLY=()")
		fmt.Fprintf(w, "\t-%s | --%s)\n\t\t%s\n\t\treturn\n\t\t;;\n", c.name, c.name, how)
	}
	fmt.Fprintf(w, `	esac
	if [[ $cur == -* ]]; then
		COMPREPLY=($(compgen -W "%s" -- "$cur"))
	else
		COMPREPLY=($(compgen -W "./..." -- "$cur") $(compgen -d -- "$cur"))
	fi
}
complete -F _mapguard mapguard
`, strings.Join(names, " "))
}

// zshText escapes what ends the parts of a specification, and the quotes that
// it stands in.
var zshText = strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, ":", `\:`, "'", `'\''`)

func writeZsh(w io.Writer, flags []completed) {
	fmt.Fprint(w, `#compdef mapguard
# zsh completion of mapguard: mapguard -completion zsh >"${fpath[1]}/_mapguard"
_mapguard() {
	_arguments \
`)
	for _, c := range flags {
		text := zshText.Replace(c.usage)
		if c.value == "" {
			fmt.Fprintf(w, "\t\t'-%s[%s]' \\\n", c.name, text)
			continue
		}
		action := c.by("(%s)", "_files -/", "_files", " ")
		fmt.Fprintf(w, "\t\t'*-%s=[%s]:%s:%s' \\\n", c.name, text, zshText.Replace(c.value), action)
	}
	fmt.Fprint(w, `		'*:package:_files -/'
}
if [[ $funcstack[1] == _mapguard ]]; then
	_mapguard "$@"
else
	compdef _mapguard mapguard
fi
`)
}

func writeFish(w io.Writer, flags []completed) {
	fmt.Fprint(w, `# fish completion of mapguard: mapguard -completion fish >~/.config/fish/completions/mapguard.fish
complete -c mapguard -f -a './... (__fish_complete_directories)'
`)
	quote := strings.NewReplacer(`\`, `\\`, "'", `\'`)
	for _, c := range flags {
		how := ""
		if c.value != "" {
			how = c.by(" -x -a '%s'", " -x -a '(__fish_complete_directories)'", " -r -F", " -x")
		}
		fmt.Fprintf(w, "complete -c mapguard -o %s%s -d '%s'\n", c.name, how, quote.Replace(c.usage))
	}
}
