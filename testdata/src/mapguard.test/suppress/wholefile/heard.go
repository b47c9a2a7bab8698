package wholefile

func (c *cache) thirdFileBad() int { return len(c.m) } // want `unguarded-access: c\.m`
