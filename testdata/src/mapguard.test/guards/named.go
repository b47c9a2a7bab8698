package guards

import "sync"

type named struct {
	enginesMu sync.Mutex
	engines   map[string]int

	muJobs sync.Mutex
	jobs   map[string]int

	userLock sync.RWMutex
	users    map[string]int

	cacheMutex sync.Mutex
	cache      map[string]int
}

func (n *named) suffixOk(k string) {
	n.enginesMu.Lock()
	defer n.enginesMu.Unlock()
	n.engines[k] = 1
}

func (n *named) suffixBad(k string) {
	n.engines[k] = 1 // want `unguarded-access: n\.engines .* without enginesMu.*named`
}

func (n *named) prefixOk(k string) {
	n.muJobs.Lock()
	defer n.muJobs.Unlock()
	n.jobs[k] = 1
}

func (n *named) prefixBad(k string) {
	n.jobs[k] = 1 // want `unguarded-access: n\.jobs .* without muJobs`
}

func (n *named) singularOk(k string) {
	n.userLock.RLock()
	defer n.userLock.RUnlock()
	println(n.users[k])
}

func (n *named) singularBad(k string) {
	n.users[k] = 1 // want `unguarded-access: n\.users .* without userLock`
}

func (n *named) mutexOk(k string) {
	n.cacheMutex.Lock()
	defer n.cacheMutex.Unlock()
	n.cache[k] = 1
}

func (n *named) mutexBad(k string) {
	n.cache[k] = 1 // want `unguarded-access: n\.cache .* without cacheMutex`
}

// A name that agrees with no access at all proves nothing.
type neverTaken struct {
	rowsMu sync.Mutex
	rows   map[string]int
}

func (n *neverTaken) nameAloneOk(k string) {
	n.rows[k] = 1
}

var (
	routesMu sync.RWMutex
	routes   = map[string]int{}
)

func globalNamedOk(k string) {
	routesMu.Lock()
	defer routesMu.Unlock()
	routes[k] = 1
}

func globalNamedBad(k string) {
	delete(routes, k) // want `unguarded-access: routes .* without routesMu`
}
