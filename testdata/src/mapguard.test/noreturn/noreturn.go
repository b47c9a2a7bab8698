// Package noreturn pins that a call which never returns ends the path: the
// act behind it does not depend on the check before it, and a lock released
// on such a path is still held on the other.
package noreturn

import (
	"fmt"
	"log"
	"os"
	"runtime"
	"sync"
)

type conn struct{ id int }

type pool struct {
	mu sync.Mutex
	m  map[string]*conn // guarded by mu
}

func die(msg string) {
	fmt.Fprintln(os.Stderr, msg)
	os.Exit(1)
}

func dieDeep(msg string) {
	if msg == "" {
		die("empty")
	}
	die(msg)
}

func dieMaybe(msg string) {
	if msg != "" {
		die(msg)
	}
}

func forever() {
	for {
		runtime.Gosched()
	}
}

// The unlocking path never comes back.

func (p *pool) fatalOk(k string) {
	p.mu.Lock()
	if p.m[k] != nil {
		p.mu.Unlock()
		log.Fatal("twice")
	}
	p.m[k] = &conn{}
	p.mu.Unlock()
}

func (p *pool) fatalfOk(k string) {
	p.mu.Lock()
	if p.m[k] != nil {
		p.mu.Unlock()
		log.Fatalf("twice: %s", k)
	}
	p.m[k] = &conn{}
	p.mu.Unlock()
}

func (p *pool) exitOk(k string) {
	p.mu.Lock()
	if p.m[k] != nil {
		p.mu.Unlock()
		os.Exit(1)
	}
	p.m[k] = &conn{}
	p.mu.Unlock()
}

func (p *pool) panicOk(k string) {
	p.mu.Lock()
	if p.m[k] != nil {
		p.mu.Unlock()
		panic("twice")
	}
	p.m[k] = &conn{}
	p.mu.Unlock()
}

func (p *pool) goexitOk(k string) {
	p.mu.Lock()
	if p.m[k] != nil {
		p.mu.Unlock()
		runtime.Goexit()
	}
	p.m[k] = &conn{}
	p.mu.Unlock()
}

func (p *pool) ownOk(k string) {
	p.mu.Lock()
	if p.m[k] != nil {
		p.mu.Unlock()
		die("twice")
	}
	p.m[k] = &conn{}
	p.mu.Unlock()
}

func (p *pool) ownDeepOk(k string) {
	p.mu.Lock()
	if p.m[k] != nil {
		p.mu.Unlock()
		dieDeep(k)
	}
	p.m[k] = &conn{}
	p.mu.Unlock()
}

func (p *pool) foreverOk(k string) {
	p.mu.Lock()
	if p.m[k] != nil {
		p.mu.Unlock()
		forever()
	}
	p.m[k] = &conn{}
	p.mu.Unlock()
}

func (p *pool) loggerOk(l *log.Logger, k string) {
	p.mu.Lock()
	if p.m[k] != nil {
		p.mu.Unlock()
		l.Panicln("twice")
	}
	p.m[k] = &conn{}
	p.mu.Unlock()
}

// This one may come back.
func (p *pool) maybeBad(k string) {
	p.mu.Lock()
	if p.m[k] != nil {
		p.mu.Unlock()
		dieMaybe(k)
	}
	p.m[k] = &conn{} // want `unguarded-access: .*p\.m`
}

func (p *pool) printBad(k string) {
	p.mu.Lock()
	if p.m[k] != nil {
		p.mu.Unlock()
		log.Print("twice")
	}
	p.m[k] = &conn{} // want `unguarded-access: .*p\.m`
}

// Wherever c is nil nothing was unlocked.
func (p *pool) correlatedOk(k string) {
	p.mu.Lock()
	c := p.m[k]
	if c != nil {
		p.mu.Unlock()
		log.Print("twice")
	}
	if c == nil {
		p.m[k] = &conn{}
		p.mu.Unlock()
	}
}

// A check that only ends the program in a failure decides on the act.
func (p *pool) assertedBad(k string) {
	p.mu.Lock()
	_, ok := p.m[k]
	p.mu.Unlock()
	if ok {
		log.Fatal("twice")
	}
	p.mu.Lock()
	p.m[k] = &conn{} // want `split-lock: .*p\.m`
	p.mu.Unlock()
}
