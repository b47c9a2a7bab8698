// Package one has reconcilers of which the controllers are told to call them once at a time.
package one

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

const workers = 1

type pools struct{ contexts map[string]context.Context }

func (p *pools) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	return p.reconcileOk(ctx, req)
}

func (p *pools) reconcileOk(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	if _, ok := p.contexts[req.Name]; !ok {
		p.contexts[req.Name] = ctx
	}
	return reconcile.Result{}, nil
}

func add() error {
	p := &pools{contexts: make(map[string]context.Context)}
	return controller.New("pools", controller.Options{Reconciler: p, MaxConcurrentReconciles: workers})
}
