package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"
)

// join joins errors.
func join(errs ...error) error { return errors.Join(errs...) }

// printTable prints what became of each mutant and, for each kind, of how many. It
// returns how many escaped.
func printTable(mutants []*mutant) (escaped int) {
	fmt.Println("| mutant of | kind | scenario that fails | mapguard |")
	fmt.Println("|---|---|---|---|")
	var slowest time.Duration
	for _, m := range mutants {
		slowest = max(slowest, m.took)
		scenario := m.scenario
		if scenario == "" {
			scenario = "–"
		}
		category := cmp.Or(m.category, "–")
		if m.escaped() {
			escaped++
			category += " **escaped**"
		}
		fmt.Printf("| `%s` | %s | %s | %s |\n", m.place, m.kind, scenario, category)
	}
	fmt.Println()
	printKinds(mutants)
	fmt.Printf("\nThe slowest took %.0f s.\n", slowest.Seconds())
	return escaped
}

// count is how many mutants fail a scenario, are reported, both, or neither.
type count struct{ all, scenario, reported, both, neither int }

func (c *count) add(m *mutant) {
	c.all++
	if m.scenario != "" {
		c.scenario++
	}
	if m.category != "" {
		c.reported++
	}
	if m.scenario != "" && m.category != "" {
		c.both++
	}
	if m.escaped() {
		c.neither++
	}
}

func printKinds(mutants []*mutant) {
	counts := map[string]*count{}
	var total count
	var kinds []string
	for _, m := range mutants {
		if counts[m.kind] == nil {
			counts[m.kind] = &count{}
			kinds = append(kinds, m.kind)
		}
		counts[m.kind].add(m)
		total.add(m)
	}
	slices.Sort(kinds)
	fmt.Println("| kind | mutants | fail a scenario | reported by mapguard | both | neither |")
	fmt.Println("|---|---|---|---|---|---|")
	for _, kind := range kinds {
		counts[kind].print(kind)
	}
	total.print("all")
}

func (c *count) print(kind string) {
	fmt.Printf("| %s | %d | %d | %d | %d | %d |\n", kind, c.all, c.scenario, c.reported, c.both, c.neither)
}
