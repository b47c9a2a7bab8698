package locks

import "golang.org/x/sync/singleflight"

// A single flight keeps two runs for one key apart. It protects no map: the flights of
// two keys run at one time, so where most accesses are in one, the others miss no lock.
type Flown struct {
	runs singleflight.Group
	seen map[string]bool
}

func (f *Flown) CheckOk(id string) {
	f.runs.Do(id, func() (any, error) {
		f.mark("begun")
		defer f.drop("begun")
		for k := range f.seen {
			f.mark(k + "!")
		}
		return len(f.seen), nil
	})
}

func (f *Flown) mark(k string) { f.seen[k] = true }

func (f *Flown) drop(k string) { delete(f.seen, k) }

func (f *Flown) ResetOk() {
	for k := range f.seen {
		delete(f.seen, k)
	}
}
