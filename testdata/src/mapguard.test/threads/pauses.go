package threads

import "context"

// The keeper lets the poller come to its map only where it has been told to pause: the poller has the map until it
// receives on hold, and again when it receives on cont.

type pollerOk struct {
	acks       map[int]int
	hold, cont chan struct{}
	errs       chan error
}

func newPollerOk(ctx context.Context) *pollerOk {
	p := &pollerOk{acks: make(map[int]int), hold: make(chan struct{}), cont: make(chan struct{}), errs: make(chan error, 1)}
	go p.poll(ctx)
	go p.keep(ctx)
	return p
}

func (p *pollerOk) poll(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-p.hold:
			select {
			case <-ctx.Done():
				return
			case <-p.cont:
			}
		default:
			p.ack(1)
		}
	}
}

func (p *pollerOk) ack(n int) {
	if _, ok := p.acks[n]; !ok {
		p.acks[n] = n
		p.errs <- nil
	}
}

func (p *pollerOk) keep(ctx context.Context) {
	for range p.errs {
		if !p.stopPolling(ctx) {
			return
		}
		for n := range p.acks {
			delete(p.acks, n)
		}
		p.goOn(ctx)
	}
}

func (p *pollerOk) stopPolling(ctx context.Context) bool {
	select {
	case <-ctx.Done():
		return false
	case p.hold <- struct{}{}:
		return true
	}
}

func (p *pollerOk) goOn(ctx context.Context) {
	select {
	case <-ctx.Done():
	case p.cont <- struct{}{}:
	}
}

// By plain sends and receives.

type plainPollerOk struct {
	seen      map[int]bool
	halt, run chan bool
	in        chan int
}

func newPlainPollerOk() *plainPollerOk {
	p := &plainPollerOk{seen: make(map[int]bool), halt: make(chan bool), run: make(chan bool), in: make(chan int)}
	go p.loop()
	return p
}

func (p *plainPollerOk) loop() {
	for {
		select {
		case n := <-p.in:
			if !p.seen[n] {
				p.seen[n] = true
			}
		case <-p.halt:
			<-p.run
		}
	}
}

func (p *plainPollerOk) Clear() {
	p.halt <- true
	for n := range p.seen {
		delete(p.seen, n)
	}
	p.run <- true
}

// Here who pauses goes on before the other one has stopped: there is room in the channel.

type roomyPoller struct {
	seen      map[int]bool
	halt, run chan bool
	in        chan int
}

func newRoomyPoller() *roomyPoller {
	p := &roomyPoller{seen: make(map[int]bool), halt: make(chan bool, 1), run: make(chan bool), in: make(chan int)}
	go p.loopBad()
	return p
}

func (p *roomyPoller) loopBad() {
	for {
		select {
		case n := <-p.in:
			if !p.seen[n] { // want `check-then-act: p.seen is read here, then written`
				p.seen[n] = true
			}
		case <-p.halt:
			<-p.run
		}
	}
}

func (p *roomyPoller) Clear() {
	p.halt <- true
	for n := range p.seen {
		delete(p.seen, n)
	}
	p.run <- true
}

// Here the loop does not wait to be told to go on.

type deafPoller struct {
	seen      map[int]bool
	halt, run chan bool
	in        chan int
}

func newDeafPoller() *deafPoller {
	p := &deafPoller{seen: make(map[int]bool), halt: make(chan bool), run: make(chan bool), in: make(chan int)}
	go p.loopBad()
	return p
}

func (p *deafPoller) loopBad() {
	for {
		select {
		case n := <-p.in:
			if !p.seen[n] { // want `check-then-act: p.seen is read here, then written`
				p.seen[n] = true
			}
		case <-p.halt:
			p.seen[0] = true
		}
	}
}

func (p *deafPoller) Clear() {
	p.halt <- true
	for n := range p.seen {
		delete(p.seen, n)
	}
}

// Here the loop works on the map before it waits, when the other one goes on already.

type busyPoller struct {
	seen      map[int]bool
	halt, run chan bool
	in        chan int
}

func newBusyPoller() *busyPoller {
	p := &busyPoller{seen: make(map[int]bool), halt: make(chan bool), run: make(chan bool), in: make(chan int)}
	go p.loop()
	return p
}

func (p *busyPoller) loop() {
	for {
		select {
		case n := <-p.in:
			p.seen[n] = true
		case <-p.halt:
			p.lastBad()
			<-p.run
		}
	}
}

func (p *busyPoller) lastBad() {
	if !p.seen[0] { // want `check-then-act: p.seen is read here, then written`
		p.seen[0] = true
	}
}

func (p *busyPoller) Clear() {
	p.halt <- true
	for n := range p.seen {
		delete(p.seen, n)
	}
	p.run <- true
}

// Here who pauses looks again when the loop goes on.

type lingeringPoller struct {
	seen      map[int]bool
	halt, run chan bool
	in        chan int
}

func newLingeringPoller() *lingeringPoller {
	p := &lingeringPoller{seen: make(map[int]bool), halt: make(chan bool), run: make(chan bool), in: make(chan int)}
	go p.loop()
	return p
}

func (p *lingeringPoller) loop() {
	for {
		select {
		case n := <-p.in:
			p.seen[n] = true
		case <-p.halt:
			<-p.run
		}
	}
}

func (p *lingeringPoller) ClearBad() {
	p.halt <- true
	p.run <- true
	for n := range p.seen { // want `check-then-act: p.seen is ranged over here, then deleted`
		delete(p.seen, n)
	}
}
