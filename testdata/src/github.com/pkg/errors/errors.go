// Package errors stands in for github.com/pkg/errors.
package errors

type around struct {
	error
	text string
}

// Wrap returns an error around err, nil for nil.
func Wrap(err error, text string) error {
	if err == nil {
		return nil
	}
	return &around{err, text}
}
