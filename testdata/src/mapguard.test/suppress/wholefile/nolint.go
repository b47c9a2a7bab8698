//nolint:mapguard // moved from another program as it is
package wholefile

func (c *cache) otherFileOk() int { return len(c.m) }
