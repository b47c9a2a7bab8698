// Package initialisation pins that what runs before anything else, or once,
// needs no lock.
package initialisation

import "sync"

type conn struct{ id int }

var (
	tableMu sync.Mutex
	table   = map[string]*conn{} // guarded by tableMu
	filled  = fillOk()
	literal = func() map[string]*conn {
		if table["l"] == nil {
			table["l"] = &conn{}
		}
		return table
	}()
)

// fillOk is only called from a variable's initialiser.
func fillOk() bool {
	if table["f"] == nil {
		table["f"] = &conn{}
	}
	return true
}

func init() {
	if table["a"] == nil {
		table["a"] = &conn{}
	}
	onlyFromInitOk("b")
}

func init() {
	for _, k := range []string{"x", "y"} {
		onlyFromInitOk(k)
	}
}

func onlyFromInitOk(k string) {
	if table[k] == nil {
		table[k] = &conn{}
		deeperOk(k)
	}
}

func deeperOk(k string) { delete(table, k) }

func lockedOk(k string) {
	tableMu.Lock()
	defer tableMu.Unlock()
	table[k] = &conn{}
}

func alsoFromElsewhereBad(k string) {
	if table[k] == nil { // want `check-then-act: .*table`
		table[k] = &conn{}
	}
}

func init() { alsoFromElsewhereBad("z") }

// Use makes it reachable after initialisation.
func Use(k string) { alsoFromElsewhereBad(k) }

var (
	once  sync.Once
	cache = map[string]*conn{}
)

// LoadOk fills the cache once.
func LoadOk(k string) *conn {
	once.Do(func() {
		for _, k := range []string{"a", "b"} {
			if cache[k] == nil {
				cache[k] = &conn{}
			}
		}
	})
	return cache[k]
}

var names = map[string]int{}

var loadNames = sync.OnceFunc(func() {
	if _, ok := names["a"]; !ok {
		names["a"] = 1
	}
})

// NameOk reads after the once.
func NameOk(k string) int {
	loadNames()
	return names[k]
}

var hosts = map[string]int{}

var loadHosts = sync.OnceValue(func() map[string]int {
	if len(hosts) == 0 {
		hosts["localhost"] = 1
	}
	return hosts
})

// HostOk reads what was made once.
func HostOk(k string) int { return loadHosts()[k] }

type lazy struct {
	once sync.Once
	m    map[string]*conn
}

func (l *lazy) initOk() {
	if l.m == nil {
		l.m = make(map[string]*conn)
	}
}

// GetOk initialises with a method value.
func (l *lazy) GetOk(k string) *conn {
	l.once.Do(l.initOk)
	return l.m[k]
}
