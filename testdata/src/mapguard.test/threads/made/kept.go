package made

import (
	"sync"
	"time"
)

// Pager keeps methods of its own for words: the goroutine that has made it calls them, from its own field.
type Pager struct {
	mu    sync.Mutex
	calls map[int]string
	on    map[string]func(id int)
}

var pagers = struct {
	sync.Mutex
	all []*Pager
}{}

// CountPager is called by anyone.
func CountPager() (n int) {
	pagers.Lock()
	defer pagers.Unlock()
	for _, d := range pagers.all {
		d.mu.Lock()
		n += len(d.calls)
		d.mu.Unlock()
	}
	return n
}

func (d *Pager) known() {
	pagers.Lock()
	defer pagers.Unlock()
	pagers.all = append(pagers.all, d)
}

func (d *Pager) ringOk(id int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.calls[id] = "ringing"
}

func (d *Pager) hangOk(id int) {
	if d.calls[id] == "" {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.calls, id)
}

// ServePager runs in a goroutine for each line.
func ServePager(words <-chan string) {
	d := &Pager{calls: map[int]string{}, on: map[string]func(int){}}
	d.add("ring", d.ringOk)
	d.add("hang", d.hangOk)
	d.known()
	d.loop(words)
}

func (d *Pager) add(word string, do func(id int)) { d.on[word] = do }

func (d *Pager) loop(words <-chan string) {
	for w := range words {
		if do := d.on[w]; do != nil {
			do(len(w))
		}
	}
}

// Booth is like Pager, but another goroutine calls what it keeps, too.
type Booth struct {
	mu    sync.Mutex
	calls map[int]string
	on    map[string]func(id int)
}

var booths = struct {
	sync.Mutex
	all []*Booth
}{}

// CountBooth is called by anyone.
func CountBooth() (n int) {
	booths.Lock()
	defer booths.Unlock()
	for _, d := range booths.all {
		d.mu.Lock()
		n += len(d.calls)
		d.mu.Unlock()
	}
	return n
}

func (d *Booth) known() {
	booths.Lock()
	defer booths.Unlock()
	booths.all = append(booths.all, d)
}

func (d *Booth) ring(id int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.calls[id] = "ringing"
}

func (d *Booth) hangBad(id int) {
	if d.calls[id] == "" { // want `check-then-act: d.calls is read here without a lock, then deleted`
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.calls, id)
}

// ServeBooth runs in a goroutine for each line.
func ServeBooth(words <-chan string) {
	d := &Booth{calls: map[int]string{}, on: map[string]func(int){}}
	d.add("ring", d.ring)
	d.add("hang", d.hangBad)
	d.known()
	go d.loop(words)
	d.loop(words)
}

func (d *Booth) add(word string, do func(id int)) { d.on[word] = do }

func (d *Booth) loop(words <-chan string) {
	for w := range words {
		if do := d.on[w]; do != nil {
			do(len(w))
		}
	}
}

// Kiosk is like Pager, but gives what it keeps to another one, whose goroutine calls it.
type Kiosk struct {
	mu    sync.Mutex
	calls map[int]string
	on    map[string]func(id int)
}

var kiosks = struct {
	sync.Mutex
	all []*Kiosk
}{}

// CountKiosk is called by anyone.
func CountKiosk() (n int) {
	kiosks.Lock()
	defer kiosks.Unlock()
	for _, d := range kiosks.all {
		d.mu.Lock()
		n += len(d.calls)
		d.mu.Unlock()
	}
	return n
}

func (d *Kiosk) known() {
	kiosks.Lock()
	defer kiosks.Unlock()
	kiosks.all = append(kiosks.all, d)
}

func (d *Kiosk) ring(id int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.calls[id] = "ringing"
}

func (d *Kiosk) hangBad(id int) {
	if d.calls[id] == "" { // want `check-then-act: d.calls is read here without a lock, then deleted`
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.calls, id)
}

// ServeKiosk runs in a goroutine for each line.
func ServeKiosk(words <-chan string) {
	d := &Kiosk{calls: map[int]string{}, on: map[string]func(int){}}
	d.add("ring", d.ring)
	d.add("hang", d.hangBad)
	d.known()
	d.lend(words)
	d.loop(words)
}

func (d *Kiosk) add(word string, do func(id int)) { d.on[word] = do }

func (d *Kiosk) loop(words <-chan string) {
	for w := range words {
		if do := d.on[w]; do != nil {
			do(len(w))
		}
	}
}

func (d *Kiosk) lend(words <-chan string) {
	other := &Kiosk{calls: map[int]string{}, on: d.on}
	other.known()
	go other.loop(words)
}

// Tannoy is like Pager, but has each in a map for a while, from which a timer gets it, too.
type Tannoy struct {
	mu    sync.Mutex
	calls map[int]string
	on    map[string]func(id int)
}

var tannoys = struct {
	sync.Mutex
	all []*Tannoy
}{}

// CountTannoy is called by anyone.
func CountTannoy() (n int) {
	tannoys.Lock()
	defer tannoys.Unlock()
	for _, d := range tannoys.all {
		d.mu.Lock()
		n += len(d.calls)
		d.mu.Unlock()
	}
	return n
}

func (d *Tannoy) known() {
	tannoys.Lock()
	defer tannoys.Unlock()
	tannoys.all = append(tannoys.all, d)
}

func (d *Tannoy) hangBad(id int) {
	if d.calls[id] == "" { // want `unguarded-access: d.calls is read without mu`
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.calls, id)
}

// ServeTannoy runs in a goroutine for each line.
func ServeTannoy(words <-chan string) {
	d := &Tannoy{calls: map[int]string{}}
	on := map[string]func(int){"hang": d.hangBad}
	for _, do := range on {
		time.AfterFunc(time.Second, func() { do(1) })
	}
	d.on = on
	d.known()
	d.loop(words)
}

func (d *Tannoy) loop(words <-chan string) {
	for w := range words {
		if do := d.on[w]; do != nil {
			do(len(w))
		}
	}
}
