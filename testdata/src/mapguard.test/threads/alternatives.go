package threads

import (
	"encoding/json"
	"sync"
)

// A function that starts a goroutine under one condition or under its opposite starts one of them,
// as long as what it asks keeps its value.

type scout struct {
	cluster bool
	mode    string
	seen    map[string]int
	known   map[string]int
	met     map[string]int
}

func newScout(cluster bool, mode string) *scout {
	return &scout{
		cluster: cluster, mode: mode,
		seen: make(map[string]int), known: make(map[string]int), met: make(map[string]int),
	}
}

func (p *scout) seeOk(names chan string) {
	for name := range names {
		if p.seen[name] == 0 {
			p.seen[name] = 1
		}
	}
}

func (p *scout) knowOk(names chan string) {
	for name := range names {
		if p.known[name] == 0 {
			p.known[name] = 1
		}
	}
}

func (p *scout) startOk(a, b chan string) {
	if !p.cluster && a != nil {
		go p.seeOk(a)
	}
	println("started")
	if p.cluster && b != nil {
		go p.seeOk(b)
	}
	if p.mode == "pull" {
		go p.knowOk(a)
	}
	if p.mode == "push" {
		go p.knowOk(b)
	}
}

func (p *scout) meetBad(names chan string) {
	for name := range names {
		if p.met[name] == 0 { // want `check-then-act: p\.met is read here`
			p.met[name] = 1
		}
	}
}

// The two conditions can both hold.
func (p *scout) begin(a, b chan string) {
	if p.mode == "pull" {
		go p.meetBad(a)
	}
	if p.mode != "push" {
		go p.meetBad(b)
	}
}

type relay struct {
	ready bool
	heard map[string]int
}

func newRelay() *relay {
	return &relay{heard: make(map[string]int)}
}

func (r *relay) hearBad(names chan string) {
	for name := range names {
		if r.heard[name] == 0 { // want `check-then-act: r\.heard is read here`
			r.heard[name] = 1
		}
	}
}

// The function itself changes what it asks.
func (r *relay) begin(a, b chan string) {
	if !r.ready {
		go r.hearBad(a)
		r.ready = true
	}
	if r.ready {
		go r.hearBad(b)
	}
}

type latecomer struct {
	late bool
	felt map[string]int
}

func (r *latecomer) feelBad(names chan string) {
	for name := range names {
		if r.felt[name] == 0 { // want `check-then-act: r\.felt is read here`
			r.felt[name] = 1
		}
	}
}

func (r *latecomer) delay() { r.late = true }

// Another function changes what it asks.
func (r *latecomer) resume(a, b chan string) {
	if !r.late {
		go r.feelBad(a)
		r.delay()
	}
	if r.late {
		go r.feelBad(b)
	}
}

type again struct {
	up   bool
	told map[string]int
}

func (g *again) tellBad(names chan string) {
	for name := range names {
		if g.told[name] == 0 { // want `check-then-act: g\.told is read here`
			g.told[name] = 1
		}
	}
}

func (g *again) begin(a chan string) {
	if !g.up {
		go g.tellBad(a)
	}
	if g.up {
		go g.tellBad(a)
	}
}

// The second call finds what was changed since the first.
func beginAgain(a chan string) {
	g := &again{told: make(map[string]int)}
	g.begin(a)
	g.up = true
	g.begin(a)
}

type redone struct {
	mode string
	said map[string]int
}

func (r *redone) sayBad(names chan string) {
	for name := range names {
		if r.said[name] == 0 { // want `check-then-act: r\.said is read here`
			r.said[name] = 1
		}
	}
}

func (r *redone) redo() { *r = redone{mode: "push", said: r.said} }

// All fields change at once.
func (r *redone) begin(a chan string) {
	if r.mode == "pull" {
		go r.sayBad(a)
	}
	r.redo()
	if r.mode == "push" {
		go r.sayBad(a)
	}
}

type chore struct {
	kind, name string
}

// Each round asks another one.
func runChoresBad(chores []*chore) {
	done := make(map[string]int)
	var wg sync.WaitGroup
	for _, e := range chores {
		if e.kind == "go" {
			wg.Add(1)
			go func() {
				defer wg.Done()
				done[e.name] = 1 // want `goroutine-race: done is written in a goroutine`
			}()
		}
		if e.kind == "ask" {
			wg.Add(1)
			go func() {
				defer wg.Done()
				println(done[e.name])
			}()
		}
	}
	wg.Wait()
}

func orElse(s *string, other string) {
	if *s == "" {
		*s = other
	}
}

type defaulted struct {
	mode string
	met  map[string]int
}

func (d *defaulted) meetBad(names chan string) {
	for name := range names {
		if d.met[name] == 0 { // want `check-then-act: d\.met is read here`
			d.met[name] = 1
		}
	}
}

// What gets the address of a field may set it.
func (d *defaulted) begin(a chan string) {
	if d.mode == "" {
		go d.meetBad(a)
	}
	orElse(&d.mode, "pull")
	if d.mode == "pull" {
		go d.meetBad(a)
	}
}

type decoded struct {
	Mode string
	held map[string]int
}

func (d *decoded) holdBad(names chan string) {
	for name := range names {
		if d.held[name] == 0 { // want `check-then-act: d\.held is read here`
			d.held[name] = 1
		}
	}
}

// What decodes a struct sets its exported fields.
func (d *decoded) begin(a chan string, conf []byte) {
	if d.Mode == "" {
		go d.holdBad(a)
	}
	_ = json.Unmarshal(conf, d)
	if d.Mode == "pull" {
		go d.holdBad(a)
	}
}

type inner struct{ net struct{ mode string } }

type nested struct {
	conf inner
	kept map[string]int
}

func (n *nested) keepBad(names chan string) {
	for name := range names {
		if n.kept[name] == 0 { // want `check-then-act: n\.kept is read here`
			n.kept[name] = 1
		}
	}
}

// A struct that is set sets the fields of its parts.
func (n *nested) begin(a chan string, conf inner) {
	if n.conf.net.mode == "" {
		go n.keepBad(a)
	}
	n.conf = conf
	if n.conf.net.mode == "pull" {
		go n.keepBad(a)
	}
}

func runAlternatives(a, b chan string) {
	runChoresBad([]*chore{{"go", "a"}, {"ask", "a"}})
	(&defaulted{met: make(map[string]int)}).begin(a)
	(&decoded{held: make(map[string]int)}).begin(a, nil)
	(&nested{kept: make(map[string]int)}).begin(a, inner{})
	p := newScout(a != nil, "pull")
	p.startOk(a, b)
	p.begin(a, b)
	r := newRelay()
	r.begin(a, b)
	beginAgain(a)
	(&redone{mode: "pull", said: make(map[string]int)}).begin(a)
	d := &latecomer{felt: make(map[string]int)}
	d.resume(a, b)
}
