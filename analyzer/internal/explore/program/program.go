// Package program is the language of the programs that the differential test
// generates: a small part of Go, with maps and locks that many goroutines
// share, and a printer that writes it as Go source.
package program

// A Type is the type of a variable, a parameter, or a map's elements. All keys
// are ints.
type Type int

// The types. An Item is a pointer to a struct with one field, n.
const (
	Int Type = iota
	Bool
	Item
)

// String returns the type as Go writes it.
func (t Type) String() string { return [...]string{"int", "bool", "*item"}[t] }

// A Program is one package: a struct type with maps and locks, its methods,
// and what shows that goroutines share a value of it.
type Program struct {
	// Documented: the type's comment says that it is safe for concurrent use.
	// Where it does not, Main starts the goroutines.
	Documented bool
	// Global: maps and locks are package-level variables, methods functions.
	Global bool
	Maps   []*Map
	Locks  []*Lock
	// Owners is the number of goroutines that run requests. One of them makes
	// requests as good as a lock; two do not.
	Owners int
	// Funcs are the methods: operations, helpers and handlers of requests.
	Funcs []*Func
	// Main starts goroutines, nil where Documented.
	Main *Func
	// Objects is the number of values of the type that Main makes.
	Objects int
	// Seed is where the program comes from, Tags the features that it has.
	Seed int64
	Tags []string
}

// A Map is a field that holds a map.
type Map struct {
	Name string
	Elem Type
	// Lazy: the constructor leaves it nil.
	Lazy bool
}

// A Lock is a mutex field.
type Lock struct {
	Name string
	RW   bool
	// Above: it is declared before the maps.
	Above bool
}

// A Func is a method, or a function literal that a go statement starts.
type Func struct {
	Name    string
	Params  []Param
	Results []Type
	Body    []Stmt
	// Op: its calls are operations, the units of a serial execution.
	Op bool
	// Handler: it runs in the goroutine that owns the maps. A call is a
	// request.
	Handler bool
	// Literal: it is printed where it is started.
	Literal bool
}

// A Param is a parameter.
type Param struct {
	Name string
	Type Type
}

// An Expr is an expression. Those that read a map are steps of their own.
type Expr interface{ expr() }

// Expressions.
type (
	// A Lit is a constant; of type Item, it is nil.
	Lit struct {
		V int
		T Type
	}
	// A Ref is a variable.
	Ref struct{ Name string }
	// A Not is !X.
	Not struct{ X Expr }
	// A Bin is X Op Y, Op one of + == != < > >= && ||.
	Bin struct {
		Op   string
		X, Y Expr
	}
	// An Index looks an entry up.
	Index struct {
		Map int
		Key Expr
	}
	// A Len measures a map.
	Len struct{ Map int }
	// An IsNil asks whether a map has been made.
	IsNil struct{ Map int }
	// A NewItem allocates an item.
	NewItem struct{ N Expr }
	// A Field reads the field of an item.
	Field struct{ X Expr }
	// A Call calls a method of the same object, in Main that of object Obj.
	Call struct {
		F    *Func
		Args []Expr
		Obj  int
	}
)

func (*Lit) expr()     {}
func (*Ref) expr()     {}
func (*Not) expr()     {}
func (*Bin) expr()     {}
func (*Index) expr()   {}
func (*Len) expr()     {}
func (*IsNil) expr()   {}
func (*NewItem) expr() {}
func (*Field) expr()   {}
func (*Call) expr()    {}

// A Stmt is a statement. Statements are compared as pointers: each occurs once.
type Stmt interface{ stmt() }

// A LockKind says what a LockOp does.
type LockKind int

// What a LockOp does.
const (
	Acquire LockKind = iota
	AcquireRead
	Release
	ReleaseRead
)

// String returns the method's name.
func (k LockKind) String() string { return [...]string{"Lock", "RLock", "Unlock", "RUnlock"}[k] }

// Statements.
type (
	// A Define declares variables. With two names, X is an Index, and the
	// second one says whether the entry is there, or X is a Call.
	Define struct {
		Names []string
		X     Expr
	}
	// A Var declares a variable with its zero value.
	Var struct {
		Name string
		T    Type
	}
	// An Assign sets variables, like a Define.
	Assign struct {
		Names []string
		X     Expr
	}
	// A Set inserts or overwrites an entry.
	Set struct {
		Map    int
		Key, X Expr
	}
	// An Add adds to an entry.
	Add struct {
		Map    int
		Key, X Expr
	}
	// A Delete deletes an entry.
	Delete struct {
		Map int
		Key Expr
	}
	// A Clear empties a map.
	Clear struct{ Map int }
	// A Make assigns a new map.
	Make struct{ Map int }
	// A SetField adds X to the field of an item.
	SetField struct{ Item, X Expr }
	// A LockOp takes or releases a lock.
	LockOp struct {
		Lock     int
		Kind     LockKind
		Deferred bool
	}
	// An If has a condition, and an optional definition before it. Dead: the
	// condition is meant never to hold.
	If struct {
		Dead       bool
		Init       *Define
		Cond       Expr
		Then, Else []Stmt
	}
	// A Range goes through a map's entries.
	Range struct {
		Map  int
		K, V string
		Body []Stmt
	}
	// A Loop runs its body N times; Var counts from 0, if it has a name.
	Loop struct {
		Var  string
		N    int
		Body []Stmt
	}
	// A Return leaves the function.
	Return struct{ Xs []Expr }
	// A Do calls a method and drops its results.
	Do struct{ Call *Call }
	// An Emit calls back the user of the object, who counts the keys.
	Emit struct{ Key Expr }
	// A Within runs a closure under a lock, or as the owner if Lock is Owner.
	Within struct {
		Lock int
		Read bool
		Body []Stmt
	}
	// A Go starts a goroutine. Join says what ends it.
	Go struct {
		Call *Call
		Join Join
	}
	// A Wait waits for all goroutines of a WaitGroup, or receives N times.
	Wait struct {
		Join Join
		N    int
	}
	// A Unit makes its statements one operation; it is not seen in the source.
	Unit struct{ Body []Stmt }
)

// Owner stands for a lock where the goroutine that owns the maps runs a
// closure.
const Owner = -1

// A Join is a way to wait for a goroutine.
type Join int

// Ways to wait for a goroutine.
const (
	NoJoin Join = iota
	WaitGroup
	WaitGroupGo
	Channel
)

func (*Define) stmt()   {}
func (*Var) stmt()      {}
func (*Assign) stmt()   {}
func (*Set) stmt()      {}
func (*Add) stmt()      {}
func (*Delete) stmt()   {}
func (*Clear) stmt()    {}
func (*Make) stmt()     {}
func (*SetField) stmt() {}
func (*LockOp) stmt()   {}
func (*If) stmt()       {}
func (*Range) stmt()    {}
func (*Loop) stmt()     {}
func (*Return) stmt()   {}
func (*Do) stmt()       {}
func (*Emit) stmt()     {}
func (*Within) stmt()   {}
func (*Go) stmt()       {}
func (*Wait) stmt()     {}
func (*Unit) stmt()     {}

// Ops returns the operations.
func (p *Program) Ops() []*Func {
	var out []*Func
	for _, f := range p.Funcs {
		if f.Op {
			out = append(out, f)
		}
	}
	return out
}
