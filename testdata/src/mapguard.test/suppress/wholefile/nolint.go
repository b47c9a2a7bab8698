//nolint:mapguard // moved from another program as it is
package wholefile

func (c *cache) otherFileOk(k string) int { return c.m[k] }
