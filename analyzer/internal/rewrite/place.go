package rewrite

import "strings"

// A place is where the map and its lock live. In its declarations $MAP, $LOCK,
// $K and $V stand for types, $MAKE for a new map; lines with $LOCK are left out
// for a sync.Map, and lines with $MAKE as well.
type place struct {
	recv string // the receiver of the operations; empty for functions
	self string // what a call of an operation begins with
	m    string // the map
	mu   string // the lock
	ptr  string // a pointer to the lock
	// others is the lock as all other functions write it, if not as mu.
	others string
	named  string   // the name of the map's type
	plain  bool     // the lock has no read mode
	local  []string // the statements that declare a local map
	owner  string   // the type that is shared
	decls  string
}

// fieldPlace is the plain place: fields of a struct.
func fieldPlace() place {
	return inStruct("c.m", "c.mu", `
// Cache holds entries by key.
type Cache struct {
	mu $LOCK
	m $MAP
}
// NewCache returns an empty cache.
func NewCache() *Cache {
	c := new(Cache)
	c.m = $MAKE
	return c
}`)
}

// localPlace is that of a race: variables of the function.
func localPlace() place {
	return place{m: "m", mu: "mu", ptr: "&mu", local: []string{"m := make(map[$K]int)"}}
}

func inStruct(m, mu, decls string) place {
	return place{recv: "c *Cache", self: "c.", m: m, mu: mu, ptr: "&" + mu, owner: "*Cache", decls: decls}
}

func inPackage(m, mu, decls string) place {
	return place{m: m, mu: mu, ptr: "&" + mu, decls: decls}
}

// structure returns the place in a struct whose type declarations and
// constructor lines are given.
func structure(m, mu, fields, make string) place {
	return inStruct(m, mu, `
// Cache holds entries by key.
type Cache struct {
`+fields+`
}
// NewCache returns an empty cache.
func NewCache() *Cache {
	c := new(Cache)
`+make+`
	return c
}`)
}

// with adds declarations.
func (pl place) with(decls string) place {
	pl.decls += "\n" + decls
	return pl
}

// inType puts the operations on a type with parameters.
func (pl place) inType(recv, owner string) place {
	pl.recv, pl.owner = recv, owner
	return pl
}

// declarations are the place's own declarations for a plan.
func (pl place) declarations(p *plan) string {
	var out []string
	for line := range strings.Lines(pl.decls) {
		if p.base.sync && (strings.Contains(line, "$LOCK") || strings.Contains(line, "$MAKE")) {
			continue // a sync.Map needs neither
		}
		out = append(out, strings.ReplaceAll(line, "$MAKE", "make($MAP)"))
	}
	return strings.Join(out, "")
}

// at returns the rewrite that moves map and lock to a place.
func at(name string, pl place) option {
	return option{name, func(p *plan) bool {
		p.place = pl
		p.rw = !pl.plain
		keyed := strings.Contains(pl.m, "k)")
		return !p.base.racing() && !(p.base.sync && noSync(pl)) && !(keyed && p.base.question == whole)
	}}
}

// noSync reports whether a place differs from another only in its lock, or
// in the type of the map.
func noSync(pl place) bool {
	return pl.named != "" || pl.others != "" || !strings.Contains(pl.decls, "$LOCK")
}

const part8 = `
type part struct {
	mu $LOCK
	m $MAP
}
func index(k string) int { return len(k) % 8 }
`

// places are the rewrites that move map and lock.
func places() []option {
	return append(typePlaces(), packagePlaces()...)
}

