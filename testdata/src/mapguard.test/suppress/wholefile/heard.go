package wholefile

func (c *cache) thirdFileBad(k string) int { return c.m[k] } // want `unguarded-access: c\.m`
