package threads

import "context"

// A goroutine runs what it is sent, which comes in a struct with the channel on which it tells the end.

type clerkErrand struct {
	what func()
	over chan struct{}
}

type clerkDesk struct {
	errands chan clerkErrand
	shut    chan struct{}
}

func newDesk(last func()) *clerkDesk {
	d := &clerkDesk{errands: make(chan clerkErrand), shut: make(chan struct{})}
	go d.sit(last)
	return d
}

func (d *clerkDesk) sit(last func()) {
	defer last()
	for {
		select {
		case e := <-d.errands:
			e.what()
			close(e.over)
		case <-d.shut:
			return
		}
	}
}

func (d *clerkDesk) do(what func()) {
	over := make(chan struct{})
	select {
	case d.errands <- clerkErrand{what, over}:
		<-over
	case <-d.shut:
	}
}

type office struct {
	desk  *clerkDesk
	files map[int]string
}

func newOffice() *office {
	o := &office{files: make(map[int]string)}
	o.desk = newDesk(func() { o.burnOk() })
	return o
}

func (o *office) burnOk() {
	for n := range o.files {
		delete(o.files, n)
	}
}

func (o *office) FileOk(n int, s string) (fresh bool) {
	o.desk.do(func() {
		if _, ok := o.files[n]; !ok {
			o.files[n] = s
			fresh = true
		}
	})
	return fresh
}

func (o *office) AllOk() map[int]string {
	all := make(map[int]string)
	o.desk.do(func() {
		for n, s := range o.files {
			all[n] = s
		}
	})
	return all
}

// Between two errands, others can run.

func (o *office) FileTwiceBad(n int, s string) bool {
	there := false
	o.desk.do(func() { _, there = o.files[n] })
	if there {
		return false
	}
	o.desk.do(func() { o.files[n] = s }) // want `split-lock: o.files is read at line 86 and written here in two functions sent to o.desk.errands.*, low`
	return true
}

func (o *office) PeekBad() int {
	return len(o.files) // want `unguarded-access: o.files is measured with len without a lock.*.*, low`
}

// The struct goes by pointer, what it brings gets an argument, and a helper runs it.

type depotParcel struct {
	ctx context.Context
	run func(context.Context) error
	res chan error
}

type depot struct {
	parcels chan *depotParcel
	stock   map[string]int
}

func newDepot(ctx context.Context) *depot {
	d := &depot{parcels: make(chan *depotParcel, 4), stock: make(map[string]int)}
	go d.serve(ctx)
	return d
}

func (d *depot) serve(ctx context.Context) {
	for {
		select {
		case p := <-d.parcels:
			d.handle(p)
		case <-ctx.Done():
			d.clearOk()
			return
		}
	}
}

func (d *depot) handle(p *depotParcel) {
	if p.ctx.Err() != nil {
		p.res <- p.ctx.Err()
		return
	}
	p.res <- p.run(p.ctx)
}

func (d *depot) submit(ctx context.Context, run func(context.Context) error) error {
	p := &depotParcel{ctx: ctx, run: run, res: make(chan error, 1)}
	d.parcels <- p
	return <-p.res
}

func (d *depot) clearOk() {
	for k, n := range d.stock {
		if n == 0 {
			delete(d.stock, k)
		}
	}
}

func (d *depot) AddOk(ctx context.Context, k string) error {
	return d.submit(ctx, func(context.Context) error {
		if _, ok := d.stock[k]; !ok {
			d.stock[k] = 1
		}
		return nil
	})
}

// Here the loop only begins what it is sent.

type hastyErrand struct {
	what func()
	over chan struct{}
}

type hastyDesk struct {
	errands chan hastyErrand
	files   map[int]string
}

func newHastyDesk() *hastyDesk {
	d := &hastyDesk{errands: make(chan hastyErrand), files: make(map[int]string)}
	go d.sit()
	return d
}

func (d *hastyDesk) sit() {
	for e := range d.errands {
		go func() {
			e.what()
			close(e.over)
		}()
		if len(d.errands) == 0 {
			d.sweepBad()
		}
	}
}

func (d *hastyDesk) sweepBad() {
	for n, s := range d.files { // want `check-then-act: d.files is ranged over here, then deleted`
		if s == "" {
			delete(d.files, n)
		}
	}
}

func (d *hastyDesk) FileBad(n int, s string) {
	over := make(chan struct{})
	d.errands <- hastyErrand{func() { d.files[n] = s }, over} // want `unguarded-access: d.files is written without a lock.*, low`
	<-over
}

// Here it keeps some of what it is sent, which others run.

type lateErrand struct{ what func() }

type lateDesk struct {
	errands chan lateErrand
	later   []func()
	files   map[int]string
}

func newLateDesk() *lateDesk {
	d := &lateDesk{errands: make(chan lateErrand), files: make(map[int]string)}
	go d.sit()
	return d
}

func (d *lateDesk) sit() {
	for e := range d.errands {
		if cap(d.later) > 9 {
			d.later = append(d.later, e.what)
			continue
		}
		e.what()
		d.sweepBad()
	}
}

func (d *lateDesk) sweepBad() {
	for n, s := range d.files { // want `check-then-act: d.files is ranged over here, then deleted`
		if s == "" {
			delete(d.files, n)
		}
	}
}

func (d *lateDesk) FileBad(n int, s string) {
	d.errands <- lateErrand{func() { d.files[n] = s }} // want `unguarded-access: d.files is written without a lock.*, low`
}

func (d *lateDesk) Rest() {
	for _, f := range d.later {
		f()
	}
}

// What the loop calls when it ends is kept in a field.

type closing struct {
	errands chan clerkErrand
	shut    chan struct{}
	onClose func()
}

func newClosing(onClose func()) *closing {
	c := &closing{errands: make(chan clerkErrand), shut: make(chan struct{}), onClose: onClose}
	go c.loop()
	return c
}

func (c *closing) loop() {
	defer c.onClose()
	for {
		select {
		case e := <-c.errands:
			e.what()
			close(e.over)
		case <-c.shut:
			return
		}
	}
}

func (c *closing) do(what func()) {
	over := make(chan struct{})
	c.errands <- clerkErrand{what, over}
	<-over
}

type branch struct {
	loop *closing
	open map[int]string
}

func newBranch() *branch {
	b := &branch{open: make(map[int]string)}
	b.loop = newClosing(b.leaveOk)
	return b
}

func (b *branch) leaveOk() {
	for n := range b.open {
		delete(b.open, n)
	}
}

func (b *branch) EnterOk(n int) {
	b.loop.do(func() {
		if _, ok := b.open[n]; !ok {
			b.open[n] = "new"
		}
	})
}
