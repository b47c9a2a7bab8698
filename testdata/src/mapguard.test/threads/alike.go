package threads

// Two objects of one type, of which others can know: a goroutine that comes with one of
// them, or serves it, meets those who call its methods; one that works on what it was given
// may work on another object than they do.

// A Crate is made with the goroutine that fills it.
type Crate struct{ items map[string]int }

func OpenCrateBad(in chan string) *Crate {
	c := &Crate{items: make(map[string]int)}
	go func() { // a loop that ends with the channel
		for k := range in {
			c.items[k]++ // want `unguarded-access: .*items.*high`
		}
	}()
	return c
}

func (c *Crate) Count() int { return len(c.items) }

// A Parcel is handed to a goroutine for a while, by a function that gets it.
type Parcel struct{ rows map[string]int }

func (b *Parcel) WeighBad(k string) { b.rows[k]++ } // want `: b\.rows.*, low`

func (b *Parcel) sendBad(out func(string)) {
	for k := range b.rows { // want `: b\.rows.*, low`
		out(k)
	}
}

func Send(b *Parcel, out func(string)) { go b.sendBad(out) }

// Two goroutines get a Sheaf each, as far as the package shows.
type Sheaf struct{ cells map[string]int }

func (t *Sheaf) fillBad(k string) { t.cells[k] = 1 } // want `: t\.cells.*, low`

func (t *Sheaf) dump(out func(string)) {
	for k := range t.cells {
		out(k)
	}
}

func FillSheaf(t *Sheaf, k string) { go t.fillBad(k) }

func DumpSheaf(t *Sheaf, out func(string)) { go t.dump(out) }
