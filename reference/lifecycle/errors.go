package lifecycle

import (
	"errors"
	"fmt"
)

// The kinds of error that the plan service returns. Every [Error] unwraps to
// one of them.
var (
	// ErrUnknown says that there is no such action, plan or job.
	ErrUnknown = errors.New("unknown")
	// ErrInvalid says that what was asked can never be done as it was asked.
	ErrInvalid = errors.New("invalid")
	// ErrNotReady says that what was asked cannot be done in the present state.
	ErrNotReady = errors.New("not ready")
	// ErrDuplicate says that what was to be created exists.
	ErrDuplicate = errors.New("duplicate")
)

// Error is what the plan service returns when it refuses.
type Error struct {
	// Kind is one of ErrUnknown, ErrInvalid, ErrNotReady and ErrDuplicate.
	Kind error
	// Subject names what the error is about: "action", "plan", "job".
	Subject string
	// ID is the name or identifier of the subject.
	ID string
	// Reason says more, where there is more to say.
	Reason string
}

// Error returns the error in one line.
func (e *Error) Error() string {
	text := fmt.Sprintf("%s %q: %v", e.Subject, e.ID, e.Kind)
	if e.Reason != "" {
		text += ": " + e.Reason
	}
	return text
}

// Unwrap returns the kind of the error, for errors.Is.
func (e *Error) Unwrap() error { return e.Kind }

// Unknown returns the error that there is no subject called id.
func Unknown(subject, id string) error {
	return &Error{Kind: ErrUnknown, Subject: subject, ID: id}
}

// Invalid returns the error that a request about subject id cannot be met.
func Invalid(subject, id, reason string) error {
	return &Error{Kind: ErrInvalid, Subject: subject, ID: id, Reason: reason}
}

// NotReady returns the error that subject id is not in the state it must be in.
func NotReady(subject, id, reason string) error {
	return &Error{Kind: ErrNotReady, Subject: subject, ID: id, Reason: reason}
}

// Duplicate returns the error that subject id exists already.
func Duplicate(subject, id string) error {
	return &Error{Kind: ErrDuplicate, Subject: subject, ID: id}
}
