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
				late += meet(list[choose(len(list))])
			}
		}
		a, b := choose(own), 0
		if b = a; choose(2) == 1 {
			b = choose(len(list))
		}
		late += meet(list[a], list[b])
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

// meet makes calls at one time, and returns 1 when they take too long.
func meet(calls ...func()) int {
	done := make(chan struct{}, len(calls))
	for _, c := range calls {
		c := c
		go func() {
			defer func() {
				if p := recover(); p != nil && os.Getenv("MAPGUARD_PROVE_DEBUG") != "" {
					println("a call failed:", text(p))
				}
				done <- struct{}{}
			}()
			c()
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

func text(p any) string {
	if e, ok := p.(error); ok {
		return e.Error()
	}
	s, _ := p.(string)
	return s
}
