package witness

import "fmt"

// A Question is one of the four that a witness answers.
type Question uint8

const (
	// Who is B?
	Who Question = iota + 1
	// Object: do both reach the same object?
	Object
	// Time: can B's step run between A's look and A's act?
	Time
	// Harm: does B's step change what A looked at, and the outcome?
	Harm
)

func (q Question) String() string {
	return [...]string{"", "who is B", "the same object", "at the same time", "does it matter"}[q]
}

// A Reason is the first question of a candidate that has no answer, or the
// row of the table of grades that decided on its confidence. The zero Reason
// stands for a witness of full confidence.
type Reason uint8

// The reasons for silence.
const (
	NoReason Reason = iota
	UnknownMap
	NotPublished
	RunsOnce
	OnlyInit
	AfterJoin
	OwnGoroutine
	CallerLocks
	Elsewhere
	AtomicStep
	OneSection
	Renewed
	OtherKey
	UniqueKey
	OwnEntry
	Counted
	StillAlive
	PassedOn
	GuardHeld
	OtherLock
	SnapshotRead
	Complete
	NeverChanged
	NeverRead
	OnlyReplaced
	NoStep
	NeverRefilled
	NoOther
	NotThisCall
	OtherObject
	NotLocked
	StaysInside
	ChanceGuard
	SameLock
	HandedOn
	PutBack
	Uncalled
	OneItem
	OwnKey
	SaidUnshared
	Sealed
	// Retired: the goroutine has set a flag for good, which all others ask for.
	Retired
	// LastOne: all other users of the object have counted themselves down.
	LastOne
	SameVersion
	// RoomKept: a counter stands for the entry from the look on.
	RoomKept
)

// reasons is the table of why a candidate is silent.
var reasons = map[Reason]struct {
	question Question
	text     string
}{
	UnknownMap:    {Object, "nothing tells here which map it is; a caller that knows is judged instead"},
	NotPublished:  {Object, "only this call knows the object yet"},
	RunsOnce:      {Time, "it runs once"},
	OnlyInit:      {Time, "it runs only before the object or the package is in use"},
	AfterJoin:     {Time, "the other goroutines have ended before"},
	OwnGoroutine:  {Time, "one side runs in a goroutine of its own, which is judged by itself"},
	CallerLocks:   {Time, "its name or documentation says that the caller holds the lock"},
	Elsewhere:     {Time, "it is in another package, which reports it"},
	AtomicStep:    {Time, "each method of a concurrent map is atomic, and this one decides by itself"},
	OneSection:    {Time, "one critical section covers look and act"},
	Renewed:       {Time, "a second look in the act's critical section renews the first"},
	OtherKey:      {Harm, "look and act concern different keys"},
	UniqueKey:     {Harm, "the key is a new one each time, so B cannot have it"},
	OwnEntry:      {Harm, "the entry is its own: it was put in where the key was found to be free, or counted up in the section of the look"},
	Counted:       {Harm, "a counted reference decides, not the look"},
	StillAlive:    {Harm, "the act looks again at the state of the object that it found"},
	PassedOn:      {Who, "the map's value is passed on here, not used"},
	GuardHeld:     {Time, "the guard is held"},
	OtherLock:     {Time, "another lock that can protect the map is held"},
	SnapshotRead:  {Object, "it reads a snapshot: the map is only ever replaced as a whole, and this one was fetched under the guard"},
	Complete:      {Harm, "the map is complete by now: what is put in is put in where it is made, in that section of the guard"},
	NeverChanged:  {Harm, "the map is never changed once it is published"},
	NeverRead:     {Harm, "the map is written and never read"},
	NoStep:        {Harm, "no step in the package changes what was looked at"},
	NeverRefilled: {Harm, "nothing puts an entry back under a key that was in use"},
	NoOther:       {Who, "no other goroutine takes part: those that reach the map are elsewhere, or come before or after"},
	OtherObject:   {Object, "the change is in another object, which is still there when the entry is gone"},
	NotLocked:     {Time, "the entry is looked up, or deleted, without a lock, which is judged by itself"},
	StaysInside:   {Who, "the map stays in the package, or in the section of the callers: those who get it are judged by themselves"},
	SameLock:      {Time, "where the map goes, it is used under the same lock"},
	HandedOn:      {Object, "the field that held the map gets a new one, or none, in the same critical section: it goes away for good"},
	PutBack:       {Object, "the map goes back to the field that it comes from"},
	ChanceGuard:   {Who, "the lock is another object's: nothing shows that it protects the map"},
	NotThisCall:   {Time, "with these arguments, the callee does not come there"},
	OnlyReplaced:  {Harm, "the map is only ever replaced as a whole"},
	Uncalled:      {Who, "nothing in the program calls this function"},
	SaidUnshared:  {Object, "a flag of the object says that it is not shared: where it says otherwise, the lock is taken"},
	Sealed:        {Time, "a flag beside the map has been set, or its size has come to a limit, and each change of the map is made only where that was found not to be so, in one section of the lock under which it becomes so"},
	Retired:       {Time, "it is for the one who has set a flag of the object for good: all others come to the map only where they find the flag unset, under the lock under which it is set"},
	LastOne:       {Time, "the last user of the object alone comes there: the count of its users has come to nothing, and no one finds the object any more"},
	SameVersion:   {Time, "a counter that each change of the map counts up is still, in the act's section, what it was at the look"},
	RoomKept:      {Time, "a counter that each look at the size adds to it has stood for the entry since the look"},
	OneItem:       {Time, "a work queue hands out the object of this key to one worker at a time, and nothing else changes its entry"},
	OwnKey:        {Time, "one goroutine alone has the object of this key, and nothing else changes its entry"},
}

// Question returns the question that r leaves without an answer.
func (r Reason) Question() Question { return reasons[r].question }

// Text says r in words, for -why.
func (r Reason) Text() string { return reasons[r].text }

func (r Reason) String() string {
	if r == NoReason {
		return "a witness"
	}
	return fmt.Sprintf("%s? %s", r.Question(), r.Text())
}
