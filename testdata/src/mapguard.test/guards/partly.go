package guards

import "sync"

// A lock claims the map that it names most exactly: one whose name has a part of
// that in it, too, is another map.
type drivers struct {
	drivers        map[string]int
	driversLock    sync.Mutex
	kinds          int
	retiredDrivers map[string]string

	partsMu   sync.Mutex
	parts     map[string]int
	partsByID map[string]int

	loadedMu     sync.Mutex
	loadedDisks  map[string]int
	loadedLength int
}

func (d *drivers) set(k string) {
	d.driversLock.Lock()
	defer d.driversLock.Unlock()
	d.drivers[k] = 1
}

func (d *drivers) loadOk() {
	d.driversLock.Lock()
	defer d.driversLock.Unlock()
	d.drivers = map[string]int{"a": 1}
	d.retiredDrivers = map[string]string{"b": "use a"}
}

func (d *drivers) retiredOk(k string) string {
	return d.retiredDrivers[k] + d.retiredDrivers[""] + d.twiceOk(k)
}

func (d *drivers) twiceOk(k string) string { return d.retiredDrivers[k] + d.retiredDrivers[k+k] }

func (d *drivers) driverBad(k string) int {
	return d.drivers[k] // want `unguarded-access: d\.drivers .* without driversLock.*named`
}

// An index of the same parts is named as exactly.
func (d *drivers) addOk(k string) {
	d.partsMu.Lock()
	defer d.partsMu.Unlock()
	d.parts[k] = 1
	d.partsByID[k] = 1
}

func (d *drivers) partBad(k string) int {
	return d.partsByID[k] + // want `unguarded-access: d\.partsByID .* without partsMu.*named`
		d.partsByID[k+k]
}

// No map has the lock's whole name.
func (d *drivers) mountOk(k string) {
	d.loadedMu.Lock()
	defer d.loadedMu.Unlock()
	d.loadedDisks[k] = 1
}

func (d *drivers) diskBad(k string) int {
	return d.loadedDisks[k] // want `unguarded-access: d\.loadedDisks .* without loadedMu.*named`
}
