package lockstates

import "sync"

// A deal holds the lock of its market until it is closed. A noted deal is made around one, and closes it.
type market struct {
	mu     sync.RWMutex
	turn   sync.Mutex
	prices map[string]int
}

type deal struct {
	at  *market
	ops int
}

func (m *market) deal() *deal {
	m.mu.RLock()
	m.turn.Lock()
	return &deal{at: m}
}

func (d *deal) RaiseOk(k string) {
	d.at.prices[k] = d.at.prices[k] + 1
	d.ops++
}

func (d *deal) Close() {
	d.at.turn.Unlock()
	d.at.mu.RUnlock()
}

func (m *market) Price(k string) int {
	m.mu.RLock()
	defer m.mu.RUnlock()
	m.turn.Lock()
	defer m.turn.Unlock()
	return m.prices[k]
}

func (m *market) Clean() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for k, n := range m.prices {
		if n == 0 {
			delete(m.prices, k)
		}
	}
}

type Dealer interface {
	RaiseOk(k string)
	FallOk(k string)
	Close()
}

type Hall struct {
	*market
	noted []string
}

func NewHall() *Hall { return &Hall{market: &market{prices: map[string]int{}}} }

type notedDeal struct {
	*deal
	in *Hall
}

func (h *Hall) Deal() Dealer { return &notedDeal{h.market.deal(), h} }

func (n *notedDeal) FallOk(k string) {
	if n.deal.at.prices[k] > 0 {
		n.deal.at.prices[k]--
	}
}

func (n *notedDeal) Close() {
	if n.deal.at.prices["all"] > 0 {
		n.in.noted = append(n.in.noted, "all")
	}
	n.deal.Close()
}

// When the inner deal is closed, the lock is gone.
func (n *notedDeal) CloseAndSetBad(k string) {
	n.deal.Close()
	n.deal.at.prices[k] = 0 // want `unguarded-access: .*prices is written.*, low`
}

// Where an outer object is kept, others find the inner one.
type bazaar struct {
	mu     sync.Mutex
	prices map[string]int
}

type haggle struct{ at *bazaar }

func (b *bazaar) haggle() *haggle {
	b.mu.Lock()
	return &haggle{at: b}
}

func (g *haggle) RaiseBad(k string) {
	g.at.prices[k] = g.at.prices[k] + 1 // want `prices is read here, then written.*, low`
}

func (g *haggle) Close() { g.at.mu.Unlock() }

func (b *bazaar) Price(k string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.prices[k]
}

func (b *bazaar) Clean() {
	b.mu.Lock()
	defer b.mu.Unlock()
	clear(b.prices)
}

type longHaggle struct {
	*haggle
	by string
}

type Booth struct {
	bazaar *bazaar
	open   map[string]*longHaggle
}

func NewBooth() *Booth {
	return &Booth{bazaar: &bazaar{prices: map[string]int{}}, open: map[string]*longHaggle{}}
}

func (b *Booth) Begin(by string) *longHaggle {
	g := &longHaggle{b.bazaar.haggle(), by}
	b.open[by] = g
	return g
}
