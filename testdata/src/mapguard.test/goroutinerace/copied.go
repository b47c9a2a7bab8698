package goroutinerace

import (
	"fmt"
	"sync"
)

// A report is copied for each goroutine: the variable labels is each copy's own, its entries are not.
type report struct {
	name   string
	notes  []string
	labels map[string]string
}

// print gives the report labels where it has none.
func (r *report) print() {
	if r.labels == nil {
		r.labels = map[string]string{"name": r.name}
	}
	fmt.Println(r.labels["name"])
}

// printBothOk gives each goroutine a copy.
func printBothOk(r *report) {
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		own := &report{}
		*own = *r
		own.notes = nil
		own.print()
	}()
	go func() {
		defer wg.Done()
		own := &report{}
		*own = *r
		own.notes = nil
		own.print()
	}()
	wg.Wait()
}

// A handout is handed to the goroutines itself.
type handout struct {
	name   string
	labels map[string]string
}

// printBad gives the handout labels where it has none.
func (s *handout) printBad() {
	if s.labels == nil { // want `check-then-act: s\.labels is compared with nil here, then assigned at line \d+`
		s.labels = map[string]string{"name": s.name}
	}
	fmt.Println(s.labels["name"])
}

// printHandout has both goroutines assign to one variable.
func printHandout(s *handout) {
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		s.printBad()
	}()
	go func() {
		defer wg.Done()
		s.printBad()
	}()
	wg.Wait()
}

// A leaf is passed by value.
type leaf struct {
	name   string
	labels map[string]string
}

// filled gives its own copy labels.
func (l leaf) filled() string {
	if l.labels == nil {
		l.labels = map[string]string{"name": l.name}
	}
	return l.labels["name"]
}

// printLeafOk copies at the call.
func printLeafOk(l *leaf) {
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		fmt.Println(l.filled())
	}()
	go func() {
		defer wg.Done()
		fmt.Println(l.filled())
	}()
	wg.Wait()
}

// A slip is copied for each goroutine, which sets no other part of its copy.
type slip struct {
	name   string
	labels map[string]string
}

// FP_slipOfACopyOk is the slip's own labels where both goroutines have a copy, which is taken for the original.
func (s *slip) FP_slipOfACopyOk() {
	if s.labels == nil { // want `check-then-act: s\.labels is compared with nil here, then assigned at line \d+`
		s.labels = map[string]string{"name": s.name}
	}
	fmt.Println(s.labels["name"])
}

func printSlips(s *slip) {
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		own := &slip{}
		*own = *s
		own.FP_slipOfACopyOk()
	}()
	go func() {
		defer wg.Done()
		own := &slip{}
		*own = *s
		own.FP_slipOfACopyOk()
	}()
	wg.Wait()
}

// looked is passed by value, and the copy is what the function and its goroutine have in common.
type looked struct{ m map[string]int }

func (w looked) watchBad(reload func() map[string]int) {
	go func() {
		w.m = reload() // want `goroutine-race: w\.m is assigned in a goroutine without a lock`
	}()
	for {
		if w.m != nil {
			fmt.Println(len(w.m))
		}
	}
}
