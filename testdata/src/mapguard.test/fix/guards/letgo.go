package guards

import "sync"

// A kiosk has prices, and sheets that print them when they are asked to.
type kiosk struct {
	mu     sync.Mutex // protects prices
	prices map[string]int
	news   chan string
}

type sheet struct {
	price int
	print func() string
	next  func() string
}

func newKiosk() *kiosk { return &kiosk{prices: make(map[string]int), news: make(chan string)} }

func (k *kiosk) setOk(name string, price int) {
	k.mu.Lock()
	k.prices[name] = price
	k.mu.Unlock()
}

// What is kept in the sheet waits, and takes the lock. It does so once it is called, not here.
func (k *kiosk) sheetBad(name string, known bool) *sheet {
	s := new(sheet)
	if known {
		s.price = k.prices[name] // want `unguarded-access: .*`
	} else {
		s.price = 1
	}
	s.print = func() string { return name + <-k.news }
	s.next = func() string {
		k.setOk(name, 1)
		return name
	}
	return s
}

func serveKiosk() {
	k := newKiosk()
	for _, name := range []string{"a", "b"} {
		go func() {
			k.setOk(name, 2)
			println(k.sheetBad(name, true).price)
		}()
	}
}
