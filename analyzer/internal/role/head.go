package role

import (
	"go/ast"
	"go/types"
	"regexp"
	"sort"
	"strings"
)

// heldHere is what the comment at the beginning of a body says of the locks with which the
// function is called; of what follows, other sentences speak.
var heldHere = regexp.MustCompile(`(?i)^(?:(?:the |this )?(?:\w+\.)*(?:\w*(?:lock|mutex|mu|mtx))\b[^.]{0,30}\b(?:(?:is|already|be) )+(?:held|locked)\b|(?:it is |is )?already (?:locked|(?:holding|under|in) (?:the |a )?(?:\w+\.)*\w*(?:lock|mutex|mu))|callers?\b[^.]*\b(?:holds?|locks?|locked|holding)\b|(?:must|should) (?:be called )?(?:with|under|hold(?:ing)?)\b[^.]*(?:lock|mutex|mu)\b)`)

// notHere is what takes it back.
var notHere = regexp.MustCompile(`(?i)\b(?:not|never|if|unless|whether|n't|until|when|while)\b`)

// readHeads notes the comments with which the bodies of a file's functions begin, but for
// those of functions that begin by taking a lock: they speak of that one. Complexity:
// n log n in the comments of the file.
func (x *Index) readHeads(f *ast.File, info *types.Info) {
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil || len(fn.Body.List) == 0 || beginsWithLock(fn.Body.List[0]) {
			continue
		}
		first := fn.Body.List[0].Pos()
		i := sort.Search(len(f.Comments), func(i int) bool { return f.Comments[i].Pos() > fn.Body.Lbrace })
		if i < len(f.Comments) && f.Comments[i].End() <= first {
			if obj := info.Defs[fn.Name]; obj != nil {
				x.heads[obj] = f.Comments[i].Text()
			}
		}
	}
}

// beginsWithLock reports whether a statement calls a method that takes a lock, by its name.
func beginsWithLock(s ast.Stmt) bool {
	e, ok := s.(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := e.X.(*ast.CallExpr)
	if !ok {
		return false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	return ok && strings.Contains(strings.ToLower(sel.Sel.Name), "lock")
}

// saysHeld reports whether the comment at the beginning of a body says that callers hold the
// lock.
func saysHeld(head string) bool {
	head, _, _ = strings.Cut(strings.TrimSpace(strings.Join(strings.Fields(head), " ")), ". ")
	return heldHere.MatchString(head) && !notHere.MatchString(head)
}
