package paths

import (
	"net/http"
	"strings"
	"sync"
)

// Settings that hold others, by a path of names.
type nested struct {
	values map[string]any
	fixed  map[string]any
}

var settings = &nested{values: map[string]any{}, fixed: map[string]any{"a": map[string]any{}}}

func (n *nested) setBad(path string, v any) {
	n.put(&n.values, strings.Split(path, "."), v) // want `n\.values is read here in descend, then written`
}

func (n *nested) put(m *map[string]any, path []string, v any) {
	inner := descend(*m, path[:len(path)-1])
	inner[path[len(path)-1]] = v
}

func descend(m map[string]any, path []string) map[string]any {
	for _, k := range path {
		next, ok := m[k].(map[string]any)
		if !ok {
			next = make(map[string]any)
			m[k] = next
		}
		m = next
	}
	return m
}

func (n *nested) getBad(k string) any {
	return n.values[k] // want `n\.values is read without a lock`
}

// What is only read on the way is not changed.
func (n *nested) fixedOk(path string) any {
	m := n.fixed
	for _, k := range strings.Split(path, ".") {
		next, ok := m[k].(map[string]any)
		if !ok {
			return m[k]
		}
		m = next
	}
	return m
}

// Another map than the one that the loop begins with is changed.
func (n *nested) copyOk(path string) map[string]any {
	out := map[string]any{}
	m := out
	for _, k := range strings.Split(path, ".") {
		next := map[string]any{}
		m[k] = next
		m = next
	}
	m["fixed"] = n.fixed["a"]
	return out
}

func init() {
	http.HandleFunc("/nested", func(w http.ResponseWriter, r *http.Request) {
		settings.setBad(r.URL.Path, 1)
		settings.getBad(r.URL.Path)
		settings.fixedOk(r.URL.Path)
		settings.copyOk(r.URL.Path)
		settings.buildOk([]string{r.URL.Path})
		builtOk(r.URL.Path)
	})
}

// What is built is private until it is put into its place.
func (n *nested) buildOk(paths []string) {
	root := map[string]any{}
	for _, path := range paths {
		m := root
		for _, k := range strings.Split(path, ".") {
			next, ok := m[k].(map[string]any)
			if !ok {
				next = map[string]any{}
				m[k] = next
			}
			m = next
		}
		m["built"] = true
	}
	built.mu.Lock()
	built.values = root
	built.mu.Unlock()
}

var built struct {
	mu     sync.Mutex
	values map[string]any
}

func builtOk(k string) any {
	built.mu.Lock()
	defer built.mu.Unlock()
	return built.values[k]
}
