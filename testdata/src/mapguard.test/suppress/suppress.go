// Package suppress pins the comments that silence findings: which place each
// form speaks of, that a reason is asked for, and that a comment which silences
// nothing is reported.
package suppress

import "sync"

type conn struct{ id int }

type cache struct {
	mu    sync.Mutex
	m     map[string]*conn // guarded by mu
	n     map[string]int   // guarded by mu
	quiet map[string]int   // guarded by mu
}

func (c *cache) plainBad(k string) {
	if c.m[k] == nil { // want `check-then-act: .*c\.m`
		c.m[k] = &conn{}
	}
}

func (c *cache) sameLineOk(k string) {
	if c.m[k] == nil { //mapguard:ignore only called while the program starts
		c.m[k] = &conn{}
	}
}

func (c *cache) lineAboveOk(k string) {
	//mapguard:ignore only called while the program starts
	if c.m[k] == nil {
		c.m[k] = &conn{}
	}
}

// A comment may follow in the same group.
func (c *cache) groupAboveOk(k string) *conn {
	//mapguard:ignore a statistic
	// that may be out of date
	return c.m[k]
}

//mapguard:ignore the caller is the only goroutine
func (c *cache) functionOk(k string) {
	if c.m[k] == nil {
		c.m[k] = &conn{}
	}
	c.n[k]++
	go func() { c.n[k] = 1 }()
}

func (c *cache) oneOfTwoBad(k string) {
	//mapguard:ignore a statistic
	println(c.m[k])
	println(c.m[k]) // want `unguarded-access: c\.m`
}

// What is silenced at its check is silent at its act, which is part of it.
func (c *cache) actOk(k string) {
	if c.n[k] == 0 { //mapguard:ignore only called while the program starts
		c.n[k] = 2
	}
}

// The comment is at the act, the finding at the check.
func (c *cache) wrongLineBad(k string) {
	if c.m[k] == nil { // want `check-then-act: .*c\.m`
		//mapguard:ignore only called while the program starts // want `directive: mapguard:ignore suppresses nothing here; delete it, or put it at`
		c.m[k] = &conn{}
	}
}

func (c *cache) otherLineBad(k string) *conn {
	//mapguard:ignore a blank line ends what it speaks of // want `directive: .*suppresses nothing`

	return c.m[k] // want `unguarded-access: c\.m`
}

func (c *cache) categoryOk(k string) {
	if c.m[k] == nil { //mapguard:ignore check-then-act only called while the program starts
		c.m[k] = &conn{}
	}
}

func (c *cache) categoriesOk(k string) *conn {
	//mapguard:ignore split-lock,unguarded-access a statistic
	return c.m[k]
}

func (c *cache) otherCategoryBad(k string) *conn {
	//mapguard:ignore split-lock a statistic // want `directive: mapguard:ignore suppresses no split-lock finding here`
	return c.m[k] // want `unguarded-access: c\.m`
}

func (c *cache) noReasonBad(k string) *conn {
	//mapguard:ignore // want `directive: mapguard:ignore has no reason and is not applied`
	return c.m[k] // want `unguarded-access: c\.m`
}

func (c *cache) noReasonAfterCategoryBad(k string) *conn {
	//mapguard:ignore unguarded-access // want `directive: mapguard:ignore has no reason`
	return c.m[k] // want `unguarded-access: c\.m`
}

func (c *cache) misspeltBad(k string) *conn {
	//mapguard:ingore a statistic // want `directive: unknown directive mapguard:ingore; the directives are mapguard:guardedby and mapguard:ignore`
	return c.m[k] // want `unguarded-access: c\.m`
}

func (c *cache) spaceBad(k string) *conn {
	// mapguard:ignore a statistic // want `directive: a space makes this a comment like any other; write //mapguard:ignore`
	return c.m[k] // want `unguarded-access: c\.m`
}

// Nothing is wrong here any more.
func (c *cache) staleBad(k string) *conn {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.m[k] //mapguard:ignore a statistic // want `directive: .*suppresses nothing`
}

//mapguard:ignore nothing to silence in here // want `directive: .*suppresses nothing`
func staleFunction() int { return 0 }

// The finding is of low confidence: it is not reported by default, and the
// comment is not stale.
var table = map[string]int{}

func lowOk(k string) int {
	table[k] = 1    //mapguard:ignore one goroutine
	return table[k] //mapguard:ignore one goroutine
}

func (c *cache) lockedOk(k string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.m[k] = &conn{}
	c.n[k] = 1
}
