// Package fix makes the changes that fix findings. A fix is offered only in
// shapes that are known to be safe; above the code of each shape stands why it
// is. When a shape does not fit in every detail, there is no fix.
//
// What holds for all of them: the result compiles, the analysis of it does not
// repeat the finding, and nothing but the edited words changes, so that
// formatting and comments stay.
package fix

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/astutil"

	"github.com/mapguard/mapguard/analyzer/internal/check"
	"github.com/mapguard/mapguard/analyzer/internal/conduct"
)

// A Maker makes the fixes of one package.
type Maker struct {
	pass  *analysis.Pass
	in    *check.Input
	files map[*token.File]*source
	calls *calls
	// conduct knows what functions do while locks are held.
	conduct *conduct.Theory
	// away are the locks of which it is known whether they are given away.
	away map[*types.Var]bool
	// opened are the sections of the fix at hand, mutexes the variables for the new ones.
	opened  []conduct.Section
	mutexes map[mutexOf]*types.Var
	// turned are the mutexes for concurrent maps that this run brings in, unturned what speaks against one for all steps on a map,
	// and stepped the maps of which it changes steps in another way.
	turned   map[*types.Var][]*turnPlan
	unturned map[*types.Var]refusal
	stepped  map[*types.Var]bool
}

// New returns a maker for an analysed package.
func New(pass *analysis.Pass, in *check.Input) *Maker {
	m := &Maker{
		pass: pass, in: in, files: make(map[*token.File]*source), calls: newCalls(in.Pkg), conduct: conduct.New(in.Pkg), mutexes: make(map[mutexOf]*types.Var),
		turned: make(map[*types.Var][]*turnPlan), unturned: make(map[*types.Var]refusal), stepped: make(map[*types.Var]bool),
	}
	for _, f := range pass.Files {
		tok := pass.Fset.File(f.FileStart)
		m.files[tok] = &source{file: f, tok: tok}
	}
	return m
}

// A row makes the fix of one shape, or says why there is none.
type row func(*Maker, check.Finding) (*analysis.SuggestedFix, refusal)

// rows are the shapes of each category, in the order in which they are tried.
var rows = map[string][]row{
	"check-then-act":   {(*Maker).holdAcross, (*Maker).lookAgain, (*Maker).takeOut, (*Maker).takeOneOut, (*Maker).takeAtLook, (*Maker).takeAtAct, (*Maker).newMutex},
	"split-lock":       {(*Maker).holdAcross, (*Maker).recheck, (*Maker).lookAgain},
	"unguarded-access": {(*Maker).cloneBack, (*Maker).copyOfSlow, (*Maker).takeGuard, (*Maker).copyTaken, (*Maker).newMutex, (*Maker).cloneSource},
	"goroutine-race":   {(*Maker).walkCopy, (*Maker).raceGuard, (*Maker).localLock, (*Maker).localMutex, (*Maker).newMutex},
	"map-escape":       {(*Maker).cloneReturned, (*Maker).cloneHanded},
	"rlock-write":      {(*Maker).writeLock},
	"sync-map":         {(*Maker).turnAgain, alone((*Maker).goesBack), alone((*Maker).oneStep), alone((*Maker).createInTurn), (*Maker).changeInTurn},
}

// Fixes returns the changes that fix a finding, if there are any; else why there
// are none. A nil maker makes none.
func (m *Maker) Fixes(f check.Finding) ([]analysis.SuggestedFix, string) {
	if m == nil {
		return nil, ""
	}
	if rows[f.Category] == nil || f.Func == nil {
		return nil, ""
	}
	if m.source(f.Pos) == nil {
		return nil, m.advice(f, "the source differs from what was analysed, as it does in files that import C")
	}
	var why []string
	for _, r := range rows[f.Category] {
		m.opened = nil
		fix, refused := r(m, f)
		if fix != nil {
			if refused = m.apartFromOthers(); refused == "" {
				fix.TextEdits = once(fix.TextEdits)
				return []analysis.SuggestedFix{*fix}, ""
			}
		}
		if refused != "" && !slices.Contains(why, string(refused)) {
			why = append(why, string(refused))
		}
	}
	if len(why) == 0 {
		why = append(why, "no change of a known shape removes it")
	}
	return nil, m.advice(f, refusal(strings.Join(why, "; ")))
}

