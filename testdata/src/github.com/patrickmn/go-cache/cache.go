// Package cache is a stand-in for the library.
package cache

import "time"

type Cache struct{ evicted func(string, any) }

func New(expires, cleanup time.Duration) *Cache { return &Cache{} }

func (c *Cache) OnEvicted(f func(string, any)) { c.evicted = f }

func (c *Cache) Set(k string, v any, d time.Duration) {}
