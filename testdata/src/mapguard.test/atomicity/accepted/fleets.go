package accepted

import "sync"

// One goroutine alone takes out of the maps in a map, and others only add: what it has found is what it takes out.

type ferry interface{ Sink() }

// fleet refuses what is there.
type fleet struct {
	mu     sync.Mutex
	docks  map[string]map[int]ferry
	sunken chan [2]int
	names  []string
}

func NewFleetDocks() *fleet {
	f := &fleet{docks: map[string]map[int]ferry{}, sunken: make(chan [2]int)}
	go f.salvageFleetDocksOk()
	return f
}

func (f *fleet) find(port string, n int) ferry {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.docks[port][n]
}

func (f *fleet) drop(port string, n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if at := f.docks[port]; at != nil {
		delete(at, n)
	}
}

func (f *fleet) Launch(port string, n int, x ferry) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, ok := f.docks[port]; !ok {
		f.docks[port] = make(map[int]ferry)
	}
	if _, ok := f.docks[port][n]; ok {
		return false
	}
	f.docks[port][n] = x
	return true
}

func (f *fleet) salvageFleetDocksOk() {
	for at := range f.sunken {
		port := f.names[at[0]]
		if x := f.find(port, at[1]); x != nil {
			x.Sink()
			f.drop(port, at[1])
		}
	}
}

// overFleet takes what comes last, too.
type overFleet struct {
	mu     sync.Mutex
	docks  map[string]map[int]ferry
	sunken chan [2]int
	names  []string
}

func NewOverDocks() *overFleet {
	f := &overFleet{docks: map[string]map[int]ferry{}, sunken: make(chan [2]int)}
	go f.salvageOverDocksBad()
	return f
}

func (f *overFleet) find(port string, n int) ferry {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.docks[port][n]
}

func (f *overFleet) drop(port string, n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if at := f.docks[port]; at != nil {
		delete(at, n)
	}
}

func (f *overFleet) Launch(port string, n int, x ferry) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, ok := f.docks[port]; !ok {
		f.docks[port] = make(map[int]ferry)
	}
	if _, ok := f.docks[port][n]; ok {
		return false
	}
	f.docks[port][n] = x
	return true
}

func (f *overFleet) Replace(port string, n int, x ferry) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if at := f.docks[port]; at != nil {
		at[n] = x
	}
}

func (f *overFleet) salvageOverDocksBad() {
	for at := range f.sunken {
		port := f.names[at[0]]
		if x := f.find(port, at[1]); x != nil {
			x.Sink()
			f.drop(port, at[1]) // want `split-lock: f\.docks`
		}
	}
}

// closing is a fleet of which others close a port.
type closing struct {
	mu     sync.Mutex
	docks  map[string]map[int]ferry
	sunken chan [2]int
	names  []string
}

func NewClosingDocks() *closing {
	f := &closing{docks: map[string]map[int]ferry{}, sunken: make(chan [2]int)}
	go f.salvageClosingDocksBad()
	return f
}

func (f *closing) find(port string, n int) ferry {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.docks[port][n]
}

func (f *closing) drop(port string, n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if at := f.docks[port]; at != nil {
		delete(at, n)
	}
}

func (f *closing) Launch(port string, n int, x ferry) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, ok := f.docks[port]; !ok {
		f.docks[port] = make(map[int]ferry)
	}
	if _, ok := f.docks[port][n]; ok {
		return false
	}
	f.docks[port][n] = x
	return true
}

func (f *closing) Close(port string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.docks, port)
}

func (f *closing) salvageClosingDocksBad() {
	for at := range f.sunken {
		port := f.names[at[0]]
		if x := f.find(port, at[1]); x != nil {
			x.Sink()
			f.drop(port, at[1]) // want `split-lock: f\.docks`
		}
	}
}

// refitted is one of which a port gets a new map when the first one is launched again.
type refitted struct {
	mu     sync.Mutex
	docks  map[string]map[int]ferry
	sunken chan [2]int
	names  []string
}

func NewRefittedDocks() *refitted {
	f := &refitted{docks: map[string]map[int]ferry{}, sunken: make(chan [2]int)}
	go f.salvageRefittedDocksBad()
	return f
}

func (f *refitted) find(port string, n int) ferry {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.docks[port][n]
}

func (f *refitted) drop(port string, n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if at := f.docks[port]; at != nil {
		delete(at, n)
	}
}

func (f *refitted) Launch(port string, n int, x ferry) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if n == 0 {
		f.docks[port] = make(map[int]ferry)
	}
	if _, ok := f.docks[port][n]; ok {
		return false
	}
	f.docks[port][n] = x
	return true
}

func (f *refitted) salvageRefittedDocksBad() {
	for at := range f.sunken {
		port := f.names[at[0]]
		if x := f.find(port, at[1]); x != nil {
			x.Sink()
			f.drop(port, at[1]) // want `split-lock: f\.docks`
		}
	}
}

// A hulk takes what others give it, so that it may have more by the time it goes.
type hulk struct {
	mu    sync.Mutex
	holds map[string]int
}

func (h *hulk) Scuttle() {
	h.mu.Lock()
	defer h.mu.Unlock()
	clear(h.holds)
}

// Stow gives it something.
func (h *hulk) Stow(what string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.holds[what]++
}

// hulks are such ones.
type hulks struct {
	mu     sync.Mutex
	docks  map[string]map[int]*hulk
	sunken chan [2]int
	names  []string
}

func NewHulksDocks() *hulks {
	f := &hulks{docks: map[string]map[int]*hulk{}, sunken: make(chan [2]int)}
	go f.salvageHulksDocksBad()
	return f
}

func (f *hulks) find(port string, n int) *hulk {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.docks[port][n]
}

func (f *hulks) drop(port string, n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if at := f.docks[port]; at != nil {
		delete(at, n)
	}
}

func (f *hulks) Launch(port string, n int, x *hulk) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, ok := f.docks[port]; !ok {
		f.docks[port] = make(map[int]*hulk)
	}
	if _, ok := f.docks[port][n]; ok {
		return false
	}
	f.docks[port][n] = x
	return true
}

func (f *hulks) Stow(port string, n int, what string) {
	if h := f.find(port, n); h != nil {
		h.Stow(what)
	}
}

func (f *hulks) salvageHulksDocksBad() {
	for at := range f.sunken {
		port := f.names[at[0]]
		if x := f.find(port, at[1]); x != nil {
			x.Scuttle()
			f.drop(port, at[1]) // want `split-lock: f\.docks`
		}
	}
}