// once drops edits that are there already, as the same import of two sections.
func once(edits []analysis.TextEdit) []analysis.TextEdit {
	var out []analysis.TextEdit
	for _, e := range edits {
		same := func(o analysis.TextEdit) bool {
			return o.Pos == e.Pos && o.End == e.End && string(o.NewText) == string(e.NewText)
		}
		if !slices.ContainsFunc(out, same) {
			out = append(out, e)
		}
	}
	return out
}

// A source is a file that can be edited, with its text.
type source struct {
	file *ast.File
	tok  *token.File
	text []byte
	bad  bool
}

// source returns the file of a position; nil if its text is not what was
// analysed, as where a file was made from another one.
func (m *Maker) source(pos token.Pos) *source {
	s := m.files[m.pass.Fset.File(pos)]
	if s == nil || s.bad {
		return nil
	}
	if s.text == nil {
		text, err := m.pass.ReadFile(s.tok.Name())
		s.text, s.bad = text, err != nil || len(text) != s.tok.Size()
	}
	if s.bad || m.pass.Fset.Position(pos).Filename != s.tok.Name() {
		return nil
	}
	return s
}

// of returns the source of a node.
func (s *source) of(n ast.Node) string { return s.between(n.Pos(), n.End()) }

func (s *source) between(from, to token.Pos) string {
	return string(s.text[s.tok.Offset(from):s.tok.Offset(to)])
}

// line returns the line of a position in the file itself.
func (s *source) line(pos token.Pos) int { return s.tok.PositionFor(pos, false).Line }

// enclosing returns the nodes around a position, the innermost first.
func (s *source) enclosing(pos token.Pos) []ast.Node {
	path, _ := astutil.PathEnclosingInterval(s.file, pos, pos)
	return path
}

// commented reports whether a comment stands in a stretch of the file.
func (s *source) commented(from, to token.Pos) bool {
	for _, g := range s.file.Comments {
		if g.Pos() < to && from < g.End() {
			return true
		}
	}
	return false
}

func replace(n ast.Node, text string) analysis.TextEdit {
	return analysis.TextEdit{Pos: n.Pos(), End: n.End(), NewText: []byte(text)}
}

func insert(at token.Pos, text string) analysis.TextEdit {
	return analysis.TextEdit{Pos: at, End: at, NewText: []byte(text)}
}

func remove(from, to token.Pos) analysis.TextEdit { return analysis.TextEdit{Pos: from, End: to} }

// wholeLine returns the start of the line on which a stretch stands alone;
// invalid if it does not.
func (s *source) wholeLine(from, to token.Pos) token.Pos {
	start, end := s.tok.Offset(from), s.tok.Offset(to)
	for start > 0 && s.text[start-1] != '\n' {
		start--
		if c := s.text[start]; c != '\t' && c != ' ' {
			return token.NoPos
		}
	}
	for end < len(s.text) && s.text[end] != '\n' {
		if c := s.text[end]; c != '\t' && c != ' ' && c != '\r' {
			return token.NoPos
		}
		end++
	}
	return s.tok.Pos(start)
}

// nextLine returns where the line after a place begins.
func (s *source) nextLine(at token.Pos) token.Pos {
	i := s.tok.Offset(at)
	for i < len(s.text) && s.text[i] != '\n' {
		i++
	}
	return s.tok.Pos(min(i+1, len(s.text)))
}

// blank returns where the last of the empty lines ends that follow a place at the
// end of its line.
func (s *source) blank(at token.Pos) token.Pos {
	last := s.tok.Offset(at)
	for i := last; i < len(s.text) && strings.ContainsRune(" \t\r\n", rune(s.text[i])); i++ {
		if s.text[i] == '\n' {
			last = i
		}
	}
	return s.tok.Pos(last)
}
