package witness

import (
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/sharing"
)

// A Grade is a row of the table that bounds a witness's confidence by the harm
// that B's step does.
type Grade uint8

// The rows of the table.
const (
	NoGrade Grade = iota
	Race
	ReadersToo
	Escapes
	LostWithEntry
	EndsWithIt
	NotClosed
	LocksUnsure
	CallerUnknown
	StartUp
	FilledBefore
	RefusedLater
	MostWithout
	PhaseLock
	OnlyEmptied
	OtherOwner
	FromCall
	TakesNoLock
	Unordered
	AnotherObject
	ToldInCallee
	ChosenEntry
	AcceptsStale
	Refreshes
	RecordsWork
	DoneAgain
	OneByOne
	OnlyReserves
	OnlyReports
	OnlyMeasured
	NilTested
	NeverNil
	AsksWhether
	CallersHold
	ForTests
	SaysOrdered
	BuiltOnly
	Registered
	ModuleExcludes
	OneThread
	AtStart
	NoThread
	NoRequest
	Opened
	BeforeUse
	Enclosed
	FromOutside
	NoCaller
	OrderedElse
	TwoObjects
	LostUpdate
	EffectTwice
	ToldTwice
	GoneMeanwhile
	UsedThenDeleted
	TakenTwice
	OlderWins
	Revived
	LostRefill
	ReplacedWhole
	KeyOnly
	KeysDiffer
	KeysUnknown
	SaysWhatItDid
	LooksAgain
	PutsBack
	Rewritten
	UpdatesChosen
	SoftLimit
	SameValue
	LogsTwice
	Alike
	Succeeds
	ClearsAnyway
	TakenOut
	DeletesAgain
	TestsAgain
	Refresh
	Recomputed
	MadeTwice
)

