package lockstates

import (
	"errors"
	"sync"
)

// A return that names the result's own variable, which a literal has, too, gives that variable nothing new.

type parcel struct {
	mu     sync.Mutex
	labels map[string]int
}

type mailroom struct {
	mu      sync.Mutex
	parcels map[string]*parcel
}

func (d *mailroom) parcel(id string) *parcel {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.parcels[id]
}

// open returns a parcel with its lock held, unless it fails.
func (d *mailroom) open(id string, sealed bool) (p *parcel, err error) {
	p = d.parcel(id)
	p.mu.Lock()
	defer func() {
		if err != nil {
			p.mu.Unlock()
		}
	}()
	if sealed {
		return p, errors.New("sealed")
	}
	return p, nil
}

func (d *mailroom) stickOk(id, label string) error {
	p, err := d.open(id, false)
	if err != nil {
		return err
	}
	if p.labels[label] == 0 {
		p.labels[label] = 1
	}
	p.mu.Unlock()
	return nil
}

func (d *mailroom) peelOk(id, label string) error {
	p, err := d.open(id, false)
	if err != nil {
		return err
	}
	defer p.mu.Unlock()
	if p.labels[label] == 1 {
		delete(p.labels, label)
	}
	return nil
}

func (d *mailroom) stickBad(id, label string) error {
	p, err := d.open(id, false)
	if err != nil {
		return err
	}
	n := p.labels[label]
	p.mu.Unlock()
	p.mu.Lock()
	defer p.mu.Unlock()
	if n < 3 {
		p.labels[label] = n + 1 // want `split-lock: .*labels.*, low`
	}
	return nil
}

func (p *parcel) scratchOk(label string) {
	p.mu.Lock()
	delete(p.labels, label)
	p.mu.Unlock()
}

func (p *parcel) countOk(label string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.labels[label]
}

func (p *parcel) wipeOk() {
	p.mu.Lock()
	defer p.mu.Unlock()
	clear(p.labels)
}
