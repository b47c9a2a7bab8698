// Package cache stands in for client-go's.
package cache

// SplitMetaNamespaceKey takes a key apart.
func SplitMetaNamespaceKey(key string) (namespace, name string, err error)