func typePlaces() []option {
	return []option{
		at("map-first", structure("c.m", "c.mu", "m $MAP\n\nmu $LOCK", "c.m = $MAKE")),
		at("embedded-mutex", embedded()),
		at("embedded-struct", structure("c.m", "c.mu", "core", "c.m = $MAKE").with("type core struct {\n\tmu $LOCK\n\tm $MAP\n}")),
		at("embedded-pointer", structure("c.m", "c.mu", "*core", "c.core = new(core)\nc.m = $MAKE").with("type core struct {\n\tmu $LOCK\n\tm $MAP\n}")),
		at("anonymous-struct", structure("c.state.m", "c.state.mu", "state struct {\nmu $LOCK\nm $MAP\n}", "c.state.m = $MAKE")),
		at("deep-struct", structure("c.a.b.m", "c.a.b.mu", "a outer", "c.a.b.m = $MAKE").with("type outer struct{ b inner }\ntype inner struct {\n\tmu $LOCK\n\tm $MAP\n}")),
		at("parent-lock", structure("c.in.m", "c.mu", "mu $LOCK\nin table", "c.in.m = $MAKE").with("type table struct{ m $MAP }")),
		at("parent-lock-pointer", structure("c.in.m", "c.mu", "mu $LOCK\nin *table", "c.in = new(table)\nc.in.m = $MAKE").with("type table struct{ m $MAP }")),
		at("mutex-pointer", mutexPointer()),
		at("own-mutex", structure("c.m", "c.mu", "mu lock\nm $MAP", "c.m = $MAKE").with(ownMutex)),
		at("embedding-mutex-type", structure("c.m", "c.mu", "mu lock\nm $MAP", "c.m = $MAKE").with("type lock struct {\n\t$LOCK\n\tname string\n}")),
		at("cond", condition("c.cond.L", "")),
		at("cond-alias", condition("c.cond.L", "c.mu")),
		at("named-map", ofType(structure("c.m", "c.mu", "mu $LOCK\nm table", "c.m = $MAKE").with("type table map[$K]$V"))),
		at("map-pointer", structure("(*c.m)", "c.mu", "mu $LOCK\nm *$MAP", "c.m = new($MAP)\n*c.m = $MAKE")),
		at("slice-element", structure("c.parts[index(string(k))].m", "c.parts[index(string(k))].mu", "parts []*part", "for range 8 {\nd := new(part)\nd.m = $MAKE\nc.parts = append(c.parts, d)\n}").with(part8)),
		at("array-element", structure("c.parts[index(string(k))].m", "c.parts[index(string(k))].mu", "parts [8]part", "for i := range c.parts {\nc.parts[i].init()\n}").with(part8+"func (d *part) init() {\n\td.m = $MAKE\n}")),
		at("shards", structure("c.shard(k).m", "c.shard(k).mu", "parts []*part", "for range 8 {\nd := new(part)\nd.m = $MAKE\nc.parts = append(c.parts, d)\n}").with(part8+"func (c *Cache) shard(k $K) *part { return c.parts[index(string(k))] }")),
		{"generic-type", func(p *plan) bool {
			p.place = fieldPlace().inType("c *Cache[K]", "*Cache[K]")
			p.place.decls = strings.NewReplacer("type Cache", "type Cache[K ~string]", "*Cache", "*Cache[K]", "NewCache()", "NewCache[K ~string]()", "new(Cache)", "new(Cache[K])").Replace(p.place.decls)
			p.key = "K"
			return !p.base.racing()
		}},
	}
}

func packagePlaces() []option {
	return []option{
		at("package-vars", inPackage("entries", "entriesMu", "var entriesMu $LOCK\n\nvar entries $MAP\nfunc init() {\nentries = $MAKE\n}")),
		{"package-literal", func(p *plan) bool {
			p.place = inPackage("entries", "mu", "var (\nmu $LOCK\nentries = map[$K]$V{}\n)")
			return !p.base.racing() && !p.base.sync
		}},
		at("package-struct", inPackage("state.m", "state.mu", "var state struct {\nmu $LOCK\nm $MAP\n}\nfunc init() {\nstate.m = $MAKE\n}")),
		at("package-pointer", global(fieldPlace())),
		at("package-lock", structure("c.m", "cachesMu", "m $MAP", "c.m = $MAKE").with("// cachesMu protects the entries of all caches.\nvar cachesMu $LOCK")),
	}
}

func embedded() place {
	pl := structure("c.m", "c", "$LOCK\nm $MAP", "c.m = $MAKE")
	pl.ptr = "c"
	return pl
}

func mutexPointer() place {
	pl := structure("c.m", "c.mu", "mu *$LOCK\nm $MAP", "c.mu = new($LOCK)\nc.m = $MAKE")
	pl.ptr = "c.mu"
	return pl
}

// condition puts the lock into a sync.Cond.
func condition(mu, others string) place {
	pl := structure("c.m", mu, "mu sync.Mutex\ncond *sync.Cond\nm $MAP", "c.cond = sync.NewCond(&c.mu)\nc.m = $MAKE")
	pl.ptr, pl.others, pl.plain = mu, others, true
	return pl
}

func ofType(pl place) place {
	pl.named = "table"
	return pl
}

// global makes a struct's operations functions on a variable.
func global(pl place) place {
	out := inPackage("std.m", "std.mu", pl.decls)
	return out.with("var std = NewCache()")
}

const ownMutex = `
// A lock is a read-write lock that counts how often it was taken.
type lock struct {
	inner sync.RWMutex
	taken atomic.Int64
}
func (l *lock) Lock() { l.inner.Lock(); l.taken.Add(1) }
func (l *lock) Unlock() { l.inner.Unlock() }
func (l *lock) TryLock() bool { return l.inner.TryLock() }
func (l *lock) TryRLock() bool { return l.inner.TryRLock() }
func (l *lock) RLock() { l.inner.RLock() }
func (l *lock) RUnlock() { l.inner.RUnlock() }
func (l *lock) RLocker() sync.Locker { return l.inner.RLocker() }
`
