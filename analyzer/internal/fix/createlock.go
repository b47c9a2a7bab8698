package fix

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"unicode"
)

// house finds where the mutex is declared: beside a field, or above the first function that
// fills a package-level map. One that an earlier run has declared is used again.
func (c *creation) house() refusal {
	c.mutex = lower(c.entries.Name()) + "Mu"
	if c.entries.IsField() {
		return c.inStruct()
	}
	c.text = c.mutex
	if obj := c.m.pass.Pkg.Scope().Lookup(c.mutex); obj != nil {
		_, here := c.m.pass.Pkg.Scope().Innermost(c.is.End()).LookupParent(c.mutex, token.NoPos)
		return c.use(obj, here == obj)
	}
	for _, file := range c.m.pass.Files {
		if !c.m.freeInFile(file, c.mutex) {
			return "no name is free for the mutex"
		}
	}
	first := c.decl
	for _, o := range c.m.creators(c.entries) {
		if o.decl.Pos() < first.Pos() {
			first = o.decl
		}
	}
	at := first.Pos()
	if first.Doc != nil {
		at = first.Doc.Pos()
	}
	return c.declared(c.m.source(first.Pos()), at, "var ", "\n\n")
}

// use takes a mutex that is there already, if its comment says that it is one of these.
func (c *creation) use(obj types.Object, visible bool) refusal {
	v, ok := obj.(*types.Var)
	if !ok || !visible || v.Type().String() != "sync.Mutex" || c.m.source(v.Pos()) == nil {
		return "no name is free for the mutex"
	}
	src := c.m.source(v.Pos())
	for _, g := range src.file.Comments {
		if g.Text() == strings.TrimPrefix(c.comment(), "// ")+"\n" && src.line(g.End())+1 == src.line(v.Pos()) {
			c.lock = v
			return ""
		}
	}
	return "no name is free for the mutex"
}

// held is the mutex's variable, also where it is not declared yet.
func (c *creation) held() *types.Var {
	if c.lock != nil {
		return c.lock
	}
	return c.m.newLock(c.mutex, c.entries)
}

func (c *creation) comment() string {
	return "// " + c.mutex + " is held while an entry of " + c.entries.Name() + " is made, so that no other goroutine makes it, too."
}

// declared makes the edits that declare the mutex at a place.
func (c *creation) declared(src *source, at token.Pos, word, end string) refusal {
	if src == nil || generated(src.file) {
		return "the declaration is in a generated file"
	}
	mutex, imports := c.m.library(&scene{m: c.m, src: src}, "sync", "Mutex")
	if mutex == "" {
		return "the package sync is not to be had in the file"
	}
	lead, indent := src.lead(at)
	c.declare = append(imports, insert(at, lead+c.comment()+"\n"+indent+word+c.mutex+" "+mutex+end+indent))
	return ""
}

// inStruct declares the mutex in front of the map's field. Each object has a mutex and a map: the map is a value, or
// put there while the object is made.
func (c *creation) inStruct() refusal {
	v := c.entries
	src := c.m.source(v.Pos())
	if v.Pkg() != c.m.pass.Pkg || src == nil || v.Origin() != v {
		return "the map belongs to another package, or its struct is generic"
	}
	path := src.enclosing(v.Pos())
	i := slices.IndexFunc(path, func(n ast.Node) bool { _, ok := n.(*ast.StructType); return ok })
	if i < 0 {
		return "the struct has no name"
	}
	st := path[i].(*ast.StructType)
	named, refused := c.structOf(st, path[i+1:])
	if refused != "" {
		return refused
	}
	c.text = c.src.of(c.owner) + "." + c.mutex
	if obj, index, _ := types.LookupFieldOrMethod(types.NewPointer(named), true, c.m.pass.Pkg, c.mutex); obj != nil {
		return c.use(obj, len(index) == 1)
	}
	if refused := c.m.copied(named); refused != "" {
		return refused
	}
	if _, value := v.Type().Underlying().(*types.Struct); !value && !c.ofItsOwn() {
		return refusal("objects may share what is in " + v.Name() + ", and each would have a mutex of its own")
	}
	for _, f := range st.Fields.List {
		if within(f, v.Pos()) {
			at := f.Pos()
			if f.Doc != nil {
				at = f.Doc.Pos()
			}
			return c.declared(src, at, "", "\n")
		}
	}
	return "the map is not declared as a field of its own"
}

// structOf returns the type of this package that a struct is.
func (c *creation) structOf(st *ast.StructType, around []ast.Node) (*types.Named, refusal) {
	for _, n := range around {
		spec, ok := n.(*ast.TypeSpec)
		if !ok || spec.Type != ast.Expr(st) {
			continue
		}
		tn, _ := c.m.pass.TypesInfo.Defs[spec.Name].(*types.TypeName)
		if tn == nil {
			break
		}
		named, ok := tn.Type().(*types.Named)
		if !ok || named.TypeParams().Len() > 0 {
			return nil, "the struct is generic"
		}
		if tn.Parent() != c.m.pass.Pkg.Scope() {
			break
		}
		return named, ""
	}
	return nil, "the struct has no name"
}

// ofItsOwn reports whether the package puts into the field only maps that it makes together
// with the object.
func (c *creation) ofItsOwn() bool {
	values, ok := c.m.putInto(c.entries)
	t := &twoStep{m: c.m, body: c.body}
	for _, v := range values {
		ok = ok && v.made && t.madeByCall(v.x) && !isNil(c.body.info, v.x)
	}
	return ok && len(values) > 0 && !c.entries.Exported()
}

// lower begins a name with a small letter: DBCache becomes dbCache.
func lower(name string) string {
	r := []rune(name)
	for i := range r {
		if !unicode.IsUpper(r[i]) || i > 0 && i+1 < len(r) && !unicode.IsUpper(r[i+1]) {
			break
		}
		r[i] = unicode.ToLower(r[i])
	}
	return string(r)
}

// creators returns the functions that fill a map in the shape of createInTurn: those that may
// take its mutex in the same run.
func (m *Maker) creators(entries *types.Var) []*creation {
	var out []*creation
	for _, v := range m.in.Pairs() {
		if c, _ := m.creation(v); c != nil && c.entries == entries {
			out = append(out, c)
		}
	}
	return out
}
