// Package registry lists the rules. A new rule is one package and one line
// here.
package registry

import (
	"github.com/mapguard/mapguard/analyzer/internal/check"
	"github.com/mapguard/mapguard/analyzer/internal/check/checkthenact"
	"github.com/mapguard/mapguard/analyzer/internal/check/goroutinerace"
	"github.com/mapguard/mapguard/analyzer/internal/check/mapescape"
	"github.com/mapguard/mapguard/analyzer/internal/check/rlockwrite"
	"github.com/mapguard/mapguard/analyzer/internal/check/splitlock"
	"github.com/mapguard/mapguard/analyzer/internal/check/syncmap"
	"github.com/mapguard/mapguard/analyzer/internal/check/unguarded"
)

// Rules returns the rules, the strongest first: at one place a stronger one
// replaces the weaker ones.
func Rules() []check.Rule {
	return []check.Rule{
		checkthenact.Rule{}, splitlock.Rule{}, syncmap.Rule{},
		rlockwrite.Rule{}, goroutinerace.Rule{}, mapescape.Rule{}, unguarded.Rule{},
	}
}
