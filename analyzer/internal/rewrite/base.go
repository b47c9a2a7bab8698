package rewrite

// A mode says how a critical section holds the lock.
type mode int

const (
	none mode = iota
	read
	write
)

// A shape is what an operation consists of.
type shape int

const (
	lookThenAct shape = iota
	onlyAct
	onlyLook
	raceInLoop    // goroutines of one loop write
	raceWithOwner // a goroutine writes while its starter reads
)

// A question is what a look asks of the map.
type question int

const (
	present question = iota // is there an entry?
	value                   // what does the entry hold?
	size                    // how many entries are there?
	whole                   // the map itself, or a copy of it
)

// A variable is a name with its type.
type variable struct{ name, typ string }

// A base is one bug and its right twin, before any rewrite. The text in it is
// Go; the key is always k, and the look's answer lies in vars.
type base struct {
	name  string
	op    string // the function with the bug
	shape shape
	elem  string     // what the map holds
	extra []variable // the operation's parameters behind the key
	// result is what the operation returns, onHit where the look says that
	// there is nothing to do, onDone after the act.
	result, onHit, onDone string

	question  question
	walks     bool // the plain look goes over all entries
	vars      []variable
	hit, miss string // conditions over vars; empty when the act comes in any case

	made  string // the statement that makes the value
	value string // what the act inserts; empty when it deletes

	look, act mode // the sections of the wrong form
	again     bool // the right twin looks again under the lock of its act; else one section covers both
	sync      bool // the map is a sync.Map
}

var (
	itemAndOK = []variable{{"v", "*Item"}, {"ok", "bool"}}
	anyAndOK  = []variable{{"v", "any"}, {"ok", "bool"}}
	onlyOK    = []variable{{"ok", "bool"}}
	number    = []variable{{"n", "int"}}
	current   = []variable{{"cur", "string"}}
	owner     = []variable{{"owner", "string"}}
)

// create is get-or-create of an object that callers go on to use.
func create(name string, look, act mode, again bool) *base {
	return &base{
		name: name, op: "Ensure", elem: "*Item", result: "*Item", onHit: "v", onDone: "item",
		vars: itemAndOK, hit: "ok", miss: "!ok", made: "item := NewItem(string(k))", value: "item",
		look: look, act: act, again: again,
	}
}

// claim refuses when the entry is there, and inserts it when not.
func claim(name string, look, act mode, again bool) *base {
	return &base{
		name: name, op: "Claim", elem: "string", extra: owner, result: "bool", onHit: "false", onDone: "true",
		vars: onlyOK, hit: "ok", miss: "!ok", value: "owner", look: look, act: act, again: again,
	}
}

// take removes an entry and hands it to one caller.
func take(name string, look, act mode, again bool) *base {
	return &base{
		name: name, op: "Take", elem: "*Item", result: "*Item", onHit: "nil", onDone: "v",
		vars: itemAndOK, hit: "!ok", miss: "ok", look: look, act: act, again: again,
	}
}

// bases are all bugs.
func bases() []*base {
	all := []*base{
		create("create-unlocked-look", none, write, false),
		create("create-unlocked-act", read, none, false),
		create("create-unlocked", none, none, false),
		create("create-split", read, write, true),
		create("create-unlock-between", write, write, false),
		claim("claim-split", read, write, true),
		claim("claim-unlocked", none, none, false),
		take("take-split", write, write, false),
		{
			name: "count-split", op: "Add", elem: "int", extra: []variable{{"d", "int"}}, result: "int", onDone: "n + d",
			question: value, vars: number, value: "n + d", look: read, act: write,
		},
		{
			name: "limit-split", op: "Join", elem: "string", extra: owner, result: "bool", onHit: "false", onDone: "true",
			question: size, vars: number, hit: "n >= Limit", miss: "n < Limit", value: "owner", look: write, act: write,
		},
		{
			name: "release-split", op: "Release", elem: "string", extra: owner, result: "bool", onHit: "false", onDone: "true",
			question: value, vars: current, hit: "cur != owner", miss: "cur == owner", look: read, act: write, again: true,
		},
	}
	return append(append(all, syncBases()...), singleBases()...)
}

// syncBases are the bugs on a sync.Map.
func syncBases() []*base {
	ensure, hold, remove := create("sync-create", none, none, true), claim("sync-claim", none, none, true), take("sync-take", none, none, true)
	ensure.vars, ensure.onHit, ensure.sync = anyAndOK, "v.(*Item)", true
	hold.sync = true
	remove.vars, remove.onDone, remove.sync = anyAndOK, "v.(*Item)", true
	return []*base{ensure, hold, remove}
}

// singleBases are the bugs of one access.
func singleBases() []*base {
	return []*base{
		{
			name: "rlock-write", op: "Set", shape: onlyAct, elem: "string", extra: owner, result: "bool", onDone: "true",
			value: "owner", act: read,
		},
		{
			name: "unguarded-write", op: "Set", shape: onlyAct, elem: "string", extra: owner, result: "bool", onDone: "true",
			value: "owner", act: none,
		},
		{
			name: "unguarded-read", op: "Owner", shape: onlyLook, elem: "string", result: "string", onDone: "cur",
			question: value, vars: current, look: none,
		},
		{
			// A length alone is one word, and low without the lock.
			name: "unguarded-walk", op: "Free", shape: onlyLook, elem: "string", result: "int", onDone: "Limit - n",
			question: size, walks: true, vars: number, look: none,
		},
		{
			name: "escape", op: "All", shape: onlyLook, elem: "string", result: "map[$K]string", onDone: "all",
			question: whole, vars: []variable{{"all", "map[$K]string"}}, look: read,
		},
		{
			name: "race-loop", op: "Collect", shape: raceInLoop, elem: "int", result: "map[$K]int", value: "len(k)", onDone: "m",
		},
		{
			name: "race-owner", op: "Collect", shape: raceWithOwner, elem: "int", result: "int", value: "len(k)",
			question: size, vars: number, onDone: "n",
		},
	}
}

// racing reports whether the map is a local one that goroutines share.
func (b *base) racing() bool { return b.shape == raceInLoop || b.shape == raceWithOwner }

// looks and acts report what the operation does.
func (b *base) looks() bool { return b.shape == lookThenAct || b.shape == onlyLook }

func (b *base) acts() bool { return b.shape != onlyLook }
