// Package echo stands in for the web framework.
package echo

// A Context is of one request.
type Context interface{ Path() string }
