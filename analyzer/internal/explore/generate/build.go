package generate

import "github.com/mapguard/mapguard/analyzer/internal/explore/program"

// Short forms of what the other files build.

func num(v int) program.Expr { return &program.Lit{V: v} }

func truth(b bool) program.Expr {
	if b {
		return &program.Lit{V: 1, T: program.Bool}
	}
	return &program.Lit{T: program.Bool}
}

func ref(name string) program.Expr { return &program.Ref{Name: name} }

func bin(x program.Expr, op string, y program.Expr) program.Expr {
	return &program.Bin{Op: op, X: x, Y: y}
}

func define(x program.Expr, names ...string) program.Stmt { return &program.Define{Names: names, X: x} }

func assign(name string, x program.Expr) program.Stmt {
	return &program.Assign{Names: []string{name}, X: x}
}

func ret(xs ...program.Expr) program.Stmt { return &program.Return{Xs: xs} }

func when(cond program.Expr, then ...program.Stmt) program.Stmt {
	return &program.If{Cond: cond, Then: then}
}

func take(lock int, read bool) program.Stmt {
	if read {
		return &program.LockOp{Lock: lock, Kind: program.AcquireRead}
	}
	return &program.LockOp{Lock: lock, Kind: program.Acquire}
}

func release(lock int, read bool) *program.LockOp {
	if read {
		return &program.LockOp{Lock: lock, Kind: program.ReleaseRead}
	}
	return &program.LockOp{Lock: lock, Kind: program.Release}
}

func deferred(lock int, read bool) program.Stmt {
	op := release(lock, read)
	op.Deferred = true
	return op
}

// flipped are the operators of the opposite questions.
var flipped = map[string]string{"==": "!=", "!=": "==", "<": ">=", ">=": "<"}

// not returns the opposite of a condition, as one would write it.
func not(x program.Expr) program.Expr {
	switch x := x.(type) {
	case *program.Not:
		return x.X
	case *program.Bin:
		if op, ok := flipped[x.Op]; ok {
			return &program.Bin{Op: op, X: x.X, Y: x.Y}
		}
		if x.Op == "&&" {
			return &program.Bin{Op: "||", X: not(x.X), Y: not(x.Y)}
		}
	}
	return &program.Not{X: x}
}

// zero returns a type's zero value.
func zero(t program.Type) program.Expr { return &program.Lit{T: t} }

func zeros(ts []program.Type) []program.Expr {
	var out []program.Expr
	for _, t := range ts {
		out = append(out, zero(t))
	}
	return out
}

func join(parts ...[]program.Stmt) []program.Stmt {
	var out []program.Stmt
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}

// section puts statements under a lock that is released before each return and
// at the end.
func section(lock int, read bool, body []program.Stmt) []program.Stmt {
	out := append([]program.Stmt{take(lock, read)}, unlocking(lock, read, body)...)
	if !ends(body) {
		out = append(out, release(lock, read))
	}
	return out
}

// unlocking adds the release before each return.
func unlocking(lock int, read bool, body []program.Stmt) []program.Stmt {
	var out []program.Stmt
	for _, s := range body {
		if _, ok := s.(*program.Return); ok {
			out = append(out, release(lock, read))
		}
		for _, b := range program.Blocks(s) {
			*b = unlocking(lock, read, *b)
		}
		out = append(out, s)
	}
	return out
}

// held puts statements under a lock that is released by a defer.
func held(lock int, read bool, body []program.Stmt) []program.Stmt {
	return join([]program.Stmt{take(lock, read), deferred(lock, read)}, body)
}

func ends(body []program.Stmt) bool {
	if len(body) == 0 {
		return false
	}
	_, ok := body[len(body)-1].(*program.Return)
	return ok
}
