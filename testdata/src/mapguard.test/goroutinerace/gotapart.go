package goroutinerace

import (
	"fmt"
	"sync"
)

// A gazette keeps the latest page, which a goroutine may renew while the one before is shown: a new page takes its place
// under the lock, and no page changes.
type gazette struct {
	pressMu sync.Mutex // one renewal at a time
	mu      sync.Mutex
	page    map[string]string
	edition int
}

func (g *gazette) latest() (map[string]string, int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.page, g.edition
}

func (g *gazette) renew(lines []string) (map[string]string, error) {
	g.pressMu.Lock()
	defer g.pressMu.Unlock()
	if page, edition := g.latest(); edition > len(lines) {
		return page, nil
	}
	if len(lines) == 0 {
		return nil, fmt.Errorf("nothing to print")
	}
	page := map[string]string{}
	for _, l := range lines {
		page[l] = l
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.page = page
	g.edition++
	return g.page, nil
}

func (g *gazette) showOk(lines []string, show func(string)) {
	page, edition := g.latest()
	if page == nil {
		var err error
		if page, err = g.renew(lines); err != nil {
			return
		}
	} else if edition < len(lines) {
		go func() {
			_, _ = g.renew(lines)
		}()
	}
	for _, l := range page {
		show(l)
	}
}

// A bareGazette is read without the lock.
type bareGazette struct {
	pressMu sync.Mutex
	mu      sync.Mutex
	page    map[string]string
	edition int
}

func (g *bareGazette) renew() {
	g.pressMu.Lock()
	defer g.pressMu.Unlock()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.page = map[string]string{}
	g.edition++
}

func (g *bareGazette) showBareBad(show func(string)) {
	go g.renew()
	page := g.page
	for _, l := range page { // want `unguarded-access: g.page is ranged over`
		show(l)
	}
}

// A patchedGazette changes the page that is shown.
type patchedGazette struct {
	pressMu sync.Mutex
	mu      sync.Mutex
	page    map[string]string
	edition int
}

func (g *patchedGazette) latest() (map[string]string, int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.page, g.edition
}

func (g *patchedGazette) patch(line string) {
	g.pressMu.Lock()
	defer g.pressMu.Unlock()
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.page == nil {
		g.page = map[string]string{}
	}
	g.page[line] = line
}

func (g *patchedGazette) showPatchedBad(line string, show func(string)) {
	page, edition := g.latest()
	if edition < len(line) {
		go g.patch(line)
	}
	for _, l := range page { // want `unguarded-access: `
		show(l)
	}
}
