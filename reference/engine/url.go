package engine

import "strings"

const (
	// memoryScheme starts the canonical URL of an in-memory database:
	// "memory:NAME".
	memoryScheme = "memory:"
	// sqliteMemory is what SQLite itself calls a database in memory.
	sqliteMemory = ":memory:"
	// sqliteScheme starts the URL of a SQLite database as other tools write it:
	// what follows is a path, or ":memory:".
	sqliteScheme = "sqlite:///"
)

// Canonical returns the one spelling of a URL under which its engine is kept.
// ":memory:" and "sqlite:///:memory:" are the in-memory database without a name,
// "memory:"; "sqlite:///PATH" is the file PATH. A path is left as it is.
//
// The spellings matter because SQLite gives each connection to ":memory:" a
// database of its own: what one migrates, the other does not find.
func Canonical(url string) string {
	url = strings.TrimPrefix(url, sqliteScheme)
	if url == sqliteMemory || url == "sqlite://" {
		return memoryScheme
	}
	return url
}

// IsMemory reports whether url names an in-memory database.
func IsMemory(url string) bool {
	return strings.HasPrefix(Canonical(url), memoryScheme)
}

// MemoryName returns the name in the URL of an in-memory database.
func MemoryName(url string) string {
	return strings.TrimPrefix(Canonical(url), memoryScheme)
}
