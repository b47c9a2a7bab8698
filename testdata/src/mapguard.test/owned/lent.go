package owned

import "sync"

// A function that waits for the goroutines which it starts gives its caller's object back: what the caller does to it
// before and afterwards meets nothing.

type survey struct {
	mu      sync.Mutex // protects answers
	answers map[int]int
}

func (s *survey) prepareOk(ids []int) {
	if s.answers == nil {
		s.answers = make(map[int]int)
	}
	for _, id := range ids {
		s.answers[id] = 0
	}
}

func (s *survey) ask(ids []int) {
	var wg sync.WaitGroup
	for _, id := range ids {
		wg.Add(1)
		go func() {
			defer wg.Done()
			s.mu.Lock()
			s.answers[id]++
			s.mu.Unlock()
		}()
	}
	wg.Wait()
}

func takeOk(ids []int) int {
	s := &survey{}
	s.prepareOk(ids)
	s.ask(ids)
	s.prepareOk(ids)
	s.ask(ids)
	return len(s.answers)
}

// hurried returns where the goroutines are still at work.
type hurried struct {
	mu      sync.Mutex // protects answers
	answers map[int]int
}

func (h *hurried) prepareBad(ids []int) {
	for _, id := range ids {
		h.answers[id] = 0 // want `unguarded-access`
	}
}

func (h *hurried) ask(ids []int) bool {
	var wg sync.WaitGroup
	for _, id := range ids {
		wg.Add(1)
		go func() {
			defer wg.Done()
			h.mu.Lock()
			h.answers[id]++
			h.mu.Unlock()
		}()
	}
	if len(ids) > 10 {
		return false
	}
	wg.Wait()
	return true
}

func takeHurried(ids []int) {
	h := &hurried{answers: make(map[int]int)}
	h.prepareBad(ids)
	h.ask(ids)
	h.prepareBad(ids)
	h.ask(ids)
}

// filed is put where others find it by its goroutines.
type filed struct {
	mu      sync.Mutex // protects answers
	answers map[int]int
}

var (
	lastMu sync.Mutex
	last   *filed
)

func (k *filed) prepareBad(ids []int) {
	for _, id := range ids {
		k.answers[id] = 0 // want `unguarded-access`
	}
}

func (k *filed) ask(ids []int) {
	var wg sync.WaitGroup
	for _, id := range ids {
		wg.Add(1)
		go func() {
			defer wg.Done()
			k.mu.Lock()
			k.answers[id]++
			k.mu.Unlock()
			lastMu.Lock()
			last = k
			lastMu.Unlock()
		}()
	}
	wg.Wait()
}

func takeFiled(ids []int) {
	k := &filed{answers: make(map[int]int)}
	k.prepareBad(ids)
	k.ask(ids)
	k.prepareBad(ids)
}

// AnswersOf looks at what was put there.
func AnswersOf() int {
	lastMu.Lock()
	k := last
	lastMu.Unlock()
	k.mu.Lock()
	defer k.mu.Unlock()
	return len(k.answers)
}

// meddler changes the map while its goroutines do.
type meddler struct {
	mu      sync.Mutex // protects answers
	answers map[int]int
}

func (m *meddler) askBad(ids []int) {
	var wg sync.WaitGroup
	for _, id := range ids {
		wg.Add(1)
		go func() {
			defer wg.Done()
			m.mu.Lock()
			m.answers[id]++
			m.mu.Unlock()
		}()
		m.answers[id] = 0 // want `unguarded-access`
	}
	wg.Wait()
}

func takeMeddled(ids []int) int {
	m := &meddler{answers: make(map[int]int)}
	m.askBad(ids)
	return len(m.answers)
}

func useSurveys() {
	takeOk(nil)
	takeHurried(nil)
	takeFiled(nil)
	takeMeddled(nil)
}

func init() { go useSurveys() }
