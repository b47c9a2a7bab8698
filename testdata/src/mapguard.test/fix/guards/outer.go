package guards

import "sync"

type shelf struct {
	mu    sync.Mutex
	items map[string]int // guarded by mu
}

func (s *shelf) put(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items[k]++
}

type keeper struct{ shelf *shelf }

// The literal uses the map by a name of the function around it.
func (k *keeper) CountBad(keys []string) int {
	n := 0
	shelf := k.shelf
	items := shelf.items
	func() {
		for _, key := range keys {
			if items[key] == 0 { // want `check-then-act: .*`
				shelf.put(key)
			} else {
				n++
			}
		}
	}()
	return n
}
