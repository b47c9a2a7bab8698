package statements

import "sync"

type member struct{ name string }

// A roll passes its map to functions that read it.
type roll struct {
	mu      sync.Mutex
	members map[string]*member
	names   []string
}

func (r *roll) add(m *member) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.members[m.name] = m
}

func (r *roll) drop(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.members, name)
}

// visitAll calls f, which may wait.
func visitAll(members map[string]*member, f func(*member) string) (out []string) {
	for _, m := range members {
		out = append(out, f(m))
	}
	return out
}

func (r *roll) listBad(f func(*member) string) {
	r.names = visitAll(r.members, f) // want `unguarded-access: .*ranged over without mu`
}

func (r *roll) tellBad(f func(*member) string) []string {
	return visitAll(r.members, f) // want `unguarded-access: .*ranged over without mu`
}
