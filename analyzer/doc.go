// Package analyzer finds check-then-act on shared maps that is not atomic: a
// program looks at a map, decides, and changes the map, while another
// goroutine can change it in between.
//
//	if _, ok := engines[url]; !ok { // two goroutines find it absent
//		engines[url] = open(url) // and both create the engine
//	}
//
// [Analyzer] runs with default settings; [New] makes one with others. Both are
// passes of golang.org/x/tools/go/analysis and work in every driver of it. No
// annotations are needed: which lock guards a map is learned from comments,
// names and use, and travels to importing packages in facts.
//
// # Categories
//
// Each finding has one category, whose name flags, directives and other tools
// use. At one place a stronger category replaces the weaker ones. The strongest
// first, they are check-then-act, split-lock, sync-map, rlock-write,
// goroutine-race, map-escape and unguarded-access. A finding of low confidence
// replaces none. [Rules] returns the sections that follow.
//
// # check-then-act
//
// A change of a map depends on a look at it, and no lock is held at one of
// them or at both.
//
//	func Engine(url string) *Engine {
//		if e, ok := engines[url]; ok {
//			return e
//		}
//		e := open(url)
//		engines[url] = e // another goroutine may have put one there
//		return e
//	}
//
// Two goroutines find the entry absent, both create it, and one goes on with
// an engine that the map no longer holds. The finding is placed at the look: that
// is where the critical section must begin. Hold one lock from the look to the
// change.
//
//	mu.Lock()
//	defer mu.Unlock()
//	if e, ok := engines[url]; ok {
//		return e
//	}
//	e := open(url)
//	engines[url] = e
//	return e
//
// # split-lock
//
// Look and change are both under lock, but in different critical sections, and
// nothing looks again in the second. Each access is locked, so the race
// detector has nothing to report.
//
//	mu.RLock()
//	e, ok := engines[url]
//	mu.RUnlock()
//	if !ok {
//		mu.Lock() // what was seen may no longer be so
//		engines[url] = open(url)
//		mu.Unlock()
//	}
//
// The finding is placed at the change. Look again under the lock of the change, or
// hold one lock across both; a read lock cannot be turned into a write lock
// without letting go.
//
//	mu.Lock()
//	defer mu.Unlock()
//	if e, ok = engines[url]; !ok {
//		e = open(url)
//		engines[url] = e
//	}
//
// The two sections may lie in helpers that lock inside, of this package or of
// another one: has(url), then add(url).
//
// The category has a second form. A map holds an object, the object is looked
// up under the map's lock and changed after that lock was released, while
// another function can take it out of the map. Then the change is lost with
// the object.
//
//	mu.Lock()
//	room := rooms[name]
//	mu.Unlock()
//	room.mu.Lock()
//	room.members[user] = true // leave() has just deleted the empty room
//	room.mu.Unlock()
//
// Hold the map's lock until the change is done, or let the code that deletes the
// object mark it, under the object's own lock, and ask there.
//
//	room.mu.Lock()
//	defer room.mu.Unlock()
//	if room.closed { // set by leave()
//		return errClosed
//	}
//	room.members[user] = true
//
// A reference that is counted under the map's lock keeps the object in the map;
// nothing is reported then. The confidence is medium where the object is deleted
// because it looks empty, where it is replaced, or where another function asks
// its state before it changes it. Else it is low: code that deletes the object
// most likely means to end it, changes included.
//
// An object that knows its key can say by its state that the key is free, and
// delete its entry later. Where another function replaces the entry in that state,
// its object is deleted.
//
//	lease.active.Store(false) // from here on, take() gives the key to another
//	mu.Lock()
//	delete(leases, lease.id) // perhaps the other's
//	mu.Unlock()
//
// Change the state under the map's lock, too, or delete the entry only if it is
// still the object's own.
//
// # sync-map
//
// A [sync.Map], or another concurrent map, is looked at and then changed in two
// steps: each method is atomic, two in a row are not.
//
//	if _, ok := engines.Load(url); !ok {
//		engines.Store(url, open(url)) // may overwrite another's
//	}
//
// Use the method that does both at once: LoadOrStore for Load and Store,
// LoadAndDelete or CompareAndDelete for Load and Delete, and a loop around
// CompareAndSwap for Load, compute and Store. Where the look is at all entries and
// the act at one key, or the value cannot be compared, no method does both: hold
// a mutex across them, and for what else changes the map.
//
//	e, _ := engines.LoadOrStore(url, open(url))
//
// Range, and then Delete or Store of what it has shown, are two steps as well:
// the entry may have been refilled. So are, where the map has a size, a test of
// it and an insertion.
//
//	jobs.Range(func(id, j any) bool {
//		if j.(*job).expired() {
//			jobs.CompareAndDelete(id, j) // not Delete(id)
//		}
//		return true
//	})
//
// The concurrent maps of github.com/orcaman/concurrent-map,
// github.com/puzpuzpuz/xsync and github.com/alphadose/haxmap are known, too.
//
// At low confidence there is a note on LoadOrStore when its value is something
// to be closed or stopped, is made in any case, and nothing ends it when another
// goroutine was first.
//
// # rlock-write
//
// A map is changed while its lock is held only for reading. Other readers hold
// it at the same time, and two writes at once crash the program.
//
//	mu.RLock()
//	defer mu.RUnlock()
//	hits[url]++
//
// Take the write lock.
//
//	mu.Lock()
//	defer mu.Unlock()
//	hits[url]++
//
// # map-escape
//
// A guarded map itself, not a copy, leaves its critical section, so that
// others use it without the lock.
//
//	func (c *Cache) All() map[string]*Engine {
//		c.mu.Lock()
//		defer c.mu.Unlock()
//		return c.engines // the caller ranges over it while others write
//	}
//
// It leaves when a function that other packages can call returns it, alone or
// inside of something else; when it is stored in a variable, a field or an
// element of something else; when it is sent on a channel, or handed to a
// goroutine whose code is not in sight. Return a copy, or take a function that
// is called for each entry under the lock.
//
//	return maps.Clone(c.engines)
//
// A map that is only ever replaced as a whole is a snapshot, and may leave. So
// may one that is taken out: its field gets another map in the same section.
// The confidence is medium at most, since what others do with the map is not
// known.
//
// # goroutine-race
//
// A goroutine that this code starts changes a map while another goroutine
// reads or changes it, and no lock keeps them apart. A local map that the
// goroutine captures, or gets as an argument, counts too.
//
//	seen := make(map[string]bool)
//	for _, url := range urls {
//		go func() { seen[url] = true }()
//	}
//
// The other one is a goroutine of the same loop, another goroutine that is
// started here, or the function itself, which goes on meanwhile. What errgroup,
// WaitGroup.Go and time.AfterFunc run is a goroutine. HTTP handlers run in one
// for each request.
//
//	hits := make(map[string]int)
//	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
//		hits[r.URL.Path]++
//	})
//
// The finding is placed at the goroutine's access; where a local map was given to
// a named function, at its start. Lock around each access, or let one goroutine
// own the map and send it what belongs there. What comes after the goroutine's
// end, by Wait or by the channel that it closes, is no race.
//
//	for _, url := range urls {
//		go func() {
//			mu.Lock()
//			defer mu.Unlock()
//			seen[url] = true
//		}()
//	}
//
// # unguarded-access
//
// A map with a guard is read or written without it, or goroutines share a map
// that has none.
//
//	type Cache struct {
//		mu      sync.Mutex // protects engines
//		engines map[string]*Engine
//	}
//
//	func (c *Cache) Len() int { return len(c.engines) }
//
// The finding states why the lock is believed to be the map's guard, and how
// many accesses hold it. Hold it here too. A helper whose callers hold the lock
// is understood when all of them do, or when its name (lenLocked) or its
// comment ("mu must be held") says so; a call without the lock is the finding
// then.
//
//	func (c *Cache) Len() int {
//		c.mu.Lock()
//		defer c.mu.Unlock()
//		return len(c.engines)
//	}
//
// # directive
//
// A comment that is meant to silence a finding does nothing: it is misspelt, it
// has no reason, or there is nothing left to silence.
//
//	n := len(c.engines) //mapguard:ignore
//
// Give a reason behind it, or delete the comment when the finding is gone.
//
//	n := len(c.engines) //mapguard:ignore a statistic, may be off by one
//
// # Confidence
//
// Each finding states its evidence: why two goroutines can meet at the map.
// High evidence stands in the code: a lock that is declared or named for the
// map, or held elsewhere, a goroutine, a handler, a promise in the
// documentation, a concurrent map. Medium evidence is a package-level map that
// importers can change, or an exported method that returns what it has looked up
// or just inserted. Low is none of these. In an application, what no server's
// requests and no accepted connections lead to has one step less.
//
// In split-lock and sync-map, where each access by itself is safe, the harm
// counts as well: deleting what may be gone already, or storing a plain value
// that any goroutine would have computed alike, is low.
// Findings below [Config.Confidence] are not reported.
//
// # Silencing
//
// A comment //mapguard:ignore with a reason silences the findings of its line,
// of the next line when it stands alone, or of the declaration to which it
// belongs. The directives of staticcheck and golangci-lint are honoured too.
//
// # Fixes
//
// A finding carries the change that removes it where that is known to be safe:
// the write lock instead of the read lock, and the method of sync.Map that
// does two steps in one.
package analyzer

// doc is the analyzer's documentation as drivers print it.
const doc = `find check-then-act on shared maps that is not atomic

A program looks at a map, decides, and changes the map, while another goroutine
can change it in between:

	if _, ok := engines[url]; !ok { // two goroutines find it absent
		engines[url] = open(url) // and both create the engine
	}

Reported are the categories check-then-act (no lock at one side or both),
split-lock (both locked, in different critical sections), sync-map (Load then
Store), rlock-write (changed under a read lock), map-escape (the guarded map
itself is given away), goroutine-race (a goroutine started here, without a lock),
unguarded-access (the guard is not held) and directive (a comment that silences
nothing). Each finding states its confidence and evidence; -confidence chooses
the lowest that is reported.`
