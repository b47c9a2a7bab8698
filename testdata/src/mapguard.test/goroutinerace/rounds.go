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

// RepeatedBad enters the loop anew: the second time, the goroutines of the first one run.
func RepeatedBad(layers [][]string, files []map[string]bool) {
	for range 2 {
		for i := 0; i < len(layers); i++ {
			files[i] = make(map[string]bool)
			go func(i int) {
				for _, n := range layers[i] {
					files[i][n] = true // want `is written in a goroutine without a lock`
				}
			}(i)
		}
	}
}

// AgainBad comes to an element twice where it fails.
func AgainBad(layers [][]string, files []map[string]bool, try func(int) error) {
	for i := 0; i < len(layers); {
		files[i] = make(map[string]bool)
		go func(i int) {
			for _, n := range layers[i] {
				files[i][n] = true // want `is written in a goroutine without a lock`
			}
		}(i)
		if try(i) != nil {
			continue
		}
		i++
	}
}

// OneMapBad has one map in all elements.
func OneMapBad(layers map[string][]string, files map[string]map[string]bool) {
	for k := range files {
		files[k]["."] = true
		go func(k string) {
			for _, n := range layers[k] {
				files[k][n] = true // want `is written in a goroutine without a lock`
			}
		}(k)
	}
}

func oneForTwo(layers map[string][]string) {
	one := make(map[string]bool)
	OneMapBad(layers, map[string]map[string]bool{"a": one, "b": one})
}

func makeAll(n int) []map[string]bool { return make([]map[string]bool, n) }

// MovedBad has one element in all rounds: the part begins where the counter ends.
func MovedBad(n int) {
	all := makeAll(2 * n)
	for i := 0; i < n; i++ {
		files := all[n-i:]
		files[i] = make(map[string]bool)
		go func(i int) { files[i]["."] = true }(i) // want `is written in a goroutine without a lock`
	}
}

// NarrowBad counts in a type in which the counter comes round.
func NarrowBad(names []string, files []map[string]bool) {
	var i uint8
	for range 1000 {
		files[i] = make(map[string]bool)
		j := i
		go func() {
			for _, n := range names {
				files[j][n] = true // want `is written in a goroutine without a lock`
			}
		}()
		i++
	}
}
