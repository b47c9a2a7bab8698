package guards

import "sync"

// When the prose names one lock and the code takes another, the Disagreement
// is the finding.
type Disagreement struct {
	// muA protects m.
	muA sync.Mutex
	muB sync.Mutex
	m   map[string]int
}

func (d *Disagreement) asWrittenOk(k string) {
	d.muA.Lock()
	defer d.muA.Unlock()
	d.m[k] = 1
}

func (d *Disagreement) asDoneBad(k string) {
	d.muB.Lock()
	defer d.muB.Unlock()
	d.m[k] = 2 // want `unguarded-access: d\.m .* without muA.*comment says that muA`
}

// drop removes k. d.muA must be held.
func (d *Disagreement) drop(k string) { delete(d.m, k) }

// sweep removes k; the caller holds muA.
func (d *Disagreement) sweep(k string) { delete(d.m, k) }

func (d *Disagreement) dropLocked(k string) { delete(d.m, k) }

// +checklocks:d.muA
func (d *Disagreement) annotated(k string) { delete(d.m, k) }

func (d *Disagreement) helpersOk(k string) {
	d.muA.Lock()
	defer d.muA.Unlock()
	d.drop(k)
	d.sweep(k)
	d.dropLocked(k)
	d.annotated(k)
}

// DocSaysHeldBad calls without.
func (d *Disagreement) DocSaysHeldBad(k string) {
	d.drop(k) // want `unguarded-access: .*d\.m`
}

// DocSaysCallerHoldsBad calls without.
func (d *Disagreement) DocSaysCallerHoldsBad(k string) {
	d.sweep(k) // want `unguarded-access: .*d\.m`
}

// NameSaysLockedBad calls without.
func (d *Disagreement) NameSaysLockedBad(k string) {
	d.dropLocked(k) // want `unguarded-access: .*d\.m`
}

// AnnotationSaysBad calls without.
func (d *Disagreement) AnnotationSaysBad(k string) {
	d.annotated(k) // want `unguarded-access: .*d\.m`
}

// removeLocked has no caller that holds the lock: the doc's word stands.
// A NobodyHolds has a helper that no call here serves as it should.
type NobodyHolds struct {
	mu sync.Mutex
	m  map[string]int // guarded by mu
}

func (n *NobodyHolds) removeLocked(k string) { delete(n.m, k) }

func (n *NobodyHolds) insertOk(k string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.m[k] = 1
}

// OnlyCallerBad calls without.
func (n *NobodyHolds) OnlyCallerBad(k string) {
	n.removeLocked(k) // want `unguarded-access: .*n\.m`
}

// Nothing is promised here: the lock is not held. The words of a promise are
// there all the same.
func (n *NobodyHolds) NegatedProseBad(k string) {
	n.m[k] = 2 // want `unguarded-access: .*n\.m`
}

// The map must be locked by this function itself before it changes.
// It would take reading who is to do the locking, not only that it must be
// done.
func (n *NobodyHolds) FN_proseOfAnotherKindBad(k string) {
	n.m[k] = 3 // taken for a promise of the caller's
}
