// Package beside has two reconcilers, of which one is called several times at once: the
// options that a method of it sets are its own.
package beside

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

type wide struct{ contexts map[string]context.Context }

func (w *wide) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	return w.reconcileBad(ctx, req)
}

func (w *wide) reconcileBad(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	if _, ok := w.contexts[req.Name]; !ok { // want `check-then-act: w\.contexts`
		w.contexts[req.Name] = ctx
	}
	return reconcile.Result{}, nil
}

func (w *wide) start() error {
	return controller.New("wide", controller.Options{Reconciler: w, MaxConcurrentReconciles: 4})
}

type narrow struct{ contexts map[string]context.Context }

func (n *narrow) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	return n.reconcileOk(ctx, req)
}

func (n *narrow) reconcileOk(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	if _, ok := n.contexts[req.Name]; !ok {
		n.contexts[req.Name] = ctx
	}
	return reconcile.Result{}, nil
}

func (n *narrow) start() error {
	return controller.New("narrow", controller.Options{Reconciler: n})
}
