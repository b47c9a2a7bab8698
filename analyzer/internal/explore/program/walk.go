package program

// Blocks returns the statement lists inside a statement. They can be changed.
func Blocks(s Stmt) []*[]Stmt {
	switch s := s.(type) {
	case *If:
		return []*[]Stmt{&s.Then, &s.Else}
	case *Range:
		return []*[]Stmt{&s.Body}
	case *Loop:
		return []*[]Stmt{&s.Body}
	case *Within:
		return []*[]Stmt{&s.Body}
	case *Unit:
		return []*[]Stmt{&s.Body}
	case *Go:
		if s.Call.F.Literal {
			return []*[]Stmt{&s.Call.F.Body}
		}
	}
	return nil
}

// Exprs returns the expressions that stand in a statement itself.
func Exprs(s Stmt) []Expr {
	switch s := s.(type) {
	case *Define:
		return []Expr{s.X}
	case *Assign:
		return []Expr{s.X}
	case *Set:
		return []Expr{s.Key, s.X}
	case *Add:
		return []Expr{s.Key, s.X}
	case *Delete:
		return []Expr{s.Key}
	case *SetField:
		return []Expr{s.Item, s.X}
	case *If:
		if s.Init != nil {
			return []Expr{s.Init.X, s.Cond}
		}
		return []Expr{s.Cond}
	case *Return:
		return s.Xs
	case *Do:
		return []Expr{s.Call}
	case *Go:
		return []Expr{s.Call}
	case *Emit:
		return []Expr{s.Key}
	}
	return nil
}

// operands returns the operands of an expression.
func operands(x Expr) []Expr {
	switch x := x.(type) {
	case *Not:
		return []Expr{x.X}
	case *Bin:
		return []Expr{x.X, x.Y}
	case *Index:
		return []Expr{x.Key}
	case *NewItem:
		return []Expr{x.N}
	case *Field:
		return []Expr{x.X}
	case *Call:
		return x.Args
	}
	return nil
}

// Each calls visit for all statements of a list, outer ones first, those of
// literals included.
func Each(body []Stmt, visit func(Stmt)) {
	for _, s := range body {
		visit(s)
		for _, b := range Blocks(s) {
			Each(*b, visit)
		}
	}
}

// EachExpr calls visit for all expressions of a list of statements.
func EachExpr(body []Stmt, visit func(Expr)) {
	var walk func(Expr)
	walk = func(x Expr) {
		visit(x)
		for _, y := range operands(x) {
			walk(y)
		}
	}
	Each(body, func(s Stmt) {
		for _, x := range Exprs(s) {
			walk(x)
		}
	})
}

// bodies returns the bodies of all functions, Main's last.
func (p *Program) bodies() [][]Stmt {
	var out [][]Stmt
	for _, f := range p.Funcs {
		out = append(out, f.Body)
	}
	if p.Main != nil {
		out = append(out, p.Main.Body)
	}
	return out
}

// Any reports whether the program has a statement like that.
func (p *Program) Any(like func(Stmt) bool) bool {
	found := false
	for _, body := range p.bodies() {
		Each(body, func(s Stmt) { found = found || like(s) })
	}
	return found
}

// Calls reports whether the program calls f.
func (p *Program) Calls(f *Func) bool {
	found := false
	for _, body := range p.bodies() {
		EachExpr(body, func(x Expr) {
			c, ok := x.(*Call)
			found = found || ok && c.F == f
		})
	}
	return found
}

// A decl is one name that a statement declares.
type decl struct {
	stmt Stmt
	i    int
}

// used returns the variables of a body that something reads.
func used(body []Stmt) map[decl]bool {
	r := &resolver{used: make(map[decl]bool)}
	r.block(body)
	return r.used
}

// A resolver finds the declaration that a name means.
type resolver struct {
	scopes []map[string]decl
	used   map[decl]bool
}

func (r *resolver) block(body []Stmt, names ...map[string]decl) {
	depth := len(r.scopes)
	r.scopes = append(r.scopes, names...)
	r.scopes = append(r.scopes, make(map[string]decl))
	for _, s := range body {
		r.statement(s)
	}
	r.scopes = r.scopes[:depth]
}

func (r *resolver) statement(s Stmt) {
	if s, ok := s.(*If); ok && s.Init != nil {
		r.read(s.Init.X)
		scope := declared(s.Init, s.Init.Names...)
		r.scopes = append(r.scopes, scope)
		r.read(s.Cond)
		r.scopes = r.scopes[:len(r.scopes)-1]
		r.block(s.Then, scope)
		r.block(s.Else, scope)
		return
	}
	for _, x := range Exprs(s) {
		r.read(x)
	}
	own := make(map[string]decl)
	switch s := s.(type) {
	case *Define:
		r.declare(s, s.Names...)
	case *Var:
		r.declare(s, s.Name)
	case *Range:
		own = declared(s, s.K, s.V)
	case *Loop:
		own = declared(s, s.Var)
	}
	if _, ok := s.(*Unit); ok {
		for _, inner := range *Blocks(s)[0] {
			r.statement(inner)
		}
		return
	}
	for _, b := range Blocks(s) {
		r.block(*b, own)
	}
}

func declared(s Stmt, names ...string) map[string]decl {
	out := make(map[string]decl)
	for i, n := range names {
		out[n] = decl{s, i}
	}
	return out
}

func (r *resolver) declare(s Stmt, names ...string) {
	for i, n := range names {
		r.scopes[len(r.scopes)-1][n] = decl{s, i}
	}
}

func (r *resolver) read(x Expr) {
	if ref, ok := x.(*Ref); ok {
		for i := len(r.scopes) - 1; i >= 0; i-- {
			if d, ok := r.scopes[i][ref.Name]; ok {
				r.used[d] = true
				return
			}
		}
	}
	for _, y := range operands(x) {
		r.read(y)
	}
}
