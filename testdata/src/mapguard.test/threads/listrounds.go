package threads

import "errors"

// A loop over a list that is written out has as many rounds as the list is long: who receives as often has waited for all that it
// has started.

type sluice struct {
	level, flow, leaks map[string]int
	stop               chan struct{}
}

func (p *sluice) fillsOk() error {
	for range p.stop {
		p.level["tank"] = 1
	}
	return nil
}

func (p *sluice) drainsOk() error {
	for range p.stop {
		p.flow["pipe"] = 1
	}
	return errors.New("dry")
}

func (p *sluice) runOk() error {
	ended := make(chan error, 2)
	for _, work := range []func() error{p.fillsOk, p.drainsOk} {
		go func() { ended <- work() }()
	}
	err := <-ended
	close(p.stop)
	<-ended
	for k := range p.level {
		delete(p.level, k)
	}
	delete(p.flow, "pipe")
	return err
}

func (p *sluice) leakBad() error {
	p.leaks["seal"] = 1 // want `goroutine-race: p.leaks`
	return nil
}

func (p *sluice) tightens() error { return nil }

func (p *sluice) loosens() error { return nil }

// One of three may go on.
func (p *sluice) hurry() error {
	ended := make(chan error, 3)
	for _, work := range []func() error{p.leakBad, p.tightens, p.loosens} {
		go func() { ended <- work() }()
	}
	err := <-ended
	<-ended
	delete(p.leaks, "seal")
	return err
}
