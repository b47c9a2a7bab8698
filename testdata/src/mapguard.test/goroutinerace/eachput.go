package goroutinerace

import (
	"slices"
	"sync"
)

// What a list has in two slots, and what else leads the goroutine of a round to the element of another one.

func putAll(rows []map[string]int, row map[string]int) {
	for i := range rows {
		rows[i] = row
	}
}

func shrinkFilledBad(n int) {
	rows := make([]map[string]int, n)
	putAll(rows, map[string]int{"size": n})
	var wg sync.WaitGroup
	for _, r := range rows {
		if r["size"] > 0 {
			wg.Go(func() { r["size"]-- }) // want `is written in a goroutine without a lock`
		}
	}
	wg.Wait()
}

func shrinkDoubledBad(rows []map[string]int) {
	twice := append(append([]map[string]int{}, rows...), rows...)
	var wg sync.WaitGroup
	for _, r := range twice {
		if r["size"] > 0 {
			wg.Go(func() { r["size"]-- }) // want `is written in a goroutine without a lock`
		}
	}
	wg.Wait()
}

func shrinkCopiedBad(rows []map[string]int) {
	twice := make([]map[string]int, 2*len(rows))
	copy(twice, rows)
	copy(twice[len(rows):], rows)
	var wg sync.WaitGroup
	for _, r := range twice {
		if r["size"] > 0 {
			wg.Go(func() { r["size"]-- }) // want `is written in a goroutine without a lock`
		}
	}
	wg.Wait()
}

func shrinkJoinedBad(rows []map[string]int) {
	var wg sync.WaitGroup
	for _, r := range slices.Concat(rows, rows) {
		if r["size"] > 0 {
			wg.Go(func() { r["size"]-- }) // want `is written in a goroutine without a lock`
		}
	}
	wg.Wait()
}

// A pick may come twice.
func shrinkPickedBad(rows []map[string]int, picks []int) {
	var list []map[string]int
	for _, p := range picks {
		list = append(list, rows[p])
	}
	var wg sync.WaitGroup
	for _, r := range list {
		if r["size"] > 0 {
			wg.Go(func() { r["size"]-- }) // want `is written in a goroutine without a lock`
		}
	}
	wg.Wait()
}

// Each element is picked once.
func shrinkSomeOk(rows map[string]map[string]int) {
	var list []map[string]int
	for _, r := range rows {
		if len(r) > 1 {
			list = append(list, r)
		}
	}
	var wg sync.WaitGroup
	for _, r := range list {
		if r["size"] > 0 {
			wg.Go(func() { r["size"]-- })
		}
	}
	wg.Wait()
}

func sized(n int) map[string]int {
	row := make(map[string]int)
	row["size"] = n
	return row
}

func shrinkSizedOk(sizes []int) {
	var list []map[string]int
	for _, n := range sizes {
		list = append(list, sized(n))
	}
	var wg sync.WaitGroup
	for _, r := range list {
		if r["size"] > 0 {
			wg.Go(func() { r["size"]-- })
		}
	}
	wg.Wait()
}

var sizeOne = map[string]int{"size": 1}

func sizedOrOne(n int) map[string]int {
	if n == 1 {
		return sizeOne
	}
	return sized(n)
}

func shrinkSizedBad(sizes []int) {
	var list []map[string]int
	for _, n := range sizes {
		list = append(list, sizedOrOne(n))
	}
	var wg sync.WaitGroup
	for _, r := range list {
		if r["size"] > 0 {
			wg.Go(func() { r["size"]-- }) // want `is written in a goroutine without a lock`
		}
	}
	wg.Wait()
}

// A caller's caller has one map in two slots.
func shrinkNamedBad(rows map[string]map[string]int) {
	var wg sync.WaitGroup
	for _, r := range rows {
		if r["size"] > 0 {
			wg.Go(func() { r["size"]-- }) // want `is written in a goroutine without a lock`
		}
	}
	wg.Wait()
}

func shrinkAll(rows map[string]map[string]int) { shrinkNamedBad(rows) }

func shrinkOther(rows map[string]map[string]int) {
	rows["x"] = rows["y"]
	shrinkAll(rows)
}

// The goroutine is given the variable, not what it holds.
func shrinkByAddress(row *map[string]int, wg *sync.WaitGroup) {
	defer wg.Done()
	(*row)["size"]--
}

func shrinkAddressBad(rows []map[string]int) {
	var wg sync.WaitGroup
	var row map[string]int
	for _, row = range rows {
		if row["size"] > 0 {
			wg.Add(1)
			go shrinkByAddress(&row, &wg) // want `is written in a goroutine without a lock`
		}
	}
	wg.Wait()
}

// A function within the goroutine has the variable.
func shrinkWithinBad(rows []map[string]int) {
	var wg sync.WaitGroup
	var row map[string]int
	for _, row = range rows {
		if row["size"] > 0 {
			shrink := func() { row["size"]-- } // want `is written in a goroutine without a lock`
			wg.Go(func() { shrink() })
		}
	}
	wg.Wait()
}

// The function is called again while its goroutines run.
func shrinkLeaveBad(rows []map[string]int) {
	for _, row := range rows {
		if row["size"] > 0 {
			go func() { row["size"]-- }() // want `is written in a goroutine without a lock`
		}
	}
}

func shrinkOften(rows []map[string]int, tick <-chan bool) {
	for range tick {
		shrinkLeaveBad(rows)
	}
}

func shrinkOnceOk(rows []map[string]int) {
	for _, row := range rows {
		if row["size"] > 0 {
			go func() { row["size"]-- }()
		}
	}
}
