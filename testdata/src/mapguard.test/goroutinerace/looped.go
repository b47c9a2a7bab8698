package goroutinerace

// A loop that starts goroutines at a package-level map starts several at one map, whatever they are handed.

var (
	greeted = make(map[string]bool)
	counted = make(map[string]int)
	single  = make(map[string]int)
)

func greetAll(names []string) {
	for _, name := range names {
		go greetBad(name)
	}
}

func greetBad(name string) {
	if !greeted[name] { // want `check-then-act: greeted is read here`
		greeted[name] = true
	}
}

func countAllBad(n int) {
	for range n {
		go func() {
			counted["all"]++ // want `check-then-act: counted is read here`
		}()
	}
}

// It waits for one before it starts the next.
func oneByOneOk(n int) {
	for range n {
		done := make(chan struct{})
		go func() {
			defer close(done)
			single["all"]++
		}()
		<-done
	}
}

func runLooped() {
	greetAll([]string{"a", "b"})
	countAllBad(3)
	oneByOneOk(3)
}
