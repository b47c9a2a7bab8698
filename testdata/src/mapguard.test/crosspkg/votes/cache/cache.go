// Package cache leaves maps and locks to its users. // want package:`M by Mu 0/0`
package cache

import "sync"

// Mu is for M.
var Mu sync.Mutex

// M is shared.
var M = map[string]int{}

// Other has nothing said about it.
var Other = map[string]int{}

// Gate is another lock.
var Gate sync.Mutex
