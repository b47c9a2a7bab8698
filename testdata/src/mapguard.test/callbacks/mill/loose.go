package mill

import (
	"sync"

	"mapguard.test/callbacks/mill/crew"
)

var millMu sync.Mutex

func askedBad(sacks []string) int {
	asked := make(map[string]int)
	c := crew.New(4)
	rested := c.Rested()
	for _, s := range sacks {
		c.Give(func() {
			millMu.Lock()
			defer millMu.Unlock()
			asked[s]++ // want `goroutine-race: asked is written in a goroutine`
		})
	}
	<-rested
	return asked["rye"]
}

func halfwayBad(sack string) int {
	halfway := make(map[string]int)
	c := crew.New(4)
	c.Give(func() {})
	rested := c.Rested()
	c.Give(func() {
		millMu.Lock()
		defer millMu.Unlock()
		halfway[sack]++ // want `goroutine-race: halfway is written in a goroutine`
	})
	<-rested
	return halfway["rye"]
}

func onceBad(sacks []string) int {
	once := make(map[string]int)
	c := new(crew.Once)
	for _, s := range sacks {
		c.Add(func() {
			millMu.Lock()
			defer millMu.Unlock()
			once[s]++ // want `goroutine-race: once is written in a goroutine`
		})
	}
	<-c.Over()
	return once["rye"]
}

func gapBad(sacks []string) int {
	gap := make(map[string]int)
	c := new(crew.Gap)
	for _, s := range sacks {
		c.Add(func() {
			millMu.Lock()
			defer millMu.Unlock()
			gap[s]++ // want `goroutine-race: gap is written in a goroutine`
		})
	}
	<-c.Over()
	return gap["rye"]
}

func soonBad(sacks []string) int {
	soon := make(map[string]int)
	c := new(crew.Soon)
	for _, s := range sacks {
		c.Add(func() {
			millMu.Lock()
			defer millMu.Unlock()
			soon[s]++ // want `goroutine-race: soon is written in a goroutine`
		})
	}
	<-c.Over()
	return soon["rye"]
}

func tidyBad(sacks []string) int {
	tidy := make(map[string]int)
	c := new(crew.Tidy)
	for _, s := range sacks {
		c.Add(func() {}, func() {
			millMu.Lock()
			defer millMu.Unlock()
			tidy[s]++ // want `goroutine-race: tidy is written in a goroutine`
		})
	}
	<-c.Over()
	return tidy["rye"]
}

func twinBad(sacks []string) int {
	twin := make(map[string]int)
	c := new(crew.Twin)
	for _, s := range sacks {
		c.Add(func() {}, func() {
			millMu.Lock()
			defer millMu.Unlock()
			twin[s]++ // want `goroutine-race: twin is written in a goroutine`
		})
	}
	<-c.Over()
	return twin["rye"]
}

func rushBad(sacks []string) int {
	rush := make(map[string]int)
	c := new(crew.Rush)
	for _, s := range sacks {
		c.Add(func() {
			millMu.Lock()
			defer millMu.Unlock()
			rush[s]++ // want `goroutine-race: rush is written in a goroutine`
		})
	}
	<-c.Over()
	return rush["rye"]
}

func quitsBad(sacks []string) int {
	quits := make(map[string]int)
	c := new(crew.Quits)
	for _, s := range sacks {
		c.Add(func() {
			millMu.Lock()
			defer millMu.Unlock()
			quits[s]++ // want `goroutine-race: quits is written in a goroutine`
		})
	}
	<-c.Over()
	return quits["rye"]
}

func helpedBad(sacks []string) int {
	helped := make(map[string]int)
	c := new(crew.Helped)
	for _, s := range sacks {
		c.Add(func() {
			millMu.Lock()
			defer millMu.Unlock()
			helped[s]++ // want `goroutine-race: helped is written in a goroutine`
		})
	}
	<-c.Over()
	return helped["rye"]
}

func forgetsBad(sacks []string) int {
	forgets := make(map[string]int)
	c := new(crew.Forgets)
	for _, s := range sacks {
		c.Add(func() {
			millMu.Lock()
			defer millMu.Unlock()
			forgets[s]++ // want `goroutine-race: forgets is written in a goroutine`
		})
	}
	<-c.Over()
	return forgets["rye"]
}

func blanksBad(sacks []string) int {
	blanks := make(map[string]int)
	c := new(crew.Blanks)
	for _, s := range sacks {
		c.Add(func() {
			millMu.Lock()
			defer millMu.Unlock()
			blanks[s]++ // want `goroutine-race: blanks is written in a goroutine`
		})
	}
	<-c.Over()
	return blanks["rye"]
}

func lentBad(sacks []string) int {
	lent := make(map[string]int)
	c := crew.Lend(make(chan struct{}))
	for _, s := range sacks {
		c.Add(func() {
			millMu.Lock()
			defer millMu.Unlock()
			lent[s]++ // want `goroutine-race: lent is written in a goroutine`
		})
	}
	<-c.Over()
	return lent["rye"]
}
