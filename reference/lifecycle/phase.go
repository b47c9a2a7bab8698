// Package lifecycle holds what the plan service is about and no map of it:
// actions, plans, the phases a plan goes through, the one table of the moves
// that are allowed, and the errors of the moves that are not. All of it is
// values; code that shares them guards them.
package lifecycle

// Phase is one of the four stages of a plan.
type Phase string

// The phases, in their order.
const (
	PhaseAction     Phase = "action"
	PhaseStrategize Phase = "strategize"
	PhaseExecute    Phase = "execute"
	PhaseApply      Phase = "apply"
)

// Phases returns the phases in their order.
func Phases() []Phase {
	return []Phase{PhaseAction, PhaseStrategize, PhaseExecute, PhaseApply}
}

// State is the processing state of a plan in its phase.
type State string

// The processing states. Constrained and Applied belong to the apply phase
// alone: what could be applied only in part, and what is applied for good.
const (
	Queued      State = "queued"
	Processing  State = "processing"
	Complete    State = "complete"
	Errored     State = "errored"
	Cancelled   State = "cancelled"
	Constrained State = "constrained"
	Applied     State = "applied"
)

// States returns all processing states.
func States() []State {
	return []State{Queued, Processing, Complete, Errored, Cancelled, Constrained, Applied}
}

// Event is what moves a plan.
type Event string

// The events.
const (
	Start     Event = "start"     // work on the phase begins
	Finish    Event = "finish"    // work on the phase is complete
	Fail      Event = "fail"      // work on the phase failed
	Retry     Event = "retry"     // the phase is queued again
	Cancel    Event = "cancel"    // the plan is given up
	Advance   Event = "advance"   // the next phase is queued
	Revert    Event = "revert"    // the plan goes back to strategize
	Constrain Event = "constrain" // the apply phase could do only a part
	Settle    Event = "settle"    // what was applied is final
)

// Events returns all events.
func Events() []Event {
	return []Event{Start, Finish, Fail, Retry, Cancel, Advance, Revert, Constrain, Settle}
}

// Stage is where a plan stands.
type Stage struct {
	Phase Phase
	State State
}

// String returns the stage as phase/state.
func (s Stage) String() string { return string(s.Phase) + "/" + string(s.State) }

// Terminal reports whether no event leads out of the stage.
func (s Stage) Terminal() bool { return s.State == Cancelled || s.State == Applied }

// move is one row's key in the table of moves.
type move struct {
	from  Stage
	event Event
}

// moves is the table of all moves that are allowed. What is not in it is not.
var moves = map[move]Stage{
	{Stage{PhaseAction, Queued}, Start}:      {PhaseAction, Processing},
	{Stage{PhaseAction, Queued}, Cancel}:     {PhaseAction, Cancelled},
	{Stage{PhaseAction, Processing}, Finish}: {PhaseAction, Complete},
	{Stage{PhaseAction, Processing}, Fail}:   {PhaseAction, Errored},
	{Stage{PhaseAction, Processing}, Cancel}: {PhaseAction, Cancelled},
	{Stage{PhaseAction, Complete}, Advance}:  {PhaseStrategize, Queued},
	{Stage{PhaseAction, Complete}, Cancel}:   {PhaseAction, Cancelled},
	{Stage{PhaseAction, Errored}, Retry}:     {PhaseAction, Queued},
	{Stage{PhaseAction, Errored}, Cancel}:    {PhaseAction, Cancelled},

	{Stage{PhaseStrategize, Queued}, Start}:      {PhaseStrategize, Processing},
	{Stage{PhaseStrategize, Queued}, Cancel}:     {PhaseStrategize, Cancelled},
	{Stage{PhaseStrategize, Processing}, Finish}: {PhaseStrategize, Complete},
	{Stage{PhaseStrategize, Processing}, Fail}:   {PhaseStrategize, Errored},
	{Stage{PhaseStrategize, Processing}, Cancel}: {PhaseStrategize, Cancelled},
	{Stage{PhaseStrategize, Complete}, Advance}:  {PhaseExecute, Queued},
	{Stage{PhaseStrategize, Complete}, Cancel}:   {PhaseStrategize, Cancelled},
	{Stage{PhaseStrategize, Errored}, Retry}:     {PhaseStrategize, Queued},
	{Stage{PhaseStrategize, Errored}, Cancel}:    {PhaseStrategize, Cancelled},

	{Stage{PhaseExecute, Queued}, Start}:      {PhaseExecute, Processing},
	{Stage{PhaseExecute, Queued}, Revert}:     {PhaseStrategize, Queued},
	{Stage{PhaseExecute, Queued}, Cancel}:     {PhaseExecute, Cancelled},
	{Stage{PhaseExecute, Processing}, Finish}: {PhaseExecute, Complete},
	{Stage{PhaseExecute, Processing}, Fail}:   {PhaseExecute, Errored},
	{Stage{PhaseExecute, Processing}, Revert}: {PhaseStrategize, Queued},
	{Stage{PhaseExecute, Processing}, Cancel}: {PhaseExecute, Cancelled},
	{Stage{PhaseExecute, Complete}, Advance}:  {PhaseApply, Queued},
	{Stage{PhaseExecute, Complete}, Revert}:   {PhaseStrategize, Queued},
	{Stage{PhaseExecute, Complete}, Cancel}:   {PhaseExecute, Cancelled},
	{Stage{PhaseExecute, Errored}, Retry}:     {PhaseExecute, Queued},
	{Stage{PhaseExecute, Errored}, Revert}:    {PhaseStrategize, Queued},
	{Stage{PhaseExecute, Errored}, Cancel}:    {PhaseExecute, Cancelled},

	{Stage{PhaseApply, Queued}, Start}:         {PhaseApply, Processing},
	{Stage{PhaseApply, Queued}, Revert}:        {PhaseStrategize, Queued},
	{Stage{PhaseApply, Queued}, Cancel}:        {PhaseApply, Cancelled},
	{Stage{PhaseApply, Processing}, Finish}:    {PhaseApply, Complete},
	{Stage{PhaseApply, Processing}, Constrain}: {PhaseApply, Constrained},
	{Stage{PhaseApply, Processing}, Fail}:      {PhaseApply, Errored},
	{Stage{PhaseApply, Processing}, Cancel}:    {PhaseApply, Cancelled},
	{Stage{PhaseApply, Complete}, Settle}:      {PhaseApply, Applied},
	{Stage{PhaseApply, Constrained}, Retry}:    {PhaseApply, Queued},
	{Stage{PhaseApply, Constrained}, Revert}:   {PhaseStrategize, Queued},
	{Stage{PhaseApply, Constrained}, Cancel}:   {PhaseApply, Cancelled},
	{Stage{PhaseApply, Errored}, Retry}:        {PhaseApply, Queued},
	{Stage{PhaseApply, Errored}, Revert}:       {PhaseStrategize, Queued},
	{Stage{PhaseApply, Errored}, Cancel}:       {PhaseApply, Cancelled},
}

// Next returns the stage to which event leads from stage, and whether the table
// allows it.
func Next(from Stage, event Event) (Stage, bool) {
	to, ok := moves[move{from, event}]
	return to, ok
}
