package threads

import (
	"context"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
)

// A controller runs a pass time and again in one goroutine, which alone changes the zones: it
// may read them without the lock, which is there for the other pass.
type keeper struct {
	mu    sync.Mutex
	zones map[string]int
}

func (k *keeper) Run(ctx context.Context) {
	go wait.UntilWithContext(ctx, k.watchOk, time.Second)
	go wait.UntilWithContext(ctx, func(context.Context) { k.count() }, time.Second)
	<-ctx.Done()
}

func (k *keeper) watchOk(context.Context) {
	for z := range k.zones {
		k.add(z + "'")
	}
}

func (k *keeper) add(z string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.zones[z]++
}

func (k *keeper) count() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return len(k.zones)
}

// Both passes change them.
type keepers struct {
	mu    sync.Mutex
	zones map[string]int
}

func (k *keepers) Run(stop chan struct{}) {
	go wait.Until(k.watchBad, time.Second, stop)
	go wait.Until(func() { k.add("") }, time.Second, stop)
	<-stop
}

func (k *keepers) watchBad() {
	for z := range k.zones { // want `check-then-act: k\.zones is ranged over here`
		k.add(z + "'")
	}
}

func (k *keepers) add(z string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.zones[z]++
}

// Several workers run one pass.
type zoneWorkers struct {
	mu    sync.Mutex
	zones map[string]int
}

func (k *zoneWorkers) Run(ctx context.Context) {
	for range 3 {
		go wait.UntilWithContext(ctx, k.workBad, time.Second)
	}
	<-ctx.Done()
}

func (k *zoneWorkers) workBad(context.Context) {
	for z := range k.zones { // want `check-then-act: k\.zones is ranged over here`
		k.add(z + "'")
	}
}

func (k *zoneWorkers) add(z string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.zones[z]++
}
