// Package mill gives work to crews, and goes on when they have done it.
package mill

import (
	"sync"

	"mapguard.test/callbacks/mill/crew"
)

func groundOk(sacks []string) int {
	var mu sync.Mutex
	flour := make(map[string]int)
	c := crew.New(4)
	for _, s := range sacks {
		c.Give(func() {
			mu.Lock()
			defer mu.Unlock()
			flour[s]++
		})
	}
	<-c.Rested()
	return flour["rye"]
}

func earlyBad(sacks []string) int {
	var mu sync.Mutex
	early := make(map[string]int)
	c := crew.New(4)
	for _, s := range sacks {
		c.Give(func() {
			mu.Lock()
			defer mu.Unlock()
			early[s]++ // want `goroutine-race: early is written in a goroutine`
		})
	}
	n := early["rye"]
	<-c.Rested()
	return n
}

func twoCrewsBad(sacks []string) int {
	var mu sync.Mutex
	mixed := make(map[string]int)
	c, other := crew.New(4), crew.New(4)
	for _, s := range sacks {
		c.Give(func() {
			mu.Lock()
			defer mu.Unlock()
			mixed[s]++ // want `goroutine-race: mixed is written in a goroutine`
		})
	}
	<-other.Rested()
	return mixed["rye"]
}

type mill struct {
	team *crew.Team
	pack *crew.Pack
	mu   sync.Mutex
}

func (m *mill) sentOk(sacks []string) int {
	sent := make(map[string]int)
	for _, s := range sacks {
		m.team.Send(func() {
			m.mu.Lock()
			defer m.mu.Unlock()
			sent[s]++
		})
	}
	<-m.team.Ended()
	return sent["rye"]
}

func (m *mill) begunBad(sacks []string) int {
	begun := make(map[string]int)
	for _, s := range sacks {
		m.pack.Begin(func() {
			m.mu.Lock()
			defer m.mu.Unlock()
			begun[s]++ // want `goroutine-race: begun is written in a goroutine`
		})
	}
	<-m.pack.Begun()
	return begun["rye"]
}

func (m *mill) firstBad(sacks []string) int {
	first := make(map[string]int)
	for _, s := range sacks {
		m.pack.Race(func() {
			m.mu.Lock()
			defer m.mu.Unlock()
			first[s]++ // want `goroutine-race: first is written in a goroutine`
		})
	}
	<-m.pack.One()
	return first["rye"]
}
