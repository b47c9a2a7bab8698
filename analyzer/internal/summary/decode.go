package summary

import (
	"go/types"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/ownership"
)

// A decoder resolves the names of a fact against the signature of the
// function that it belongs to.
type decoder struct {
	*Codec
	fn *types.Func
}

func (d *decoder) access(a *AccessFact) access.Access {
	out := access.Access{
		Path: d.path(a.Path), Key: d.path(a.Key), Value: d.path(a.Value), Op: a.Op, Stored: a.Stored,
		Held: d.state(a.Held), Depth: a.Depth, InnerFunc: a.Func,
		Once: a.Once, Joined: a.Joined, Validated: a.Validated, Rechecked: a.Rechecked, Filled: a.Filled, ContentUsed: a.ContentUsed,
		Alive: a.Alive, Pinned: a.Pinned, Hint: a.Hint, Reported: a.Reported, Sizes: a.Sizes, Carried: a.Carried, First: a.First, NewKey: a.NewKey, Early: a.Early, When: a.When, Method: a.Method,
	}
	if a.Published {
		out.Own = ownership.Shared
	}
	return out
}

func (d *decoder) paths(ps []PathFact) []accesspath.Path {
	var out []accesspath.Path
	for _, f := range ps {
		if p := d.path(f); p.Known() {
			out = append(out, p)
		}
	}
	return out
}

func (d *decoder) path(f PathFact) accesspath.Path {
	p, t := d.root(f)
	for _, s := range f.Steps {
		if !p.Known() {
			return accesspath.Path{}
		}
		if s.Field == "" {
			p, t = d.table.Elem(p, d.key(s)), elem(t)
			continue
		}
		v := d.field(t, s)
		p, t = d.table.Field(p, v), v.Type()
	}
	return p
}

func (d *decoder) key(s StepFact) accesspath.Path {
	switch {
	case s.Param > 0:
		return d.table.Root(accesspath.Root{Kind: accesspath.Param, Fn: d.fn, Index: s.Param - 1})
	case s.Const != "":
		return d.table.Root(accesspath.Root{Kind: accesspath.Const, Const: s.Const})
	}
	return d.computed(s.Key)
}

// root resolves where a path starts, with its type.
func (d *decoder) root(f PathFact) (accesspath.Path, types.Type) {
	switch f.Root {
	case accesspath.Param:
		return d.table.Root(accesspath.Root{Kind: accesspath.Param, Fn: d.fn, Index: f.Index}), d.paramType(f.Index)
	case accesspath.Result:
		return d.table.Root(accesspath.Root{Kind: accesspath.Result, Fn: d.fn, Index: f.Index}), d.resultType(f.Index)
	case accesspath.Global:
		v := d.global(f.Pkg, f.Name)
		return d.table.Root(accesspath.Root{Kind: accesspath.Global, Obj: v}), v.Type()
	case accesspath.Const:
		return d.table.Root(accesspath.Root{Kind: accesspath.Const, Const: f.Name}), types.Typ[types.Invalid]
	}
	return accesspath.Path{}, nil
}

func (d *decoder) paramType(i int) types.Type {
	sig := d.fn.Signature()
	if recv := sig.Recv(); recv != nil {
		if i == 0 {
			return recv.Type()
		}
		i--
	}
	if i < sig.Params().Len() {
		return sig.Params().At(i).Type()
	}
	return types.Typ[types.Invalid]
}

func (d *decoder) resultType(i int) types.Type {
	if results := d.fn.Signature().Results(); i < results.Len() {
		return results.At(i).Type()
	}
	return types.Typ[types.Invalid]
}

// global finds a package-level variable. Export data may leave an unexported
// one out; a stand-in of the same name then takes its place everywhere.
func (c *Codec) global(pkg, name string) *types.Var {
	if p := c.find(pkg); p != nil {
		if v, ok := p.Scope().Lookup(name).(*types.Var); ok {
			return v
		}
	}
	return c.standIn(pkg, name, false)
}

func (c *Codec) find(path string) *types.Package {
	if c.pkg.Path() == path {
		return c.pkg
	}
	seen := make(map[*types.Package]bool)
	var walk func(p *types.Package) *types.Package
	walk = func(p *types.Package) *types.Package {
		for _, q := range p.Imports() {
			if q.Path() == path {
				return q
			}
		}
		for _, q := range p.Imports() {
			if !seen[q] {
				seen[q] = true
				if r := walk(q); r != nil {
					return r
				}
			}
		}
		return nil
	}
	return walk(c.pkg)
}

func (c *Codec) standIn(pkg, name string, field bool) *types.Var {
	id := pkg + "." + name
	v := c.missing[id]
	if v == nil {
		p := c.find(pkg)
		if p == nil {
			p = types.NewPackage(pkg, pkg)
		}
		if field {
			v = types.NewField(0, p, name, types.Typ[types.Invalid], false)
		} else {
			v = types.NewVar(0, p, name, types.Typ[types.Invalid])
		}
		c.missing[id] = v
	}
	return v
}

func (d *decoder) field(t types.Type, s StepFact) *types.Var {
	if t != nil {
		if p, ok := types.Unalias(t).Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		if st, ok := types.Unalias(t).Underlying().(*types.Struct); ok {
			for i := range st.NumFields() {
				if f := st.Field(i); f.Name() == s.Field {
					return f.Origin()
				}
			}
		}
	}
	pkg := s.Pkg
	if pkg == "" {
		pkg = d.fn.Pkg().Path()
	}
	return d.standIn(pkg, s.Field, true)
}

// elem returns the type of t's elements.
func elem(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	switch u := types.Unalias(t).Underlying().(type) {
	case *types.Map:
		return u.Elem()
	case *types.Slice:
		return u.Elem()
	case *types.Array:
		return u.Elem()
	case *types.Pointer:
		return elem(u.Elem())
	}
	return nil
}
