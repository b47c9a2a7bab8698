// Package told has a reconciler whose controller is told by a setting how often to call it at once.
package told

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

var workers = 1

type pools struct{ contexts map[string]context.Context }

func (p *pools) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	return p.reconcileBad(ctx, req)
}

func (p *pools) reconcileBad(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	if _, ok := p.contexts[req.Name]; !ok { // want `check-then-act: p\.contexts`
		p.contexts[req.Name] = ctx
	}
	return reconcile.Result{}, nil
}

func add() error {
	p := &pools{contexts: make(map[string]context.Context)}
	return controller.New("pools", controller.Options{Reconciler: p, MaxConcurrentReconciles: workers})
}
