package names

import (
	"context"
	"sync"
)

var (
	bookMu sync.Mutex
	book   = make(map[string]*int)
)

// TitleOk is alone with its title, in the package of the lock.
func TitleOk(title string) (*int, error) {
	release, err := Take(context.Background(), "title/"+title)
	if err != nil {
		return nil, err
	}
	defer release()
	bookMu.Lock()
	n := book[title]
	bookMu.Unlock()
	if n == nil {
		n = new(int)
		bookMu.Lock()
		book[title] = n
		bookMu.Unlock()
	}
	return n, nil
}
