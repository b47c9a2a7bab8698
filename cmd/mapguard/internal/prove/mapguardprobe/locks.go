package mapguardprobe

import "unsafe"

// A lock is one that a goroutine holds, under the name by which it took it.
type lock struct {
	at   unsafe.Pointer
	name string
}

// maxLocks bounds the locks of one goroutine, and the goroutines with locks,
// that are known: some are released where no hook sees it.
const (
	maxLocks   = 16
	maxHolders = 4096
)

var holders = map[int64][]lock{}

// Locked tells that the goroutine at hand has taken a lock.
func Locked(name string, of any) {
	if open.Load() <= 0 {
		return
	}
	g := goid()
	mu.Lock()
	defer mu.Unlock()
	if held := holders[g]; len(held) < maxLocks && (len(held) > 0 || len(holders) < maxHolders) {
		holders[g] = append(held, lock{word(of), name})
	}
}

// Unlocked tells that a lock is released, by the goroutine that took it or by
// another one.
func Unlocked(of any) {
	if open.Load() <= 0 {
		return
	}
	g, at := goid(), word(of)
	mu.Lock()
	defer mu.Unlock()
	if release(g, at) {
		return
	}
	for other := range holders {
		if release(other, at) {
			return
		}
	}
}

func release(g int64, at unsafe.Pointer) bool {
	held := holders[g]
	for i := len(held) - 1; i >= 0; i-- {
		if held[i].at != at {
			continue
		}
		if len(held) == 1 {
			delete(holders, g)
		} else {
			holders[g] = append(held[:i:i], held[i+1:]...)
		}
		return true
	}
	return false
}

// names are those of the locks that a goroutine holds.
func names(g int64) (out []string) {
	for _, l := range holders[g] {
		out = append(out, l.name)
	}
	return out
}
