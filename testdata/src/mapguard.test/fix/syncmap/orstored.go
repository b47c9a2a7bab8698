package syncmap

import "sync"

// A visits counts by page, and by page and day.
type visits struct {
	pages sync.Map
	days  *sync.Map
	all   int
}

func (v *visits) pageBad(page string) {
	seen, _ := v.pages.LoadOrStore(page, 0)
	v.pages.Store(page, seen.(int)+1) // want `sync-map: .*`
}

func (v *visits) dayBad(day, page string) int {
	found, _ := v.days.LoadOrStore(day, &sync.Map{})
	pages := found.(*sync.Map)
	found, _ = pages.LoadOrStore(page, uint(0))
	// One more.
	n := found.(uint) + 1
	pages.Store(page, n) // want `sync-map: .*`
	v.all++
	return v.all
}

func (v *visits) firstBad(page string) {
	if seen, loaded := v.pages.LoadOrStore(page, 1); loaded {
		v.pages.Store(page, seen.(int)+1) // want `sync-map: .*`
	}
}

func (v *visits) countOk(page string) {
	for {
		seen, _ := v.pages.LoadOrStore(page, 0)
		if v.pages.CompareAndSwap(page, seen, seen.(int)+1) {
			return
		}
	}
}
