// Package generate makes programs from seeds. Each has a few operations on one
// or two maps, and each operation two sides: what it does (see the table of
// recipes) and how it is kept atomic, or is not (see the table of plans). What
// an operation does and how are drawn apart, so that each meets each.
package generate
