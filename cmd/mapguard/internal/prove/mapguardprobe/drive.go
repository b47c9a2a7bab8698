package mapguardprobe

import (
	"os"
	"strconv"
	"time"
)

// Drive calls the entries of a finding in two goroutines, round by round: each
// round has an object of its own, and a key that both use. The first own of
// the calls reach the finding.
func Drive(own int, keys []string, calls func(round int, key string, n int, flag bool) []func()) {
	until := time.Now().Add(micros(DriveVariable))
	random := uint32(1)
	choose := func(n int) int {
		random = random*1664525 + 1013904223
		return int(random>>8) % n
	}
	late := 0
	for round := 0; open.Load() > 0 && time.Now().Before(until) && late < maxLate; round++ {
		key := "k"
		if len(keys) > 0 && round%3 == 1 {
			key = keys[choose(len(keys))]
		}
		if round%6 != 5 {
			key += strconv.Itoa(round)
		}
		list := prepared(calls, round, key)
		if len(list) == 0 {
			continue
		}
		if round%2 == 1 { // what they do may need an entry
			for i := 0; i <= choose(2); i++ {
				late += meet([]func(){list[choose(len(list))]})
			}
		}
		a := list[choose(own)]
		others := []func(){a}
		if choose(2) == 1 {
			others[0] = list[choose(len(list))]
		}
		for choose(2) == 1 && len(others) < 3 {
			others = append(others, list[choose(len(list))])
		}
		late += meet([]func(){a}, others)
	}
}

// DriveVariable is how long a driver tries, in microseconds.
const DriveVariable = "MAPGUARD_PROVE_DRIVE"

// maxLate bounds the rounds in which a call does not return.
const maxLate = 8

// prepared makes the calls of a round; an object may not be one that can be
// made so.
func prepared(calls func(int, string, int, bool) []func(), round int, key string) (list []func()) {
	defer func() {
		if p := recover(); p != nil && os.Getenv("MAPGUARD_PROVE_DEBUG") != "" {
			println("no object:", text(p))
		}
	}()
	return calls(round, key, round+1, round%4 < 2)
}

// meet has goroutines make calls at one time, and returns 1 when they take too
// long.
func meet(calls ...[]func()) int {
	done := make(chan struct{}, len(calls))
	for _, c := range calls {
		c := c
		go func() {
			defer func() { done <- struct{}{} }()
			for _, call := range c {
				try(call)
			}
		}()
	}
	limit := time.NewTimer(time.Second)
	defer limit.Stop()
	for range calls {
		select {
		case <-done:
		case <-limit.C:
			return 1
		}
	}
	return 0
}

// try makes a call that may panic: its arguments are made up.
func try(call func()) {
	defer func() {
		if p := recover(); p != nil && os.Getenv("MAPGUARD_PROVE_DEBUG") != "" {
			println("a call failed:", text(p))
		}
	}()
	call()
}

func text(p any) string {
	if e, ok := p.(error); ok {
		return e.Error()
	}
	s, _ := p.(string)
	return s
}
