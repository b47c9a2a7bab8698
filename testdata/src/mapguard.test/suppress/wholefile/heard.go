package wholefile

func (c *cache) thirdFileBad() int { return c.m[""] } // want `unguarded-access: c\.m`
