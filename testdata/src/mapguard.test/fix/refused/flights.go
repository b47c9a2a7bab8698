package refused

import (
	"os"
	"sync"

	"golang.org/x/sync/singleflight"
)

type host struct{ name string }

func (h *host) rename() { h.name += "." }

type flights struct {
	m     sync.Map
	n     int
	group singleflight.Group
	Group singleflight.Group
	more  singleflight.Group
}

// Another function takes part in the group, and may have the value that loses.
func (f *flights) sharedBad(k string) *conn {
	v, ok := f.m.Load(k)
	if !ok {
		v, _, _ = f.group.Do(k, func() (any, error) { return dial(k), nil })
		f.m.Store(k, v) // want `sync-map: .*`
	}
	return v.(*conn)
}

func (f *flights) joins(k string) any {
	v, _, _ := f.group.Do(k, func() (any, error) { return nil, nil })
	return v
}

// Other packages can take part.
func (f *flights) exportedBad(k string) *conn {
	v, ok := f.m.Load(k)
	if !ok {
		v, _, _ = f.Group.Do(k, func() (any, error) { return dial(k), nil })
		f.m.Store(k, v) // want `sync-map: .*`
	}
	return v.(*conn)
}

// What the flight gives may be with others already.
func (f *flights) givenBad(k string, c *conn) *conn {
	v, ok := f.m.Load(k)
	if !ok {
		v, _, _ = f.more.Do(k, func() (any, error) { return c, nil })
		f.m.Store(k, v) // want `sync-map: .*`
	}
	return v.(*conn)
}

// It is copied, and so gets no mutex under which entries are made in turn.
type apart struct {
	m     sync.Map
	n     int
	group singleflight.Group
}

func (a apart) size() int { return a.n }

// It may run again, after another look of others.
func (a *apart) twiceBad(k string, n int) {
	if _, ok := a.m.Load(k); ok {
		return
	}
	put := func() {
		a.m.Store(k, dial(k)) // want `sync-map: .*`
	}
	put()
	if n > 1 {
		put()
	}
}

func (a *apart) startedBad(k string) {
	if _, ok := a.m.Load(k); !ok {
		go func() {
			a.m.Store(k, dial(k)) // want `sync-map: .*`
		}()
	}
}

// The one who stored counts.
func (a *apart) countsBad(k string) {
	if _, ok := a.m.Load(k); !ok {
		_, _, _ = a.group.Do(k, func() (any, error) {
			c := dial(k)
			a.m.Store(k, c) // want `sync-map: .*`
			return c, nil
		})
		a.n++
		println(a.n)
	}
}

func (a *apart) branchBad(k string) {
	if _, ok := a.m.Load(k); !ok {
		if _, err, _ := a.group.Do(k, func() (any, error) {
			c := dial(k)
			a.m.Store(k, c) // want `sync-map: .*`
			return c, nil
		}); err == nil {
			a.n++
		}
	}
}

// The variable is the outer function's, which goes on with it.
func (a *apart) outerBad(k string) *conn {
	if v, ok := a.m.Load(k); ok {
		return v.(*conn)
	}
	var c *conn
	func() {
		c = dial(k)
		a.m.Store(k, c) // want `sync-map: .*`
	}()
	return c
}

// The key changes in between: a method gets its address.
func (a *apart) renamedBad(h host) *conn {
	if v, ok := a.m.Load(h.name); ok {
		return v.(*conn)
	}
	h.rename()
	v := dial(h.name)
	a.m.Store(h.name, v) // want `sync-map: .*`
	return v
}

// Only one who stores goes on to count.
func (a *apart) goesOnBad(k string) (v any) {
	v, ok := a.m.Load(k)
	if !ok {
		a.n += func() int {
			v = dial(k)
			a.m.Store(k, v) // want `sync-map: .*`
			return 1
		}()
		a.n++
	}
	return v
}

// The flight is a function of the package's own.
func (a *apart) ownBad(k string, run func(func() error) error) error {
	if _, ok := a.m.Load(k); ok {
		return nil
	}
	return run(func() error {
		a.m.Store(k, dial(k)) // want `sync-map: .*`
		return nil
	})
}

type opened struct {
	m                       sync.Map
	one, two, three, common singleflight.Group
}

// What runs alone does more than to make the value.
func (o *opened) moreBad(name string) (any, error) {
	if v, ok := o.m.Load(name); ok {
		return v, nil
	}
	v, err, _ := o.one.Do(name, func() (any, error) {
		println(name)
		return os.Open(name)
	})
	if err != nil {
		return nil, err
	}
	o.m.Store(name, v) // want `sync-map: .*`
	return v, nil
}

// Files of other names are opened at the same time under one key.
func (o *opened) keyBad(dir, name string) (any, error) {
	if v, ok := o.m.Load(name); ok {
		return v, nil
	}
	v, err, _ := o.two.Do(dir, func() (any, error) { return os.Open(name) })
	if err != nil {
		return nil, err
	}
	o.m.Store(name, v) // want `sync-map: .*`
	return v, nil
}

// What failed is stored, too.
func (o *opened) failedBad(name string) (any, error) {
	if v, ok := o.m.Load(name); ok {
		return v, nil
	}
	v, err, _ := o.three.Do(name, func() (any, error) { return os.Open(name) })
	println(name)
	o.m.Store(name, v) // want `sync-map: .*`
	return v, err
}

// The group has another use.
func (o *opened) commonBad(name string) (any, error) {
	if v, ok := o.m.Load(name); ok {
		return v, nil
	}
	v, err, _ := o.common.Do(name, func() (any, error) { return os.Open(name) })
	if err != nil {
		return nil, err
	}
	o.m.Store(name, v) // want `sync-map: .*`
	return v, nil
}

func (o *opened) again(name string) {
	o.common.Do(name, func() (any, error) { return nil, nil })
}
