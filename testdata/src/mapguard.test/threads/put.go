package threads

import "sync"

// A goroutine that is started through a field works on the object that its starter has just put there, under a
// lock: each object has one.
type putRun struct {
	m  map[string]int
	in chan string
}

func newPutRun() *putRun { return &putRun{m: make(map[string]int), in: make(chan string)} }

func (r *putRun) loopPutOk() {
	for k := range r.in {
		r.m[k]++
	}
}

// Putting replaces its run, and has helpers that do.
type Putting struct {
	mu sync.Mutex
	wg sync.WaitGroup
	r  *putRun
}

// Restart is called by many.
func (p *Putting) Restart(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.r != nil {
		close(p.r.in)
	}
	p.r = newPutRun()
	go p.r.loopPutOk()
	p.r.in <- k
}

// Renew does it in a helper under the caller's lock.
func (p *Putting) Renew(k string) {
	p.mu.Lock()
	p.renewLocked()
	p.r.in <- k
	p.mu.Unlock()
}

func (p *Putting) renewLocked() {
	p.r = newPutRun()
	p.wg.Add(1)
	p.wg.Go(p.r.loopPutOk)
}

func usePutting(p *Putting) {
	for range 3 {
		go p.Restart("a")
		go p.Renew("a")
	}
}

// The worker is stopped, and what it has gathered is used, before there is another one.
type gathering struct {
	m    map[string]int
	in   chan string
	done chan struct{}
}

func (g *gathering) gatherOk() {
	defer close(g.done)
	for k := range g.in {
		g.m[k]++
	}
}

func (g *gathering) stop() map[string]int {
	close(g.in)
	<-g.done
	return g.m
}

// Gatherer has one worker at a time.
type Gatherer struct {
	mu  sync.Mutex
	g   *gathering
	all map[string]int
}

// AddOk is called by many.
func (a *Gatherer) AddOk(k string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.g == nil {
		a.g = &gathering{m: make(map[string]int), in: make(chan string), done: make(chan struct{})}
		go a.g.gatherOk()
	}
	a.g.in <- k
	if k == "stop" {
		m := a.g.stop()
		a.g = nil
		for k, v := range m {
			a.all[k] += v
		}
	}
}

func useGatherer(a *Gatherer) {
	for range 3 {
		go a.AddOk("a")
	}
}

// Without a lock, another goroutine can put its own there in between: both loops get that.
type bareRun struct {
	m  map[string]int
	in chan string
}

func (r *bareRun) loopBareBad() {
	for k := range r.in {
		r.m[k]++ // want `r\.m`
	}
}

// BarePutting has no lock.
type BarePutting struct{ r *bareRun }

// Restart is called by many.
func (p *BarePutting) Restart() {
	p.r = &bareRun{m: make(map[string]int), in: make(chan string)}
	go p.r.loopBareBad()
}

func useBarePutting(p *BarePutting) {
	for range 3 {
		go p.Restart()
	}
}

// The object is made where there is none; the goroutine is started each time.
type keptRun struct {
	m  map[string]int
	in chan string
}

func (r *keptRun) loopKeptBad() {
	for k := range r.in {
		r.m[k]++ // want `r\.m`
	}
}

// KeptPutting goes on with the run that is there.
type KeptPutting struct {
	mu sync.Mutex
	r  *keptRun
}

// Restart is called by many.
func (p *KeptPutting) Restart() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.r == nil {
		p.r = &keptRun{m: make(map[string]int), in: make(chan string)}
	}
	go p.r.loopKeptBad()
}

func useKeptPutting(p *KeptPutting) {
	for range 3 {
		go p.Restart()
	}
}

// What is put there is not new.
type otherRun struct {
	m  map[string]int
	in chan string
}

func (r *otherRun) loopOtherBad() {
	for k := range r.in {
		r.m[k]++ // want `r\.m`
	}
}

// OtherPutting has a run that it keeps.
type OtherPutting struct {
	mu        sync.Mutex
	r, spared *otherRun
}

// Restart is called by many.
func (p *OtherPutting) Restart() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.r = p.spared
	go p.r.loopOtherBad()
}

func useOtherPutting(p *OtherPutting) {
	for range 3 {
		go p.Restart()
	}
}

// A method may put the old one back before the goroutine is started.
type undoneRun struct {
	m  map[string]int
	in chan string
}

func (r *undoneRun) loopUndoneBad() {
	for k := range r.in {
		r.m[k]++ // want `r\.m`
	}
}

// UndonePutting can go back.
type UndonePutting struct {
	mu     sync.Mutex
	r, old *undoneRun
}

func (p *UndonePutting) back() {
	if p.old != nil {
		p.r = p.old
	}
	p.old = p.r
}

// Restart is called by many.
func (p *UndonePutting) Restart() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.r = &undoneRun{m: make(map[string]int), in: make(chan string)}
	p.back()
	go p.r.loopUndoneBad()
}

func useUndonePutting(p *UndonePutting) {
	for range 3 {
		go p.Restart()
	}
}

// The lock is let go in between.
type gapRun struct {
	m  map[string]int
	in chan string
}

func (r *gapRun) loopGapBad() {
	for k := range r.in {
		r.m[k]++ // want `r\.m`
	}
}

// GapPutting starts the goroutine in another section.
type GapPutting struct {
	mu sync.Mutex
	r  *gapRun
}

// Restart is called by many.
func (p *GapPutting) Restart() {
	p.mu.Lock()
	p.r = &gapRun{m: make(map[string]int), in: make(chan string)}
	p.mu.Unlock()
	p.mu.Lock()
	go p.r.loopGapBad()
	p.mu.Unlock()
}

func useGapPutting(p *GapPutting) {
	for range 3 {
		go p.Restart()
	}
}

// The starter goes on with the map of the object.
type sharedRun struct {
	m  map[string]int
	in chan string
}

func (r *sharedRun) loopSharedBad() {
	for k := range r.in {
		r.m[k]++ // want `r\.m`
	}
}

// SharedPutting fills the map beside the goroutine.
type SharedPutting struct {
	mu sync.Mutex
	r  *sharedRun
}

// Restart is called by many.
func (p *SharedPutting) Restart(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.r = &sharedRun{m: make(map[string]int), in: make(chan string)}
	go p.r.loopSharedBad()
	p.r.m[k] = 1
}

func useSharedPutting(p *SharedPutting) {
	for range 3 {
		go p.Restart("a")
	}
}
