// Package errors stands for the one of the same path.
package errors

func IsNotFound(err error) bool { return err != nil }

func Retry(err error) error { return err }
