package newmutex

// A press starts a goroutine for each sheet; all of them count.
type press struct {
	done  chan string
	count map[string]int
}

func (p *press) print(sheets []string) {
	for _, s := range sheets {
		go p.run(s)
	}
}

func (p *press) run(s string) {
	p.count[s]++ // want `goroutine-race: p\.count is written in a goroutine`
	p.done <- s
}

func (p *press) printed(s string) int { return p.count[s] }
