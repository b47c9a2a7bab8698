package registration

import (
	"fmt"
	"sync"
)

// Codes are registered by initialisers, under a lock, and read without it.

type code int

var (
	codesMu sync.Mutex
	codes   = make(map[code]string)
)

var (
	codeUnknown = RegisterCode(1, "unknown")
	codeDenied  = RegisterCode(2, "denied")
)

func RegisterCode(c code, text string) code {
	codesMu.Lock()
	defer codesMu.Unlock()
	if _, dup := codes[c]; dup {
		panic(fmt.Sprintf("code %d twice", c))
	}
	codes[c] = text
	return c
}

func (c code) TextOk() string { return codes[c] }

// Hooks are registered while the program runs, too.

var (
	hooksMu sync.Mutex
	hooks   = make(map[string]func())
)

func init() { RegisterHook("exit", func() {}) }

func RegisterHook(name string, f func()) {
	hooksMu.Lock()
	defer hooksMu.Unlock()
	if _, dup := hooks[name]; dup {
		panic("hook twice: " + name)
	}
	hooks[name] = f
}

func Watch(name string) { RegisterHook("watch "+name, func() {}) }

func HookBad(name string) func() {
	return hooks[name] // want `unguarded-access: hooks is read without hooksMu`
}
