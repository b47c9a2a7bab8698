package owned

import "sync"

// letters are written by many, and sent in batches: a variable of the sender gets the map of the field in one section,
// which gives the field a new one, or takes the map from the variable again.
type letters struct {
	lettersMu sync.Mutex
	letters   map[string]int
}

func (s *letters) Add(to string, pages int) {
	s.lettersMu.Lock()
	defer s.lettersMu.Unlock()
	s.letters[to] = pages
}

func (s *letters) SendOk(send func(string, int)) (pages int) {
	var batch map[string]int
	func() {
		s.lettersMu.Lock()
		defer s.lettersMu.Unlock()
		batch = s.letters
		if len(batch) == 0 {
			batch = nil
			return
		}
		s.letters = make(map[string]int, len(batch))
	}()
	count := func(m map[string]int) (n int) {
		for _, p := range m {
			n += p
		}
		return n
	}
	for to, p := range batch {
		send(to, p)
	}
	return count(batch)
}

func (s *letters) SendAllOk(send func(string, int)) int {
	var all map[string]int
	func() {
		s.lettersMu.Lock()
		defer s.lettersMu.Unlock()
		all = s.letters
		s.letters = make(map[string]int)
	}()
	for to, p := range all {
		send(to, p)
	}
	return len(all)
}

func (s *letters) SendSomeOk(send func(string, int)) {
	s.lettersMu.Lock()
	batch := s.letters
	if len(batch) > 0 {
		s.letters = make(map[string]int)
	} else {
		batch = nil
	}
	s.lettersMu.Unlock()
	for to, p := range batch {
		send(to, p)
	}
}

// Below a hundred, the field keeps the map that is sent.
func (s *letters) SendManyBad(send func(string, int)) {
	var batch map[string]int
	func() {
		s.lettersMu.Lock()
		defer s.lettersMu.Unlock()
		batch = s.letters
		if len(batch) > 100 {
			s.letters = make(map[string]int, len(batch))
		}
	}()
	for to, p := range batch { // want `unguarded-access: s\.letters is ranged over without lettersMu`
		send(to, p)
	}
}

// The field gets a new map in a later section: meanwhile others write to the one that is sent.
func (s *letters) SendLaterBad(send func(string, int)) {
	var batch map[string]int
	func() {
		s.lettersMu.Lock()
		batch = s.letters
		s.lettersMu.Unlock()
		send("", 0)
		s.lettersMu.Lock()
		s.letters = make(map[string]int)
		s.lettersMu.Unlock()
	}()
	for to, p := range batch { // want `unguarded-access: s\.letters is ranged over without lettersMu`
		send(to, p)
	}
}

func (s *letters) SendHalfBad(send func(string, int)) {
	s.lettersMu.Lock()
	batch := s.letters
	if len(batch) > 10 {
		s.letters = make(map[string]int)
	} else if len(batch) == 3 {
		batch = nil
	}
	s.lettersMu.Unlock()
	for to, p := range batch { // want `unguarded-access: s\.letters is ranged over without lettersMu`
		send(to, p)
	}
}

// The map goes back when it could not be sent: others have it again while it is looked at.
func (s *letters) SendBackBad(send func(string, int) bool) {
	var batch map[string]int
	func() {
		s.lettersMu.Lock()
		defer s.lettersMu.Unlock()
		batch = s.letters
		if len(batch) > 0 {
			s.letters = make(map[string]int)
		} else {
			batch = nil
		}
	}()
	for to, p := range batch { // want `s\.letters is ranged over`
		if !send(to, p) {
			s.giveBack(batch)
		}
	}
}

func (s *letters) giveBack(m map[string]int) {
	s.lettersMu.Lock()
	defer s.lettersMu.Unlock()
	s.letters = m
}

// What could not be sent is written to the map that the field has by then.
func (s *letters) SendAgainOk(send func(map[string]int) error) error {
	var batch map[string]int
	func() {
		s.lettersMu.Lock()
		defer s.lettersMu.Unlock()
		batch = s.letters
		if len(batch) > 0 {
			s.letters = make(map[string]int)
		} else {
			batch = nil
		}
	}()
	err := send(batch)
	if err != nil {
		s.addAll(batch)
	}
	return err
}

func (s *letters) addAll(m map[string]int) {
	s.lettersMu.Lock()
	defer s.lettersMu.Unlock()
	for to, p := range m {
		if _, there := s.letters[to]; !there {
			s.letters[to] = p
		}
	}
}
