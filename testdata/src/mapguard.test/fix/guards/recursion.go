package guards

import "sync"

// A node of a tree has a lock for its children, as each of them has.
type node struct {
	mu       sync.Mutex
	children map[string]*node // guarded by mu
}

func (n *node) child(name string) *node {
	n.mu.Lock()
	defer n.mu.Unlock()
	c := n.children[name]
	if c == nil {
		c = &node{children: map[string]*node{}}
		n.children[name] = c
	}
	return c
}

// The next call takes the lock of a child, or of this node where the tree is none: the
// section ends before it.
func (n *node) findBad(path []string) *node {
	if len(path) == 0 {
		return n
	}
	if c, ok := n.children[path[0]]; ok { // want `unguarded-access: .*`
		return c.findBad(path[1:])
	}
	return nil
}

// It comes back through another function.
func (n *node) depthBad(path []string) int {
	if len(path) == 0 {
		return 0
	}
	if c, ok := n.children[path[0]]; ok { // want `unguarded-access: .*`
		return c.deeper(path[1:])
	}
	return 0
}

func (n *node) deeper(path []string) int { return 1 + n.depthBad(path) }
