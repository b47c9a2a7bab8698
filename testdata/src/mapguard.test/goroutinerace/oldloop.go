//go:build go1.21

package goroutinerace

import "sync"

// In a file of Go 1.21, the rounds of a loop share its variable.
func trimOldBad(rows []map[string]int) {
	var wg sync.WaitGroup
	for _, row := range rows {
		if row["size"] > 0 {
			wg.Add(1)
			go func() {
				defer wg.Done()
				row["size"]-- // want `is written in a goroutine without a lock`
			}()
		}
	}
	wg.Wait()
}
