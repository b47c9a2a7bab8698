package paths

import "sync"

// Shelves are looked through by the name of one of them.
type Shelves struct {
	mu    sync.Mutex
	books map[string]string
	boxes map[string]string
}

func (s *Shelves) bookList() map[string]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make(map[string]string)
	for k, v := range s.books {
		out[k] = v
	}
	return out
}

func (s *Shelves) PutBook(k, v string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.books[k] = v
}

func (s *Shelves) PutBox(k, v string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.boxes[k] = v
}

func (s *Shelves) has(shelf, k string) bool {
	switch shelf {
	case "books":
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.books[k] != ""
	case "boxes":
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.boxes[k] != ""
	}
	return false
}

// AddOk looks among the boxes, and adds a book.
func (s *Shelves) AddOk(k string) bool {
	if s.has("boxes", k) {
		return false
	}
	s.PutBook(k, "new")
	return true
}

// AddBad looks among the books.
func (s *Shelves) AddBad(k string) bool {
	if s.has("books", k) {
		return false
	}
	s.PutBook(k, "new") // want `split-lock`
	return true
}

func (s *Shelves) countBoxes(limit int, k string) int {
	if limit == 3 {
		return len(s.boxes[k])
	}
	return limit
}

// CountOk does not come to the map.
func (s *Shelves) CountOk(k string) int { return s.countBoxes(2, k) }

// CountBad does.
func (s *Shelves) CountBad(k string) int {
	return s.countBoxes(3, k) // want `boxes`
}

func (s *Shelves) Count(k string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.countBoxes(3, k)
}

func (s *Shelves) CountTwo(k, l string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.countBoxes(3, k) + s.countBoxes(3, l)
}
