// Package id makes the identifiers of plans and jobs: ULIDs, whose order is the
// order in which they were made, so that a listing by identifier is a listing
// by age.
package id

import "github.com/oklog/ulid/v2"

// Source makes one new identifier at each call. A Source is safe for concurrent
// use. Tests put their own in its place.
type Source func() string

// New is the Source of the running service: a ULID of the current time,
// monotonic within one millisecond.
func New() string {
	return ulid.Make().String()
}
