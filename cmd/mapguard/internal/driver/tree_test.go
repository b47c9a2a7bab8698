package driver

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestScan reads names in a file: those that a declaration gives its function are not mentioned.
func TestScan(t *testing.T) {
	const src = `package a

import "example.org/lib"

type Shelf struct{ lib.Rack }

// Open is here.
func Open[T lib.Item](x func() Loan) (Book, error) { return x().Borrow(func(Reader) {}) }

func (s *Shelf) MarshalJSON() ([]byte, error) { return s.Encode() }
func (Shelf) Close() error { return nil }
func New() *Shelf { return new(Shelf) }

var hook func(Hook) Given = Made

type own interface{ Method(Argument) }
`
	tr := &tree{cfg: &Config{Overlay: map[string][]byte{"a.go": []byte(src)}}, graph: newImportGraph()}
	names := newMentions()
	if err := tr.scan("a.go", ".", &names); err != nil {
		t.Fatal(err)
	}
	got := strings.Join(slices.Sorted(maps.Keys(names.from)), " ")
	const want = " Argument Book Borrow Encode Given Hook Item Loan Made Method Rack Reader Shelf T"
	if got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if !names.has("example.org/lib", "", "Rack", false, tr.graph) || names.has("example.org/lib", "", "Open", false, tr.graph) {
		t.Error("Rack is not mentioned with its package, or Open is")
	}
}
