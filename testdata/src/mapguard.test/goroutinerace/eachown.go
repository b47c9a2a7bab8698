package goroutinerace

import "sync"

// A list that was there before has a map in each element: the goroutine of a round has its own, and its starter
// looks at the next one.

func trimOk(rows []map[string]int) {
	var wg sync.WaitGroup
	for _, row := range rows {
		if row["size"] == 0 {
			delete(row, "size")
			continue
		}
		wg.Go(func() { row["size"]-- })
	}
	wg.Wait()
}

func trimNamedOk(rows map[string]map[string]int) {
	var wg sync.WaitGroup
	for _, row := range rows {
		if row["size"] > 0 {
			wg.Go(func() { row["size"]-- })
		}
	}
	wg.Wait()
}

func trimMadeOk(n int) []map[string]int {
	rows := make([]map[string]int, 0, n)
	for i := range n {
		rows = append(rows, map[string]int{"size": i})
	}
	var wg sync.WaitGroup
	for _, row := range rows {
		if row["size"] > 0 {
			wg.Go(func() { row["size"]-- })
		}
	}
	wg.Wait()
	return rows
}

// The first element is looked at in each round.
func trimFirstBad(rows []map[string]int) {
	var wg sync.WaitGroup
	for range rows {
		if rows[0]["size"] > 0 {
			wg.Go(func() { rows[0]["size"]-- }) // want `is written in a goroutine without a lock`
		}
	}
	wg.Wait()
}

// The element is looked at again, after its goroutine has been started.
func trimAgainBad(rows []map[string]int) (n int) {
	var wg sync.WaitGroup
	for _, row := range rows {
		wg.Go(func() { row["size"]-- }) // want `is written in a goroutine without a lock`
		n += row["size"]
	}
	wg.Wait()
	return n
}

func trimLater(row map[string]int) { row["size"]-- }

// What a goroutine is given is settled where it is started, whatever the variable has later.
func trimPassedOk(rows []map[string]int) {
	var wg sync.WaitGroup
	var row map[string]int
	for _, row = range rows {
		if row["size"] > 0 {
			wg.Add(1)
			go func(row map[string]int) {
				defer wg.Done()
				trimLater(row)
			}(row)
		}
	}
	wg.Wait()
}

// The goroutine finds its element by an index that goes on.
func trimIndexBad(rows []map[string]int) {
	var wg sync.WaitGroup
	var i int
	for i = 0; i < len(rows); i++ {
		if rows[i]["size"] > 0 {
			wg.Go(func() { rows[i]["size"]-- }) // want `is written in a goroutine without a lock`
		}
	}
	wg.Wait()
}

// One variable is there for all rounds: the goroutine has what it holds by then.
func trimSharedBad(rows []map[string]int) {
	var wg sync.WaitGroup
	var row map[string]int
	for _, row = range rows {
		if row["size"] > 0 {
			wg.Go(func() { row["size"]-- }) // want `is written in a goroutine without a lock`
		}
	}
	wg.Wait()
}

// All elements are one map.
func trimSameBad(n int) {
	rows := make([]map[string]int, n)
	row := map[string]int{"size": n}
	for i := range rows {
		rows[i] = row
	}
	var wg sync.WaitGroup
	for _, r := range rows {
		if r["size"] > 0 {
			wg.Go(func() { r["size"]-- }) // want `is written in a goroutine without a lock`
		}
	}
	wg.Wait()
}

// The caller has put one map into both elements.
func trimPairBad(pair []map[string]int) {
	var wg sync.WaitGroup
	for _, r := range pair {
		if r["size"] > 0 {
			wg.Go(func() { r["size"]-- }) // want `is written in a goroutine without a lock`
		}
	}
	wg.Wait()
}

func trimBoth() {
	row := map[string]int{"size": 2}
	trimPairBad([]map[string]int{row, row})
}

// What makes the list has put one map into all elements.
func trimGivenBad(n int) {
	var wg sync.WaitGroup
	for _, r := range sameRows(n) {
		if r["size"] > 0 {
			wg.Go(func() { r["size"]-- }) // want `is written in a goroutine without a lock`
		}
	}
	wg.Wait()
}

func sameRows(n int) (rows []map[string]int) {
	row := map[string]int{"size": n}
	for range n {
		rows = append(rows, row)
	}
	return rows
}

// The loop begins anew while goroutines of the last time run.
func trimTwiceBad(rows []map[string]int) {
	for range 2 {
		for _, row := range rows {
			if row["size"] > 0 {
				go func() { row["size"]-- }() // want `is written in a goroutine without a lock`
			}
		}
	}
}

// Nothing waits for the goroutines before all elements are looked at once more: what has another index counts as another element.
func FN_trimSumBad(rows []map[string]int) (n int) {
	for _, row := range rows {
		go func() { row["size"]-- }()
	}
	for _, row := range rows {
		n += row["size"]
	}
	return n
}
