package wholes

import "sync"

// What shows that goroutines meet at a map tells nothing of steps that meet none of them: a job is loaded anew by each
// request, and those that one call starts end before it returns.
type job struct{ conf map[string]string }

// A runner embeds the job.
type runner struct{ job }

func loadRunner(conf map[string]string) *runner { return &runner{job{conf}} }

func (j *job) setBoth(k string) {
	j.conf[k] = "here" // want `goroutine-race: r.job.conf is written in a goroutine without a lock`
}

func (r *runner) Send() {
	var g sync.WaitGroup
	g.Go(func() { r.setBoth("disk") })
	g.Go(func() { r.setBoth("memory") })
	g.Wait()
}

func (j *job) setOne(k string) { j.conf[k] = "there" }

func (r *runner) UpdateOk() {
	if r.conf["state"] == "" {
		r.setOne("state")
	}
}

func (r *runner) FillOk() {
	for k := range r.conf {
		if k == "address" {
			r.conf["port"] = "0"
		}
	}
}

func (r *runner) RenameOk() {
	if r.conf["name"] != "" {
		r.setBoth("name")
	}
}

// A poller keeps a goroutine, which goes on for as long as it is in use: who calls its methods meets that.
type poller struct {
	state map[string]string
	stop  chan struct{}
}

func newPoller() *poller {
	p := &poller{state: map[string]string{}, stop: make(chan struct{})}
	go p.loopBad()
	return p
}

func (p *poller) loopBad() {
	for {
		select {
		case <-p.stop:
			return
		default:
			p.state["polled"] = "yes" // want `unguarded-access: p.state is written without a lock`
		}
	}
}

func (p *poller) UpdateBad() {
	if p.state["state"] == "" { // want `check-then-act: p.state is read here, then written`
		p.state["state"] = "set"
	}
}
