// Package tables has a map that it gets once, before anything uses it.
package tables

var names map[string]int

// Init must be called before any function that calls [Lookup].
func Init(all []string) { // want Init:`writes names; writes names`
	names = make(map[string]int, len(all))
	for i, n := range all {
		names[n] = i
	}
}

// Lookup reads it.
func Lookup(n string) (int, bool) { // want Lookup:`reads names`
	i, ok := names[n]
	return i, ok
}

var late = map[string]int{}

// Add can come at any time.
func Add(n string) { // want Add:`reads late; writes late`
	late[n] = len(late) // want `check-then-act: .*late`
}

// Late reads what Add writes.
func Late(n string) int { return late[n] } // want Late:`reads late` `unguarded-access: .*late`
