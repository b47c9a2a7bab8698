package threads

import "sync"

// A shelf is made, used and dropped by one function: the package shows every
// thread that comes to it. Its lock says nothing of the accesses that no
// goroutine can meet.
type shelf struct {
	mu    sync.Mutex
	books map[string]int
}

func newShelf() *shelf { return &shelf{books: make(map[string]int)} }

func (s *shelf) put(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.books[name]++
}

func (s *shelf) drop(name string) { delete(s.books, name) }

func JoinedByAnswersOk(names []string) int {
	s, done := newShelf(), make(chan bool)
	go func() { s.put("a"); done <- true }()
	go func() { s.put("b"); done <- true }()
	for range 2 {
		<-done
	}
	s.drop("a")
	return s.books["b"]
}

// A shelf on which a goroutine still works.
type openShelf struct {
	mu    sync.Mutex
	books map[string]int
}

func (s *openShelf) put(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.books[name]++
}

func (s *openShelf) dropBad(name string) {
	delete(s.books, name) // want `unguarded-access: `
}

func beside() {
	s, done := &openShelf{books: make(map[string]int)}, make(chan bool)
	go func() { s.put("a"); done <- true }()
	s.dropBad("a")
	<-done
}

// A shelf that is also kept where others find it.
type keptShelf struct {
	mu    sync.Mutex
	books map[string]int
}

var lastShelf *keptShelf

func (s *keptShelf) put(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.books[name]++
}

func (s *keptShelf) dropBad(name string) {
	delete(s.books, name) // want `unguarded-access: .*, low`
}

func (s *keptShelf) keep() { lastShelf = s }

func keepOne() {
	s := &keptShelf{books: make(map[string]int)}
	s.keep()
	var wg sync.WaitGroup
	wg.Go(func() { s.put("a") })
	wg.Wait()
	s.dropBad("a")
}

func Last(name string) {
	if lastShelf != nil {
		lastShelf.put(name)
	}
}

// A goroutine that is not waited for writes on.
type halfShelf struct {
	mu    sync.Mutex
	books map[string]int
}

func (s *halfShelf) put(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.books[name]++
}

func HalfJoinedBad() int {
	s := &halfShelf{books: make(map[string]int)}
	var first, second sync.WaitGroup
	first.Go(func() { s.put("a") })
	second.Go(func() { s.put("b") })
	first.Wait()
	return s.books["b"] // want `unguarded-access: `
}
