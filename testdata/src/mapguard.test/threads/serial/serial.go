// Package serial has reconcilers that their controller calls one at a time.
package serial

import (
	"context"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func add(r controller.Reconciler) error {
	return controller.New("pools", controller.Options{Reconciler: r})
}

type pools struct{ contexts map[string]context.Context }

// One request comes after the other.
func (p *pools) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	return p.reconcileOk(ctx, req)
}

func (p *pools) reconcileOk(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	if _, ok := p.contexts[req.Name]; !ok {
		p.contexts[req.Name] = ctx
	}
	return reconcile.Result{}, nil
}

func addPools() error { return add(&pools{contexts: make(map[string]context.Context)}) }

type watched struct{ cancelled map[string]time.Time }

// A goroutine that a request starts runs on beside the next request.
func (w *watched) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	w.noteBad(req)
	go w.watchBad(ctx, req)
	return reconcile.Result{}, nil
}

func (w *watched) noteBad(req reconcile.Request) {
	if _, ok := w.cancelled[req.Name]; !ok { // want `check-then-act: w\.cancelled`
		w.cancelled[req.Name] = time.Now()
	}
}

func (w *watched) watchBad(ctx context.Context, req reconcile.Request) {
	<-ctx.Done()
	delete(w.cancelled, req.Name) // want `w\.cancelled is deleted`
}

func addWatched() error { return add(&watched{cancelled: make(map[string]time.Time)}) }
