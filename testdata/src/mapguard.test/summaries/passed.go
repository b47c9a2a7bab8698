package summaries

import "sync"

// A map that is passed by value has another variable in the callee: what that is given there is never the caller's. The
// entries are.

// labels may get a default; the address of a parameter goes to a helper, which may give it a map.
type labels map[string]string

func fillIn(l *labels) {
	if *l == nil {
		*l = make(labels)
	}
}

func withDefault(l labels) string {
	fillIn(&l)
	return l["name"]
}

var (
	plainMu     sync.Mutex
	plainLabels = labels{"name": "plain"}
)

func setPlain(k, v string) {
	plainMu.Lock()
	defer plainMu.Unlock()
	plainLabels[k] = v
}

func plainOk() string {
	plainMu.Lock()
	defer plainMu.Unlock()
	return withDefault(plainLabels)
}

var startLabels = labels{"name": "start"}

// Many read, and no one assigns to the variable.
func startManyOk() {
	for range 4 {
		go func() { _ = withDefault(startLabels) }()
	}
}

// The entry is the same map's.
func putInBad(l *labels) {
	if *l == nil {
		*l = make(labels)
	}
	(*l)["used"] = "yes" // want `goroutine-race: usedLabels is written in a goroutine without a lock`
}

func withUse(l labels) string {
	putInBad(&l)
	return l["name"]
}

var usedLabels = labels{"name": "used"}

func startUsers() {
	for range 4 {
		go func() { _ = withUse(usedLabels) }()
	}
}

var givenLabels labels

// The address of the variable itself is passed.
func startGivenBad() {
	for range 4 {
		go func() { fillIn(&givenLabels) }() // want `check-then-act: givenLabels is compared with nil here, then assigned`
	}
}

type labelled struct {
	mu  sync.Mutex
	all labels
}

func (l *labelled) put(k, v string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.all == nil {
		l.all = make(labels)
	}
	l.all[k] = v
}

func (l *labelled) name() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all["name"]
}

func (l *labelled) useBad() string {
	return withUse(l.all) // want `unguarded-access: l.all is (written|ranged over|read) without mu`
}

// A literal's own parameter is no more than that.
var ownLabels = labels{"name": "own"}

func startOwnOk() {
	read := func(l labels) string {
		fillIn(&l)
		return l["name"]
	}
	for range 4 {
		go func() { _ = read(ownLabels) }()
	}
}

// The method's receiver is a map by value.
func (l labels) filled() string {
	fillIn(&l)
	return l["name"]
}

var receiverLabels = labels{"name": "receiver"}

func startReceiverOk() {
	for range 4 {
		go func() { _ = receiverLabels.filled() }()
	}
}
