package owned

// An outline is copied with its parts; the copy gets labels of its own, in a part of it.
type outline struct {
	captions
	steps int
}

type captions struct{ labels map[string]string }

func cloneOk(p *outline) outline {
	c := *p
	c.labels = make(map[string]string, len(p.labels))
	for k, v := range p.labels {
		c.labels[k] = v
	}
	return c
}

// This copy shares its original's.
func shareBad(p *outline) outline {
	c := *p
	c.steps++
	c.labels["steps"] = "" // want `goroutine-race: .*labels is written in a goroutine`
	return c
}

type outliner struct{ base *outline }

func (p *outliner) start(n int) {
	for range n {
		go p.work()
	}
}

func (p *outliner) work() {
	_ = cloneOk(p.base)
	_ = shareBad(p.base)
}
