package deletes

import (
	"sync"
	"time"
)

type lease struct{ until time.Time }

type leases struct{ m sync.Map }

func (l *leases) put(k string, v *lease) { l.m.Store(k, v) }

func (l *leases) expireBad(k string, now time.Time) {
	if v, ok := l.m.Load(k); ok && v.(*lease).until.Before(now) {
		l.m.Delete(k) // want `sync-map: .*`
	}
}

func (l *leases) sweepBad(k string, now time.Time) {
	v, ok := l.m.Load(k)
	if ok && now.After(v.(*lease).until) {
		l.m.Delete(k) // want `sync-map: .*`
		return
	}
	println(k)
}

func (l *leases) expireOk(k string, now time.Time) {
	if v, ok := l.m.Load(k); ok && v.(*lease).until.Before(now) {
		l.m.CompareAndDelete(k, v)
	}
}