// grades is the table. Low rows are family 10 of what stays quiet: a stale
// check that does no harm.
var grades = map[Grade]struct {
	confidence sharing.Confidence
	text       string
}{
	Race:            {sharing.High, "the map itself is raced on"},
	Escapes:         {sharing.Medium, "the code that gets the map uses it without the lock"},
	LostWithEntry:   {sharing.Low, "the change is lost with the object, which the map no longer holds"},
	EndsWithIt:      {sharing.Low, "the code that takes the object out most likely means to end it, changes included"},
	NotClosed:       {sharing.Low, "the value of the one who comes second is never closed"},
	ReadersToo:      {sharing.High, "other readers hold the lock at the same time"},
	CallerUnknown:   {sharing.Low, "nothing tells who calls the caller, and under which locks, or some that call it may hold it"},
	TwoObjects:      {sharing.High, "two goroutines go on with two different objects, or both pass the test"},
	LostUpdate:      {sharing.High, "a concurrent change in between is lost"},
	EffectTwice:     {sharing.High, "what else the look decides on happens twice"},
	ToldTwice:       {sharing.High, "two callers are both told that they did it"},
	GoneMeanwhile:   {sharing.High, "the entry that was made sure of can be gone by then"},
	UsedThenDeleted: {sharing.Medium, "what was put in since the object was used is deleted in its place"},
	TakenTwice:      {sharing.Low, "two goroutines take one entry, and both act on the object"},
	Revived:         {sharing.Medium, "an entry that was found is put in again: it comes back where another goroutine has deleted it meanwhile"},
	OlderWins:       {sharing.Medium, "an older value can overwrite a newer one"},
	LostRefill:      {sharing.Medium, "an entry that came in between is lost, or two goroutines take one entry"},
	LocksUnsure:     {sharing.Low, "a lock that may protect the map is held on some paths only, or the object may not be in use yet"},
	StartUp:         {sharing.Low, "by its name the function prepares the object, which is not in use yet"},
	FilledBefore:    {sharing.Low, "only start-up changes it, and use alone tells of the lock"},
	RefusedLater:    {sharing.Low, "only start-up changes it, and a flag that is set under the lock refuses that from then on: nothing shows that others read it before"},
	MostWithout:     {sharing.Low, "many accesses do without the lock: something else orders them"},
	PhaseLock:       {sharing.Low, "the lock keeps goroutines apart that end before the call returns which starts them: nothing shows that callers are concurrent"},
	OnlyEmptied:     {sharing.Low, "another lock is held here and at all that could collide, but where an empty map takes the map's place: the step comes before that or after it"},
	OtherOwner:      {sharing.Low, "the lock is another object's, from which the access does not come: it may be to a map that the lock does not protect"},
	FromCall:        {sharing.Low, "the object comes from a call, or is made here: nothing shows that others have it at that time"},
	TakesNoLock:     {sharing.Low, "the function changes the map and takes no lock anywhere: most likely its callers see to it"},
	Unordered:       {sharing.Low, "no lock is taken here, and nothing shows that nothing else orders the goroutines"},
	AnotherObject:   {sharing.Low, "the goroutines come to objects of one type that others can know: nothing shows that it is the same one"},
	ToldInCallee:    {sharing.Low, "one call makes both steps, and the function that it calls is reported"},
	ChosenEntry:     {sharing.Low, "the look chose the entry: nothing shows that it matters what became of it meanwhile"},
	Refreshes:       {sharing.Low, "what the entry holds decides: who comes second renews it once more"},
	AcceptsStale:    {sharing.Low, "each step on a concurrent map is atomic: nothing shows that an entry must not change between two"},
	RecordsWork:     {sharing.Low, "the entry records what is done by then: nothing shows that it must not be done twice"},
	DoneAgain:       {sharing.Low, "what else the look decides on is a call of which nothing shows that it does harm to make it twice"},
	OneByOne:        {sharing.Low, "mostly one goroutine at a time deals with a key: nothing shows that two deal with this one"},
	OnlyReports:     {sharing.Low, "the length is only told, in a message or a metric: nothing is decided by an old one"},
	OnlyMeasured:    {sharing.Low, "a length is one word: it is that of before the change or of after it, as under the lock, and what decides by it and changes the map is judged by itself"},
	NilTested:       {sharing.Low, "the look asks only whether there is a map at all: an old answer serves as well"},
	OnlyReserves:    {sharing.Low, "the length is a hint of how much to reserve: an old one serves as well"},
	NeverNil:        {sharing.Low, "the package gives the variable a map wherever it makes one: nothing shows that it is ever nil, and assigned"},
	AsksWhether:     {sharing.Low, "the look asks whether there is anything in the map, and the step does not answer that"},
	CallersHold:     {sharing.Low, "all callers that are known hold the lock; others are an assumption"},
	SaysOrdered:     {sharing.Low, "the function says that it needs no lock, since it comes before or after what others do"},
	BuiltOnly:       {sharing.Low, "the package uses the object only once it is made, and changes the map only before; other callers are an assumption"},
	ForTests:        {sharing.Low, "it is there for tests, which see to the order of their steps"},
	Registered:      {sharing.Low, "only registration changes it, and the package registers while it is initialised; later registration is an assumption"},
	ModuleExcludes:  {sharing.Low, "no call in the module leaves room for it; callers in other modules are an assumption"},
	OneThread:       {sharing.Low, "one goroutine of the module at a time comes to the map, as far as the module shows"},
	AtStart:         {sharing.Low, "nothing in the module changes the map but the program's start; that others do so later is an assumption"},
	NoThread:        {sharing.Low, "the module shows no goroutine but the main one that comes to the map: others are an assumption"},
	NoRequest:       {sharing.Low, "no request that the application serves leads here, and the harm or the evidence is doubtful already"},
	Opened:          {sharing.Low, "it is done while the object is being opened: no thread has begun by then that comes to it, but those that wait for work"},
	BeforeUse:       {sharing.Low, "the module calls this only ahead of what brings the object into service: later calls are an assumption"},
	Enclosed:        {sharing.Low, "the module comes here with a lock held, whatever it protects: callers without it are an assumption"},
	FromOutside:     {sharing.Low, "it is not done by a method of the type whose map this is: others mostly have the object alone when they reach into it"},
	NoCaller:        {sharing.Low, "nothing in the module calls it, and nothing else can, or the module is an application"},
	OrderedElse:     {sharing.Low, "the function changes another map of the object without any lock: something else orders its calls"},
	ReplacedWhole:   {sharing.Low, "the entry is reserved under a mark: only what gives the map other contents as a whole can come between, and that drops all entries unseen"},
	KeyOnly:         {sharing.Low, "nothing but the act's key comes from the look: it can be done again"},
	KeysDiffer:      {sharing.Low, "look and act concern different keys, as far as is known"},
	KeysUnknown:     {sharing.Low, "nothing tells that both calls mean one key"},
	SaysWhatItDid:   {sharing.Low, "the callee says what it has done, not what it saw"},
	LooksAgain:      {sharing.Low, "the second call makes the same look once more, and decides by that"},
	PutsBack:        {sharing.Low, "the act puts back what was there"},
	Rewritten:       {sharing.Low, "the walk only chooses which entries are written anew, and nothing deletes one"},
	UpdatesChosen:   {sharing.Low, "the act updates the entry that was chosen: nothing is lost"},
	SoftLimit:       {sharing.Low, "the bound decides only on what is kept, and nothing is told of it: it is passed by as many as come at one time"},
	SameValue:       {sharing.Low, "any goroutine would have stored the same value"},
	LogsTwice:       {sharing.Low, "the answer only decides whether callers write to a log: two of them write one line too many"},
	Alike:           {sharing.Low, "nothing shows that the two objects can come to differ"},
	Succeeds:        {sharing.Low, "the section that puts the object in ends the one that is there by then: the last one stays, as if both had come one after the other"},
	ClearsAnyway:    {sharing.Low, "all entries go, whatever became of the one that was looked up"},
	TakenOut:        {sharing.Low, "the object is used and its entry deleted: nothing shows that another comes under the key, or that it must be used once"},
	DeletesAgain:    {sharing.Low, "what is gone may be deleted again"},
	TestsAgain:      {sharing.Low, "the act tests each entry again"},
	Recomputed:      {sharing.Low, "what is taken out too early is computed again at the next look"},
	Refresh:         {sharing.Low, "the last refresh has the newest state"},
	MadeTwice:       {sharing.Medium, "two goroutines go on with two objects, and nothing shows that it matters which one"},
}

// Confidence returns the highest confidence that a witness of the row can have.
func (g Grade) Confidence() sharing.Confidence { return grades[g].confidence }

// in returns the grade of a witness in f: of a helper for tests, it is low.
func (g Grade) in(f *infer.Func) Grade {
	if f != nil && f.Is(role.TestSupport) && g.Confidence() > sharing.Low {
		return ForTests
	}
	return g
}

// Text says the row in words, for -why.
func (g Grade) Text() string { return grades[g].text }
