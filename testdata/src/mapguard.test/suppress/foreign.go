package suppress

// The forms of staticcheck and golangci-lint mean what they mean there.

func (c *cache) lintOk() int {
	//lint:ignore mapguard a statistic
	return len(c.m)
}

func (c *cache) lintBehindOk() int {
	return len(c.m) //lint:ignore SA1000,mapguard a statistic
}

func (c *cache) lintPatternOk() int {
	//lint:ignore * a statistic
	return len(c.m)
}

func (c *cache) lintOtherBad() int {
	//lint:ignore SA1000 not for mapguard
	return len(c.m) // want `unguarded-access: c\.m`
}

func (c *cache) lintNoReasonBad() int {
	//lint:ignore mapguard // want `directive: lint:ignore has no reason and is not applied`
	return len(c.m) // want `unguarded-access: c\.m`
}

// One line is all that it speaks of.
//
//lint:ignore mapguard not for a whole function // want `directive: lint:ignore of mapguard suppresses nothing here`
func (c *cache) lintFunctionBad() int {
	return len(c.m) // want `unguarded-access: c\.m`
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

func (c *cache) nolintOk() int {
	return len(c.m) //nolint:mapguard
}

func (c *cache) nolintReasonOk() int {
	return len(c.m) //nolint:mapguard // a statistic
}

func (c *cache) nolintListOk() int {
	return len(c.m) //nolint:errcheck,mapguard // a statistic
}

func (c *cache) nolintSpacesOk() int {
	return len(c.m) // nolint: errcheck, MapGuard
}

func (c *cache) nolintBareOk() int {
	return len(c.m) //nolint
}

func (c *cache) nolintAllOk() int {
	return len(c.m) //nolint:all // a statistic
}

func (c *cache) nolintOtherBad() int {
	return len(c.m) //nolint:errcheck // want `unguarded-access: c\.m`
}

func (c *cache) nolintlintBad() int {
	return len(c.m) //nolintlint // want `unguarded-access: c\.m`
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
