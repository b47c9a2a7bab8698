package threads

import "sync/atomic"

// Two functions each start the one goroutine of an object, and one of them, which prepares the map for it: who has claimed
// the flag in the one is not there in the other.

type Syncer struct {
	begun   atomic.Bool
	asked   map[int]int
	heights chan int
}

func (s *Syncer) OnStartOk() {
	if s.begun.CompareAndSwap(false, true) {
		go s.poolOk()
	}
}

func (s *Syncer) SwitchOk(n int) {
	if !s.begun.CompareAndSwap(false, true) {
		return
	}
	s.asked = make(map[int]int, n)
	go s.poolOk()
}

func (s *Syncer) poolOk() {
	for h := range s.heights {
		if _, ok := s.asked[h]; !ok {
			s.asked[h] = 1
		}
	}
}

// Here each has a flag of its own.
type TwoFlags struct {
	begun, moved atomic.Bool
	asked        map[int]int
	heights      chan int
}

func (s *TwoFlags) OnStartOk() {
	if s.begun.CompareAndSwap(false, true) {
		go s.poolBad()
	}
}

func (s *TwoFlags) SwitchBad(n int) {
	if !s.moved.CompareAndSwap(false, true) {
		return
	}
	s.asked = make(map[int]int, n) // want `unguarded-access: s\.asked`
	go s.poolBad()
}

func (s *TwoFlags) poolBad() {
	for h := range s.heights {
		if _, ok := s.asked[h]; !ok { // want `check-then-act: s\.asked`
			s.asked[h] = 1
		}
	}
}

// Here who has started the goroutine goes on with the map.
type Refilling struct {
	begun   atomic.Bool
	asked   map[int]int
	heights chan int
}

func (s *Refilling) FollowBad(n int) {
	if !s.begun.CompareAndSwap(false, true) {
		return
	}
	go s.poolBad()
	s.asked = make(map[int]int, n) // want `unguarded-access: s\.asked`
}

func (s *Refilling) poolBad() {
	for h := range s.heights {
		if _, ok := s.asked[h]; !ok { // want `check-then-act: s\.asked`
			s.asked[h] = 1
		}
	}
}
