package helpers

import (
	"errors"
	"strings"
	"sync"
)

// A helper gets the map and looks for an entry that only it can name: what the
// caller inserts afterwards, under a key of its own, is another entry.

type workers struct {
	mu     sync.Mutex
	byName map[string][]string
	start  func(id string)
}

func mentioned(spec string, byName map[string][]string) error {
	for _, s := range strings.Fields(spec) {
		name, _, _ := strings.Cut(s, ":")
		if len(byName[name]) == 0 {
			return errors.New("missing: " + name)
		}
	}
	return nil
}

func (w *workers) addOk(name, spec, id string) error {
	w.mu.Lock()
	err := mentioned(spec, w.byName)
	w.mu.Unlock()
	if err != nil {
		return err
	}
	w.start(id)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.byName[name] = append(w.byName[name], id)
	return nil
}

func known(name string, byName map[string][]string) bool { return len(byName[name]) != 0 }

func (w *workers) addBad(name, id string) error {
	w.mu.Lock()
	dup := known(name, w.byName)
	w.mu.Unlock()
	if dup {
		return errors.New("twice: " + name)
	}
	w.start(id)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.byName[name] = append(w.byName[name], id) // want `split-lock: .*byName`
	return nil
}

// One call of a helper that gets the map looks and inserts under a key that
// only the helper names: it is one key for both.

type plans struct {
	parsed *sync.Map
	parts  []string
	uses   map[string]int
}

func parseBad(text string, parsed *sync.Map) *plans {
	key := strings.ToLower(text)
	if p, ok := parsed.Load(key); ok {
		return p.(*plans)
	}
	p := &plans{parsed: parsed, parts: strings.Fields(text), uses: make(map[string]int)}
	parsed.Store(key, p) // want `sync-map: .*parsed`
	return p
}

func (p *plans) part(i int) *plans {
	sub := parseBad(p.parts[i], p.parsed)
	sub.uses[p.parts[i]]++
	return sub
}
