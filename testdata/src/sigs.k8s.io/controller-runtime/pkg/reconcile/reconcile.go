// Package reconcile stands in for controller-runtime's.
package reconcile

import "k8s.io/apimachinery/pkg/types"

// A Request names an object.
type Request struct{ types.NamespacedName }

// A Result says when to come back.
type Result struct{ Requeue bool }
