// Package fetched has a reconciler whose controller's options come from elsewhere: they can say
// that it is called several times at once.
package fetched

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

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
	o := controller.Defaults()
	o.Reconciler = &pools{contexts: make(map[string]context.Context)}
	return controller.New("pools", o)
}
