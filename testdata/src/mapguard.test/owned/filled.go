package owned

import (
	"os"
	"sync"
)

// What is made, put into its place and filled in one section is seen by the others as it is in the end.
type habits struct {
	home  string
	names map[string]string
}

var (
	habitsMu sync.Mutex
	habitsOf *habits
)

func theHabits() *habits {
	habitsMu.Lock()
	defer habitsMu.Unlock()
	if habitsOf == nil {
		habitsOf = &habits{}
		habitsOf.home = os.Getenv("HOME")
		habitsOf.names = readNames()
	}
	return habitsOf
}

func readNames() map[string]string { return map[string]string{"a": "b"} }

func NameOrDefaultOk(k string) string {
	if n := theHabits().names[k]; n != "" {
		return n
	}
	return theHabits().names["*"]
}

// Here the place is read without the lock, too: it may have an object that is not filled yet.
type options struct{ names map[string]string }

var (
	optionsMu sync.Mutex
	optionsOf *options
)

func theOptions() *options {
	if optionsOf == nil {
		optionsMu.Lock()
		defer optionsMu.Unlock()
		if optionsOf == nil {
			optionsOf = &options{}
			optionsOf.names = readNames()
		}
	}
	return optionsOf
}

func NameOrDefaultBad(k string) string {
	if n := theOptions().names[k]; n != "" { // want `check-then-act: .*names is read here without a lock`
		return n
	}
	return theOptions().names["*"]
}

// This one is filled in a section of its own.
type choices struct{ names map[string]string }

var (
	choicesMu sync.Mutex
	choicesOf *choices
)

func theChoices() *choices {
	choicesMu.Lock()
	if choicesOf == nil {
		choicesOf = &choices{}
		choicesMu.Unlock()
		choicesMu.Lock()
		choicesOf.names = readNames()
	}
	defer choicesMu.Unlock()
	return choicesOf
}

func ChoiceOrDefaultBad(k string) string {
	if n := theChoices().names[k]; n != "" { // want `check-then-act: .*names is read here without a lock`
		return n
	}
	return theChoices().names["*"]
}
