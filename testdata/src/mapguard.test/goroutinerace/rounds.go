package goroutinerace

import "sync"

// ElementsOk gives each goroutine the element of its round: the next round makes another one.
func ElementsOk(layers [][]string) []map[string]bool {
	var wg sync.WaitGroup
	files := make([]map[string]bool, len(layers))
	for i, names := range layers {
		files[i] = make(map[string]bool)
		wg.Go(func() {
			for _, n := range names {
				files[i][n] = true
			}
		})
	}
	wg.Wait()
	return files
}

// CountedOk hands the index over.
func CountedOk(layers [][]string) []map[string]bool {
	var wg sync.WaitGroup
	files := make([]map[string]bool, len(layers))
	for i := len(layers) - 1; i >= 0; i-- {
		files[i] = make(map[string]bool)
		wg.Add(1)
		go func(i int) {
			defer wg.Done()
			for _, n := range layers[i] {
				files[i][n] = true
			}
		}(i)
	}
	wg.Wait()
	return files
}

// ElementsBad goes on with the element of the round.
func ElementsBad(layers [][]string) []map[string]bool {
	var wg sync.WaitGroup
	files := make([]map[string]bool, len(layers))
	for i, names := range layers {
		files[i] = make(map[string]bool)
		wg.Go(func() {
			for _, n := range names {
				files[i][n] = true // want `files\[…\] is written in a goroutine without a lock`
			}
		})
		files[i]["."] = true
	}
	wg.Wait()
	return files
}

// OneElementBad has one element for all rounds.
func OneElementBad(layers [][]string, which int) []map[string]bool {
	var wg sync.WaitGroup
	files := make([]map[string]bool, len(layers))
	for _, names := range layers {
		files[which] = make(map[string]bool)
		wg.Go(func() {
			for _, n := range names {
				files[which][n] = true // want `is written in a goroutine without a lock`
			}
		})
	}
	wg.Wait()
	return files
}
