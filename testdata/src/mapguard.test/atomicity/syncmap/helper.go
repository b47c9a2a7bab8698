package syncmap

import "sync"

// One helper makes both steps, on a map that it gets: it is the one to change, and those who
// call it are not told again.

type reader struct{ pages int }

func readerBad(id string, cache *sync.Map) *reader {
	if v, ok := cache.Load(id); ok {
		return v.(*reader)
	}
	r := &reader{}
	if !r.open(id) {
		cache.Store(id, r) // want `sync-map: Load at line \d+ and Store here on cache`
		return r
	}
	r.pages = 0
	cache.Store(id, r)
	return r
}

func (r *reader) open(id string) bool {
	r.pages = len(id)
	return r.pages > 0
}

func pageOk(ids []string, cache *sync.Map) (n int) {
	for _, id := range ids {
		r := readerBad(id, cache)
		r.pages++
		n += r.pages
	}
	return n
}

func pagesOk(pages [][]string, cache *sync.Map) []int {
	out := make([]int, len(pages))
	var wg sync.WaitGroup
	for i, ids := range pages {
		wg.Add(1)
		go func() {
			defer wg.Done()
			out[i] = pageOk(ids, cache)
		}()
	}
	wg.Wait()
	return out
}

func shelfOk(pages [][]string) []int { return pagesOk(pages, &sync.Map{}) }
