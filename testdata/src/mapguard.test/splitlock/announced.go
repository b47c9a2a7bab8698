package splitlock

import "sync"

// Workers write what they have found under the names that they are sent. The sender puts a name in before it sends it, so
// where it finds none, no worker has that name.

type sheet struct{ title string }

func fetchPage(url string) *sheet { return &sheet{title: url} }

func announcedOk(urls []string, workers int) map[string]*sheet {
	pages := make(map[string]*sheet)
	var mu sync.Mutex
	var wg sync.WaitGroup
	queue := make(chan string, workers)
	for range workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for url := range queue {
				p := fetchPage(url)
				mu.Lock()
				pages[url] = p
				mu.Unlock()
			}
		}()
	}
	for _, url := range urls {
		mu.Lock()
		_, known := pages[url]
		mu.Unlock()
		if known {
			continue
		}
		mu.Lock()
		pages[url] = nil
		mu.Unlock()
		queue <- url
	}
	close(queue)
	wg.Wait()
	return pages
}

func announcedInSelectOk(urls []string, stop <-chan bool) map[string]*sheet {
	pages := make(map[string]*sheet)
	var mu sync.Mutex
	queue, done := make(chan string), make(chan bool)
	go func() {
		defer close(done)
		for {
			select {
			case url, more := <-queue:
				if !more {
					return
				}
				mu.Lock()
				pages[url] = fetchPage(url)
				mu.Unlock()
			case <-stop:
				return
			}
		}
	}()
	for _, url := range urls {
		mu.Lock()
		_, known := pages[url]
		mu.Unlock()
		if !known {
			mu.Lock()
			pages[url] = nil
			mu.Unlock()
			select {
			case queue <- url:
			case <-stop:
			}
		}
	}
	close(queue)
	<-done
	return pages
}

// The worker has the name before it is put in, and what it has found is lost.
func announcedTooSoonBad(urls []string) map[string]*sheet {
	pages := make(map[string]*sheet)
	var mu sync.Mutex
	var wg sync.WaitGroup
	queue := make(chan string)
	wg.Add(1)
	go func() {
		defer wg.Done()
		for url := range queue {
			p := fetchPage(url)
			mu.Lock()
			pages[url] = p
			mu.Unlock()
		}
	}()
	for _, url := range urls {
		mu.Lock()
		_, known := pages[url]
		mu.Unlock()
		if known {
			continue
		}
		queue <- url
		mu.Lock()
		pages[url] = &sheet{} // want `split-lock: pages is read at line \d+ and written here in two critical sections of mu`
		mu.Unlock()
	}
	close(queue)
	wg.Wait()
	return pages
}

// The worker also puts in what the pages lead to.
func announcedByWorkerBad(urls []string) map[string]*sheet {
	pages := make(map[string]*sheet)
	var mu sync.Mutex
	var wg sync.WaitGroup
	queue := make(chan string, 100)
	wg.Add(1)
	go func() {
		defer wg.Done()
		for url := range queue {
			p := fetchPage(url)
			mu.Lock()
			pages[url] = p
			mu.Unlock()
			select {
			case queue <- p.title:
			default:
			}
		}
	}()
	for _, url := range urls {
		mu.Lock()
		_, known := pages[url]
		mu.Unlock()
		if known {
			continue
		}
		mu.Lock()
		pages[url] = &sheet{} // want `split-lock: pages is read at line \d+ and written here in two critical sections of mu`
		mu.Unlock()
		queue <- url
	}
	wg.Wait()
	return pages
}

// A name that failed is taken out again, while an old one of it may still be in the queue.
func announcedTwiceBad(urls []string) map[string]*sheet {
	pages := make(map[string]*sheet)
	var mu sync.Mutex
	var wg sync.WaitGroup
	queue := make(chan string, 100)
	wg.Add(1)
	go func() {
		defer wg.Done()
		for url := range queue {
			p := fetchPage(url)
			mu.Lock()
			pages[url] = p
			if p.title == "" {
				delete(pages, url)
			}
			mu.Unlock()
		}
	}()
	for _, url := range urls {
		mu.Lock()
		_, known := pages[url]
		mu.Unlock()
		if known {
			continue
		}
		mu.Lock()
		pages[url] = &sheet{} // want `split-lock: pages is read at line \d+ and written here in two critical sections of mu`
		mu.Unlock()
		queue <- url
		queue <- url
	}
	close(queue)
	wg.Wait()
	return pages
}
