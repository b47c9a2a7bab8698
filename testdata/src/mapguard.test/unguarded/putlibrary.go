package unguarded

import (
	"fmt"
	"maps"
	"slices"
	"sync"
)

// A map that is put into another one stays as it is, though functions of the standard library read it, or copy it.

type shelfMark uint8

type shelves map[string]shelfMark

type printedAlmanac struct {
	mu    sync.RWMutex
	towns map[string]map[string]shelfMark
}

func (a *printedAlmanac) townPrinted(name string) map[string]shelfMark {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return a.towns[name]
}

func (a *printedAlmanac) readPrintedOk(name, head string) shelfMark {
	t := a.townPrinted(name)
	if t == nil {
		return 0
	}
	return t[head]
}

func marksOf(town string) (map[string]shelfMark, error) {
	if town == "" {
		return nil, fmt.Errorf("no town")
	}
	return map[string]shelfMark{town: 1}, nil
}

func (a *printedAlmanac) takePrinted(name string, anew bool) error {
	var t map[string]shelfMark
	if anew {
		t = map[string]shelfMark(shelves{name: 1})
	} else {
		found, err := marksOf(name)
		if err != nil {
			return err
		}
		t = found
	}
	heads := slices.Sorted(maps.Keys(t))
	fmt.Println(heads)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.towns[name] = t
	return nil
}

func (a *printedAlmanac) movePrinted(from, to string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if t, ok := a.towns[from]; ok {
		a.towns[to] = t
	}
}

// The library's function that copies into a map changes it.

type seatMark uint8

type copiedAlmanac struct {
	mu    sync.RWMutex
	towns map[string]map[string]seatMark
}

func (a *copiedAlmanac) townCopied(name string) map[string]seatMark {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return a.towns[name]
}

func (a *copiedAlmanac) readCopiedBad(name, head string) seatMark {
	t := a.townCopied(name)
	return t[head] // want `unguarded-access: a\.towns\[…\] is read without mu`
}

func (a *copiedAlmanac) takeCopied(name string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.towns[name] = map[string]seatMark{name: 1}
}

func (a *copiedAlmanac) sumCopied(name string) (sum seatMark) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	for _, n := range a.towns[name] {
		sum += n
	}
	return sum + a.towns[name]["more"]
}

func (a *copiedAlmanac) addCopied(name string, more map[string]seatMark) {
	a.mu.Lock()
	defer a.mu.Unlock()
	maps.Copy(a.towns[name], more)
}

// A function that is kept as a value may be called by anyone, and gives the map away.

type deskMark uint8

type calledAlmanac struct {
	mu    sync.RWMutex
	give  func(name string) map[string]deskMark
	towns map[string]map[string]deskMark
}

func (a *calledAlmanac) townCalled(name string) map[string]deskMark {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return a.towns[name]
}

func (a *calledAlmanac) readCalledBad(name, head string) deskMark {
	t := a.townCalled(name)
	return t[head] // want `unguarded-access: a\.towns\[…\] is read without mu`
}

func (a *calledAlmanac) takeCalled(name string) map[string]deskMark {
	t := map[string]deskMark{name: 1}
	var kept any = t
	a.mu.Lock()
	defer a.mu.Unlock()
	a.towns[name] = kept.(map[string]deskMark)
	return t
}

func newCalledAlmanac() *calledAlmanac {
	a := &calledAlmanac{towns: map[string]map[string]deskMark{}}
	a.give = a.takeCalled
	return a
}
