// Package v1 stands in for apimachinery's.
package v1

// ObjectMeta is what all objects have.
type ObjectMeta struct{ Name, Namespace string }

// GetName returns the name.
func (m *ObjectMeta) GetName() string { return m.Name }
