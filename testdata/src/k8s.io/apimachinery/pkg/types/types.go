// Package types stands in for apimachinery's.
package types

// A NamespacedName names an object.
type NamespacedName struct{ Namespace, Name string }
