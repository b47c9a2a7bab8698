package driver_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/mapguard/mapguard/analyzer"
)

const registers = `
-- go.mod --
module example.org/registers

go 1.26
-- kinds/kinds.go --
package kinds

var kinds = map[string]func(){}

func Register(name string, make func()) { kinds[name] = make }

func Of(name string) func() { return kinds[name] }

var late = map[string]func(){}

func Late(name string, make func()) { late[name] = make }

func LateOf(name string) func() { return late[name] }

var lit = map[string]func(){}

func Literal(name string, make func()) { lit[name] = make }

func LiteralOf(name string) func() { return lit[name] }
-- plain/plain.go --
package plain

import "example.org/registers/kinds"

func init() { kinds.Register("plain", nil) }

func Setup() { go kinds.Late("plain", nil) }

var Later = func() { kinds.Literal("plain", nil) }
-- other/other.go --
package other
-- other/other_plan9.go --
package other

type table struct{}

func (table) Register(string) {}

func Register() { table{}.Register("other") }
`

// A package without maps and locks registers while it is initialised, and in a goroutine.
// What a file for another system may call by the same name shows no thread.
func TestRegistered(t *testing.T) {
	want := []string{"kinds.go:11 medium", "kinds.go:17 medium"}
	if got := lines(analyse(t, module(t, registers), analyzer.Config{}, "./...").Findings); !slices.Equal(got, want) {
		t.Errorf("there are %v, want %v", got, want)
	}
	imports := strings.Replace(registers, "package other\n\ntype", "package other\n\nimport _ \"example.org/registers/kinds\"\n\ntype", 1)
	got := lines(analyse(t, module(t, imports), analyzer.Config{}, "./...").Findings)
	if !slices.Equal(got, want) {
		t.Errorf("with a file that may mean this one there are %v, want %v", got, want)
	}
}
