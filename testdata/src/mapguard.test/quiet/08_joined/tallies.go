package joined

import "sync"

// Each worker tells that it has ended, as the last thing that it does; who receives that once for each worker goes on when all have
// ended.
type tallied struct {
	m  map[string]int
	in chan string
}

// Tally has a list of its workers.
type Tally struct {
	ws    []*tallied
	quit  chan struct{}
	ended chan int
}

// NewTally starts three.
func NewTally() *Tally {
	a := &Tally{quit: make(chan struct{}), ended: make(chan int)}
	for i := range 3 {
		x := &tallied{m: make(map[string]int), in: make(chan string)}
		a.ws = append(a.ws, x)
		go a.workTallyOk(i, x)
	}
	return a
}

func (a *Tally) workTallyOk(i int, x *tallied) {
	defer func() { a.ended <- i }()
	for {
		select {
		case k := <-x.in:
			if _, ok := x.m[k]; !ok {
				x.m[k] = 1
			}
		case <-a.quit:
			return
		}
	}
}

// CloseOk waits for all.
func (a *Tally) CloseOk() (n int) {
	close(a.quit)
	for range a.ws {
		<-a.ended
	}
	for _, x := range a.ws {
		n += len(x.m)
		clear(x.m)
	}
	return n
}

// The same with literals, and a counter.
type counted struct {
	m  map[string]int
	in chan string
}

// Counting is as Tally.
type Counting struct {
	ws    []*counted
	ended chan struct{}
}

// NewCounting starts some.
func NewCounting(n int) *Counting {
	a := &Counting{ws: make([]*counted, 0, n), ended: make(chan struct{})}
	for range n {
		x := &counted{m: make(map[string]int), in: make(chan string)}
		a.ws = append(a.ws, x)
		go func() {
			for k := range x.in {
				x.countOk(k)
			}
			a.ended <- struct{}{}
		}()
	}
	return a
}

func (x *counted) countOk(k string) { x.m[k]++ }

// Put gives the first one something to do.
func (a *Counting) Put(k string) { a.ws[0].in <- k }

// CloseCountingOk waits for all.
func (a *Counting) CloseCountingOk() {
	for _, x := range a.ws {
		close(x.in)
	}
	for i := 0; i < len(a.ws); i++ {
		<-a.ended
	}
	for _, x := range a.ws {
		clear(x.m)
	}
}

// Here one is not waited for.
type fewer struct {
	m  map[string]int
	in chan string
}

// Fewer receives once less.
type Fewer struct {
	ws    []*fewer
	ended chan struct{}
}

// NewFewer starts some.
func NewFewer(n int) *Fewer {
	a := &Fewer{ended: make(chan struct{})}
	for range n {
		x := &fewer{m: make(map[string]int), in: make(chan string)}
		a.ws = append(a.ws, x)
		go a.workFewerBad(x)
	}
	return a
}

func (a *Fewer) workFewerBad(x *fewer) {
	for k := range x.in {
		x.m[k]++ // want `x\.m`
	}
	a.ended <- struct{}{}
}

// Put gives the first one something to do.
func (a *Fewer) Put(k string) { a.ws[0].in <- k }

// CloseFewerBad goes on too early.
func (a *Fewer) CloseFewerBad() {
	for _, x := range a.ws {
		close(x.in)
	}
	for i := 1; i < len(a.ws); i++ {
		<-a.ended
	}
	for _, x := range a.ws {
		clear(x.m) // want `a\.ws\[…\]\.m`
	}
}

// Here a worker goes on when it has told that it ends.
type goesOn struct {
	m  map[string]int
	in chan string
}

// GoesOn has such workers.
type GoesOn struct {
	ws    []*goesOn
	ended chan struct{}
}

// NewGoesOn starts some.
func NewGoesOn(n int) *GoesOn {
	a := &GoesOn{ended: make(chan struct{})}
	for range n {
		x := &goesOn{m: make(map[string]int), in: make(chan string)}
		a.ws = append(a.ws, x)
		go a.workOnBad(x)
	}
	return a
}

