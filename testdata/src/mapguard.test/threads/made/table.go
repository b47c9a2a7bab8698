package made

import "sync"

// Intercom is like Pager, but several have one table: any of them calls what another one put there.
type Intercom struct {
	mu    sync.Mutex
	calls map[int]string
	on    map[string]func(id int)
}

var intercoms = struct {
	sync.Mutex
	all []*Intercom
}{}

// CountIntercom is called by anyone.
func CountIntercom() (n int) {
	intercoms.Lock()
	defer intercoms.Unlock()
	for _, d := range intercoms.all {
		d.mu.Lock()
		n += len(d.calls)
		d.mu.Unlock()
	}
	return n
}

func (d *Intercom) known() {
	intercoms.Lock()
	defer intercoms.Unlock()
	intercoms.all = append(intercoms.all, d)
}

func (d *Intercom) ring(id int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.calls[id] = "ringing"
}

func (d *Intercom) hangBad(id int) {
	if d.calls[id] == "" { // want `check-then-act: d.calls is read here without a lock, then deleted`
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.calls, id)
}

// ServeIntercom runs in a goroutine for each line, with a table that all of them have.
func ServeIntercom(words <-chan string, on map[string]func(int)) {
	d := &Intercom{calls: map[int]string{}, on: on}
	d.add("ring", d.ring)
	d.add("hang", d.hangBad)
	d.known()
	d.loop(words)
}

func (d *Intercom) add(word string, do func(id int)) { d.on[word] = do }

func (d *Intercom) loop(words <-chan string) {
	for w := range words {
		if do := d.on[w]; do != nil {
			do(len(w))
		}
	}
}
