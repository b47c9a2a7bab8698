// Package items has controllers whose workers take items from a work queue, which hands out
// equal ones one at a time: the queue is a lock for each key.
package items

import (
	"context"
	"fmt"
	"strings"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

type volume struct {
	metav1.ObjectMeta
	Spec struct{ Node string }
}

func (v *volume) copied() *volume { w := *v; return &w }

type lister interface {
	Get(name string) (*volume, error)
	Update(v *volume) (*volume, error)
}

type monitor struct{ stop chan struct{} }

func newMonitor() *monitor {
	m := &monitor{stop: make(chan struct{})}
	go func() { <-m.stop }()
	return m
}

type ctrl struct {
	queue    workqueue.TypedInterface[string]
	volumes  lister
	mu       sync.RWMutex
	monitors map[string]*monitor
	nodes    map[string]*monitor
	shared   map[string]*monitor
	total    sync.Map
}

func (c *ctrl) Run() {
	for range 5 {
		go func() {
			for c.next() {
			}
		}()
	}
}

func (c *ctrl) next() bool {
	key, quit := c.queue.Get()
	if quit {
		return false
	}
	defer c.queue.Done(key)
	if err := c.sync(key); err != nil {
		c.queue.Add(key)
	}
	return true
}

func (c *ctrl) sync(key string) (err error) {
	_, name, err := cache.SplitMetaNamespaceKey(key)
	if err != nil {
		return err
	}
	v, err := c.volumes.Get(name)
	if err != nil {
		return err
	}
	defer func() {
		if err == nil {
			_, err = c.volumes.Update(v)
		}
	}()
	for v.Spec.Node != "" {
		if v, err = c.volumes.Update(v.copied()); err != nil {
			return err
		}
	}
	c.ofItemOk(v)
	c.ofNodeBad(v)
	c.sharedBad(v)
	c.computedOk(fmt.Sprintf("%s/%s", v.Namespace, v.GetName()))
	if v.Spec.Node == "" {
		c.forget(v.Name)
	}
	return nil
}

// The workers that look here work on objects of other names.
func (c *ctrl) ofItemOk(v *volume) {
	c.mu.RLock()
	_, ok := c.monitors[v.Name]
	c.mu.RUnlock()
	if ok {
		return
	}
	m := newMonitor()
	c.mu.Lock()
	c.monitors[v.Name] = m
	c.mu.Unlock()
}

func (c *ctrl) forget(name string) {
	c.mu.Lock()
	delete(c.monitors, name)
	c.mu.Unlock()
}

// Many objects have one node.
func (c *ctrl) ofNodeBad(v *volume) {
	c.mu.RLock()
	_, ok := c.nodes[v.Spec.Node]
	c.mu.RUnlock()
	if ok {
		return
	}
	m := newMonitor()
	c.mu.Lock()
	c.nodes[v.Spec.Node] = m // want `split-lock: c\.nodes`
	c.mu.Unlock()
}

// Others than the workers put entries in, too.
func (c *ctrl) sharedBad(v *volume) {
	c.mu.RLock()
	_, ok := c.shared[v.Name]
	c.mu.RUnlock()
	if ok {
		return
	}
	m := newMonitor()
	c.mu.Lock()
	c.shared[v.Name] = m // want `split-lock: c\.shared`
	c.mu.Unlock()
}

func (c *ctrl) Share(name string) {
	m := newMonitor()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.shared[name] = m
}

func (c *ctrl) computedOk(key string) {
	if _, ok := c.total.Load(key); !ok {
		c.total.Store(key, newMonitor())
	}
}

// An early takes the item in a literal, as generated controllers do.
type early struct {
	queue workqueue.Interface
	seen  sync.Map
}

func (e *early) Run() {
	for range 2 {
		go func() {
			for e.nextOk() {
			}
		}()
	}
}

func (e *early) nextOk() bool {
	item, quit := e.queue.Get()
	if quit {
		return false
	}
	func(item any) {
		defer e.queue.Done(item)
		key, ok := item.(string)
		if !ok {
			return
		}
		if _, ok := e.seen.Load(key); !ok {
			e.seen.Store(key, newMonitor())
		}
	}(item)
	return true
}

// A late gives the item back before it is done with it.
type late struct {
	queue workqueue.TypedInterface[string]
	seen  sync.Map
}

func (l *late) Run() {
	for range 2 {
		go func() {
			for l.nextBad() {
			}
		}()
	}
}

func (l *late) nextBad() bool {
	key, quit := l.queue.Get()
	if quit {
		return false
	}
	l.queue.Done(key)
	if _, ok := l.seen.Load(key); !ok {
		l.seen.Store(key, newMonitor()) // want `sync-map: Load at line \d+ and Store here`
	}
	return true
}

// A rec is called for several requests at a time, each for another object.
type rec struct {
	seen  sync.Map
	nodes sync.Map
	store client
}

type client interface {
	Get(ctx context.Context, key any, into any) error
}

func (r *rec) setup() error {
	return controller.New("rec", controller.Options{MaxConcurrentReconciles: 4, Reconciler: r})
}

func (r *rec) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	var v volume
	if err := r.store.Get(ctx, req.NamespacedName, &v); err != nil {
		return reconcile.Result{}, err
	}
	r.oneOk(&v)
	r.nodeBad(&v)
	return reconcile.Result{}, nil
}

