// Package spawner starts goroutines that reach another package's unlocked
// functions: the call is where the finding stands.
package spawner

import "mapguard.test/crosspkg/sched"

func loopBad(j *sched.Jobs, names []string) {
	for _, n := range names {
		go j.Run(n) // want `goroutine-race: .*byName`
	}
}

func closureBad(j *sched.Jobs, names []string) {
	for _, n := range names {
		go func() {
			j.Run(n) // want `goroutine-race: .*byName`
		}()
	}
}

func oneAfterTheOtherOk(j *sched.Serial, names []string) {
	for _, n := range names {
		j.Run(n)
	}
}

// One goroutine, started once, has the jobs to itself.
func confinedOk(names []string) {
	j := sched.New()
	go func() {
		for _, n := range names {
			j.Run(n)
		}
	}()
}
