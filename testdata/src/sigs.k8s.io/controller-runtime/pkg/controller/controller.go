// Package controller stands in for controller-runtime's.
package controller

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// A Reconciler reconciles.
type Reconciler interface {
	Reconcile(context.Context, reconcile.Request) (reconcile.Result, error)
}

// Options of a controller.
type Options struct {
	MaxConcurrentReconciles int
	Reconciler              Reconciler
}

// New returns a controller.
func New(name string, o Options) error

// Defaults returns the options of a program.
func Defaults() Options

// A Counter gives a number.
type Counter interface{ Reading() uint64 }
