package refused

import "sync"

// A twig leads to a twig, each with a lock of its own for what is on it: the nearest one counts, which has no name here.
type twig struct {
	mu   sync.Mutex // protects what is in on
	on   *foliage
	next *twig
}

type foliage struct{ leaves map[string]int }

func (t *twig) grow(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.on.leaves[name]++
}

func (t *twig) drop(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.on.leaves, name)
}

func (t *twig) behind() *foliage { return t.next.on }

// GrowTwigs has leaves grow and drop.
func GrowTwigs(t *twig) {
	for range 4 {
		go t.grow("a")
		go t.drop("a")
		go t.next.grow("a")
		go t.next.drop("a")
		go func() { println(leavesBad(t)) }()
	}
}

func leavesBad(t *twig) int {
	t.mu.Lock()
	f := t.behind()
	t.mu.Unlock()
	return f.leaves["a"] // want `unguarded-access: .*`
}

// A storehouse has rows under its lock.
type storehouse struct {
	mu   sync.Mutex // protects rows and what is in them
	rows map[string]*storeRow
}

type storeRow struct{ boxes map[string]int }

func (d *storehouse) row(name string) *storeRow { return d.rows[name] }

func (d *storehouse) put(name, box string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.rows[name].boxes[box]++
}

func (d *storehouse) take(name, box string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.rows[name].boxes, box)
}

// FillStores has boxes come and go.
func FillStores(all []*storehouse) {
	for _, d := range all {
		go d.put("a", "b")
		go d.take("a", "b")
	}
	go func() { println(boxesBad(all), firstBad(all[0], all[1])) }()
}

// boxesBad uses what it found in the round before, when d was another one.
func boxesBad(all []*storehouse) int {
	var r *storeRow
	n := 0
	for _, d := range all {
		if r != nil {
			n += r.boxes["b"] // want `unguarded-access: .*`
		}
		d.mu.Lock()
		r = d.row("a")
		d.mu.Unlock()
	}
	return n
}

// firstBad has another storehouse by that name at the end.
func firstBad(d, other *storehouse) int {
	d.mu.Lock()
	r := d.row("a")
	d.mu.Unlock()
	d = other
	println(d != nil)
	return r.boxes["b"] // want `unguarded-access: .*`
}

// A strongbox keeps values, and gives out what they are in.
type strongbox struct {
	mu sync.Mutex // protects m and what is in it
	m  map[string]*strongboxRow
}

type strongboxRow struct{ values map[string]int }

func (b *strongbox) load(k string) *strongboxRow {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.m[k]
}

func (b *strongbox) put(user, k string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.m[user].values[k]++
}

func (b *strongbox) drop(user, k string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.m[user].values, k)
}

var thisBox = &strongbox{m: make(map[string]*strongboxRow)}

// ResetBox makes another one.
func ResetBox() { thisBox = &strongbox{m: make(map[string]*strongboxRow)} }

// PutInBox changes what the box keeps.
func PutInBox(user, k string) { thisBox.put(user, k) }

// DropFromBox does so, too.
func DropFromBox(user, k string) { thisBox.drop(user, k) }

// InBoxBad looks into what a box gave it, which may be another one by then.
func InBoxBad(user string) int {
	own := thisBox.load(user)
	return own.values["one"] // want `unguarded-access: .*`
}
