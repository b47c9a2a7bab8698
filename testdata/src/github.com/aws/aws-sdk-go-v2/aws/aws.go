// Package aws stands for the one of the same path.
package aws

func Float64(v float64) *float64 { return &v }

type Token struct{ c chan int }

func Take(n int) *Token { return &Token{make(chan int, n)} }
