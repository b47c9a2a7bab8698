package items

import (
	"context"
	"sync"

	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// A tracker is a reconciler's, which makes its keys of the request.
type tracker struct {
	mu sync.RWMutex
	m  map[string]*monitor
}

func (t *tracker) get(k string) (*monitor, bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	m, ok := t.m[k]
	return m, ok
}

func (t *tracker) set(k string, m *monitor) { t.mu.Lock(); defer t.mu.Unlock(); t.m[k] = m }

type tracked struct{ t *tracker }

func (r *tracked) setup() error {
	return controller.New("tracked", controller.Options{MaxConcurrentReconciles: 4, Reconciler: r})
}

func keyOf(req reconcile.Request) string { return req.Namespace + "/" + req.Name }

func (r *tracked) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	r.ensureOk(keyOf(req))
	return reconcile.Result{}, nil
}

func (r *tracked) ensureOk(key string) {
	if _, ok := r.t.get(key); !ok {
		r.t.set(key, newMonitor())
	}
}
