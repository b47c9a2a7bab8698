package unguarded

import "sync"

// A vault hands out what ends its critical section: to unlock what is not locked ends
// the program, so the lock is held when that begins.
type vault struct {
	boxesMu sync.Mutex
	boxes   map[string]int
}

func (v *vault) put(k string) {
	v.boxesMu.Lock()
	defer v.boxesMu.Unlock()
	v.boxes[k]++
}

func (v *vault) openOk() (map[string]int, func(map[string]int)) {
	v.boxesMu.Lock()
	return nil, func(next map[string]int) {
		v.boxes = next
		v.boxesMu.Unlock()
	}
}

// EndOk is the second half of what Begin begins.
func (v *vault) EndOk(k string) {
	delete(v.boxes, k)
	v.boxesMu.Unlock()
}

func (v *vault) Begin() { v.boxesMu.Lock() }

// After the lock is gone, it is gone.
func (v *vault) CloseBad(k string) int {
	v.boxesMu.Unlock()
	return v.boxes[k] // want `unguarded-access: v\.boxes`
}

// Only sometimes it lets it go.
func (v *vault) PerhapsBad(k string, last bool) {
	delete(v.boxes, k) // want `unguarded-access: v\.boxes`
	if last {
		v.boxesMu.Unlock()
	}
}

// A crew lends its members under its own lock, as a value that no one has called yet.
type crew struct {
	mu   sync.Mutex
	rank map[string]int
}

func (c *crew) rankLocked(k string) int { return c.rankOf(k) }

func (c *crew) rankOf(k string) int { return c.rank[k] }

func (c *crew) promote(k string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.rank[k] = c.rankOf(k) + 1
}

func (c *crew) demote(k string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.rank[k] = c.rankOf(k) - 1
}

func (c *crew) readerOk() lookup { return lookup{c.rankOf} }

func (c *crew) readBad(k string) int { return c.rankOf(k) } // want `unguarded-access: crew\.rankOf needs mu`

type lookup struct{ of func(string) int }
