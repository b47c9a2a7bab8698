package statements

import (
	"io"
	"sync"
)

// A Guild has members by place, and writes to some.
type Guild struct {
	mu sync.Mutex
	// members is protected by mu.
	members map[string]map[string]bool
}

// Join adds a member.
func (g *Guild) Join(place, name string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.members[place] == nil {
		g.members[place] = make(map[string]bool)
	}
	g.members[place][name] = true
}

// Leave takes a member out.
func (g *Guild) Leave(place, name string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.members[place], name)
}

// CallBad writes to the members of a place.
func (g *Guild) CallBad(w io.Writer, place string) error {
	for name := range g.members[place] { // want `unguarded-access: .*`
		if _, err := io.WriteString(w, name); err != nil {
			return err
		}
	}
	return nil
}