func (a *GoesOn) workOnBad(x *goesOn) {
	for k := range x.in {
		x.m[k]++ // want `x\.m`
	}
	a.ended <- struct{}{}
	x.m["end"]++
}

// Put gives the first one something to do.
func (a *GoesOn) Put(k string) { a.ws[0].in <- k }

// CloseGoesOnBad waits for the telling.
func (a *GoesOn) CloseGoesOnBad() {
	for _, x := range a.ws {
		close(x.in)
	}
	for range a.ws {
		<-a.ended
	}
	for _, x := range a.ws {
		clear(x.m) // want `a\.ws\[…\]\.m`
	}
}

// Here the list gets shorter.
type shorter struct {
	m  map[string]int
	in chan string
}

// Shorter forgets workers.
type Shorter struct {
	mu    sync.Mutex
	ws    []*shorter
	all   map[int]*shorter
	ended chan struct{}
}

// NewShorter starts some.
func NewShorter(n int) *Shorter {
	a := &Shorter{all: make(map[int]*shorter), ended: make(chan struct{}, n)}
	for i := range n {
		x := &shorter{m: make(map[string]int), in: make(chan string)}
		a.ws = append(a.ws, x)
		a.all[i] = x
		go a.workShorterBad(x)
	}
	return a
}

func (a *Shorter) workShorterBad(x *shorter) {
	for k := range x.in {
		x.m[k]++ // want `x\.m`
	}
	a.ended <- struct{}{}
}

// Drop forgets one.
func (a *Shorter) Drop() { a.ws = a.ws[1:] }

// Put gives the first one something to do.
func (a *Shorter) Put(k string) { a.ws[0].in <- k }

// CloseShorterBad waits for those that are left.
func (a *Shorter) CloseShorterBad() {
	for range a.ws {
		<-a.ended
	}
	for _, x := range a.all {
		clear(x.m) // want `a\.all\[…\]\.m`
	}
}

// Here two workers are started for one element.
type twice struct {
	m  map[string]int
	in chan string
}

// Twice has more workers than elements.
type Twice struct {
	ws    []*twice
	ended chan struct{}
}

// NewTwice starts two of each.
func NewTwice(n int) *Twice {
	a := &Twice{ended: make(chan struct{}, 2*n)}
	for range n {
		x, y := &twice{m: make(map[string]int), in: make(chan string)}, &twice{m: make(map[string]int), in: make(chan string)}
		a.ws = append(a.ws, x)
		go a.workTwiceBad(x)
		go a.workTwiceBad(y)
	}
	return a
}

func (a *Twice) workTwiceBad(x *twice) {
	for k := range x.in {
		x.m[k]++ // want `x\.m`
	}
	a.ended <- struct{}{}
}

// Put gives the first one something to do.
func (a *Twice) Put(k string) { a.ws[0].in <- k }

// CloseTwiceBad waits for half of them.
func (a *Twice) CloseTwiceBad() {
	for range a.ws {
		<-a.ended
	}
	for _, x := range a.ws {
		clear(x.m) // want `a\.ws\[…\]\.m`
	}
}

// Here the loop uses a map when the first has ended.
type between struct {
	m  map[string]int
	in chan string
}

// Between uses the maps as it waits.
type Between struct {
	ws    []*between
	ended chan struct{}
}

// NewBetween starts some.
func NewBetween(n int) *Between {
	a := &Between{ended: make(chan struct{})}
	for range n {
		x := &between{m: make(map[string]int), in: make(chan string)}
		a.ws = append(a.ws, x)
		go a.workBetweenBad(x)
	}
	return a
}

func (a *Between) workBetweenBad(x *between) {
	for k := range x.in {
		x.m[k]++ // want `x\.m`
	}
	a.ended <- struct{}{}
}

// Put gives the first one something to do.
func (a *Between) Put(k string) { a.ws[0].in <- k }

// CloseBetweenBad takes the first to end for the first in the list.
func (a *Between) CloseBetweenBad() {
	for _, x := range a.ws {
		<-a.ended
		clear(x.m) // want `a\.ws\[…\]\.m`
	}
}