func (r *rec) oneOk(v *volume) {
	if _, ok := r.seen.Load(v.Name); !ok {
		r.seen.Store(v.Name, newMonitor())
	}
}

func (r *rec) nodeBad(v *volume) {
	if _, ok := r.nodes.Load(v.Spec.Node); !ok {
		r.nodes.Store(v.Spec.Node, newMonitor()) // want `sync-map: Load at line \d+ and Store here`
	}
}

// A keyer makes its keys of the item in several ways.
type keyer struct {
	queue   workqueue.TypedInterface[string]
	volumes lister
	parts   sync.Map
	joined  sync.Map
	chosen  sync.Map
	mixed   sync.Map
	structs sync.Map
	unknown sync.Map
	twice   sync.Map
}

func (k *keyer) Run() {
	for range 2 {
		go func() {
			for k.next() {
			}
		}()
	}
}

func (k *keyer) next() bool {
	key, quit := k.queue.Get()
	if quit {
		return false
	}
	defer func() { k.queue.Done(key) }()
	k.sync(key)
	return true
}

func (k *keyer) sync(key string) {
	parts := strings.Split(key, "/")
	v, err := k.volumes.Get(parts[1])
	if err != nil {
		return
	}
	if _, ok := k.parts.Load(parts[1]); !ok {
		k.parts.Store(parts[1], newMonitor())
	}
	k.joinedOk(parts[0] + "/" + parts[1])
	name := v.Name
	if parts[0] == "" {
		name = parts[1]
	}
	k.chosenOk(name)
	if parts[0] == "-" {
		name = v.Spec.Node
	}
	k.mixedBad(name)
	k.structsOk(types.NamespacedName{Namespace: parts[0], Name: parts[1]})
	k.unknownBad(string(v.Name[0]))
	k.twiceBad(key)
}

func (k *keyer) joinedOk(key string) {
	if _, ok := k.joined.Load(key); !ok {
		k.joined.Store(key, newMonitor())
	}
}

func (k *keyer) chosenOk(key string) {
	if _, ok := k.chosen.Load(key); !ok {
		k.chosen.Store(key, newMonitor())
	}
}

// The key can be a node's.
func (k *keyer) mixedBad(key string) {
	if _, ok := k.mixed.Load(key); !ok {
		k.mixed.Store(key, newMonitor()) // want `sync-map: Load at line \d+ and Store here`
	}
}

func (k *keyer) structsOk(key types.NamespacedName) {
	if _, ok := k.structs.Load(key); !ok {
		k.structs.Store(key, newMonitor())
	}
}

// Many names begin alike.
func (k *keyer) unknownBad(key string) {
	if _, ok := k.unknown.Load(key); !ok {
		k.unknown.Store(key, newMonitor()) // want `sync-map: Load at line \d+ and Store here`
	}
}

// Others call it without an item.
func (k *keyer) twiceBad(key string) {
	if _, ok := k.twice.Load(key); !ok {
		k.twice.Store(key, newMonitor()) // want `sync-map: Load at line \d+ and Store here`
	}
}

func (k *keyer) Now(key string) { k.twiceBad(key) }
