package suppress

// The forms of staticcheck and golangci-lint mean what they mean there.

func (c *cache) lintOk() *conn {
	//lint:ignore mapguard a statistic
	return c.m["a"]
}

func (c *cache) lintBehindOk() *conn {
	return c.m["a"] //lint:ignore SA1000,mapguard a statistic
}

func (c *cache) lintPatternOk() *conn {
	//lint:ignore * a statistic
	return c.m["a"]
}

func (c *cache) lintOtherBad() *conn {
	//lint:ignore SA1000 not for mapguard
	return c.m["a"] // want `unguarded-access: c\.m`
}

func (c *cache) lintNoReasonBad() *conn {
	//lint:ignore mapguard // want `directive: lint:ignore has no reason and is not applied`
	return c.m["a"] // want `unguarded-access: c\.m`
}

// One line is all that it speaks of.
//
//lint:ignore mapguard not for a whole function // want `directive: lint:ignore of mapguard suppresses nothing here`
func (c *cache) lintFunctionBad() *conn {
	return c.m["a"] // want `unguarded-access: c\.m`
}

func (c *cache) lintStaleBad() int {
	//lint:ignore mapguard nothing to silence // want `directive: lint:ignore of mapguard suppresses nothing here`
	return 0
}

// It may be there for another tool.
func lintPatternStaleOk() int {
	//lint:ignore * a statistic
	return 0
}

func (c *cache) nolintOk() *conn {
	return c.m["a"] //nolint:mapguard
}

func (c *cache) nolintReasonOk() *conn {
	return c.m["a"] //nolint:mapguard // a statistic
}

func (c *cache) nolintListOk() *conn {
	return c.m["a"] //nolint:errcheck,mapguard // a statistic
}

func (c *cache) nolintSpacesOk() *conn {
	return c.m["a"] // nolint: errcheck, MapGuard
}

func (c *cache) nolintBareOk() *conn {
	return c.m["a"] //nolint
}

func (c *cache) nolintAllOk() *conn {
	return c.m["a"] //nolint:all // a statistic
}

func (c *cache) nolintOtherBad() *conn {
	return c.m["a"] //nolint:errcheck // want `unguarded-access: c\.m`
}

func (c *cache) nolintlintBad() *conn {
	return c.m["a"] //nolintlint // want `unguarded-access: c\.m`
}

//nolint:mapguard // one goroutine
func (c *cache) nolintFunctionOk(k string) {
	if c.m[k] == nil {
		c.m[k] = &conn{}
	}
	c.n[k]++
}

func (c *cache) nolintStatementOk(ks []string) {
	//nolint:mapguard // one goroutine
	for _, k := range ks {
		if c.m[k] == nil {
			c.m[k] = &conn{}
		}
	}
}

func (c *cache) nolintStaleBad() int {
	return 0 //nolint:mapguard // want `directive: nolint of mapguard suppresses nothing here`
}

// It may be there for another tool.
func nolintBareStaleOk() int {
	return 0 //nolint
}

// gVisor's checklocks.

func (c *cache) checklocksLineOk() *conn {
	return c.m["a"] // +checklocksignore - only called while it is made
}

func (c *cache) checklocksForceOk() *conn {
	return c.m["a"] // +checklocksforce: its caller has the lock.
}

// checklocksDocOk is only called while it is made.
// +checklocksignore
func (c *cache) checklocksDocOk() *conn {
	if c.m["a"] == nil {
		return nil
	}
	return c.m["b"]
}

func (c *cache) checklocksBad() *conn {
	// The text +checklocksignore, told of, is none.
	return c.m["a"] // want `unguarded-access: `
}
