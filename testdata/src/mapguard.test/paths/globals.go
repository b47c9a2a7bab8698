package paths

import "sync"

var (
	conns   = make(map[string]*conn)
	connsMu sync.Mutex
)

var group struct {
	sync.Mutex
	members map[string]*conn
}

var many struct {
	mu sync.RWMutex
	by struct {
		name map[string]*conn
		id   map[int]*conn
	}
}

var holder = &registry{}

func globalBad(k string) {
	if conns[k] == nil { // want `check-then-act: .*conns`
		conns[k] = &conn{}
	}
}

func globalOk(k string) {
	connsMu.Lock()
	defer connsMu.Unlock()
	if conns[k] == nil {
		conns[k] = &conn{}
	}
}

func anonymousStructBad(k string) {
	if group.members[k] == nil { // want `check-then-act: .*group\.members`
		group.members[k] = &conn{}
	}
}

func anonymousStructOk(k string) {
	group.Lock()
	defer group.Unlock()
	if group.members[k] == nil {
		group.members[k] = &conn{}
	}
}

func nestedAnonymousStructBad(k string) {
	if many.by.name[k] == nil { // want `check-then-act: .*many\.by\.name`
		many.by.name[k] = &conn{}
	}
}

func nestedAnonymousStructOk(k string) {
	many.mu.Lock()
	defer many.mu.Unlock()
	if many.by.name[k] == nil {
		many.by.name[k] = &conn{}
	}
}

func otherFieldOfAnonymousStructBad(k int) {
	if many.by.id[k] == nil { // want `check-then-act: .*many\.by\.id`
		many.by.id[k] = &conn{}
	}
}

func globalPointerBad(k string) {
	if holder.direct[k] == nil { // want `check-then-act: .*holder\.direct`
		holder.direct[k] = &conn{}
	}
}

func globalPointerOk(k string) {
	holder.mu.Lock()
	defer holder.mu.Unlock()
	if holder.direct[k] == nil {
		holder.direct[k] = &conn{}
	}
}

// Two maps that only look alike: the check of one says nothing of the other.
func twoMapsOk(k string, id int) {
	connsMu.Lock()
	c := conns[k]
	connsMu.Unlock()
	many.mu.Lock()
	defer many.mu.Unlock()
	if many.by.id[id] == nil {
		many.by.id[id] = c
	}
}
